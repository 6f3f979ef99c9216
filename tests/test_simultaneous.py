"""Intervals of many cells that hold all at once."""

from click.testing import CliRunner
from pictures import random_run
from stand_in import points

import sim42.runs.blocks
from sim42 import Study, run_study
from sim42.cli import main
from sim42.tables.groups import group_table


def test_intervals_that_hold_at_once_are_those_of_a_level_shared_by_the_cells():
    run = random_run(60)
    one, together = (group_table(run, ["trumps"], simultaneous=flag) for flag in (False, True))
    assert one["rate_30"].equals(together["rate_30"])
    many = one["hands"] >= 30
    assert many.any()
    wider = (together["high_30"] - together["low_30"]) / (one["high_30"] - one["low_30"])
    # The normal quantile of 0.05 shared by some two hundred cells is 3.7, that of one is 1.96.
    assert wider[many].between(1.5, 2.5).all()


def test_the_command_says_so(tmp_path, monkeypatch):
    monkeypatch.setattr(sim42.runs.blocks, "solve_block", points)
    path = str(tmp_path / "run")
    run_study(Study(hands=5, deals=4, seed=1), path=path)
    done = CliRunner().invoke(main, ["table", path, "--by", "trump", "--simultaneous"])
    assert "In 95 of 100 such tables all of them hold at once." in done.stdout
    refused = CliRunner().invoke(main, ["table", path, "--simultaneous"])
    assert refused.exit_code == 2
