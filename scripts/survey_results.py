"""The summary of a big survey in results/: groups as CSV, calls as Parquet, and survey.md.

    sim42 survey RUN --hands 20000 --deals 100 --seed 42
    python scripts/survey_results.py RUN [SECONDS]

RUN is the finished run and SECONDS the time that it took, if it was measured.
"""

import sys
from pathlib import Path

import pandas as pd

from sim42 import load_run
from sim42.files import write_file
from sim42.runs.store import Run
from sim42.tables.groups import group_table
from sim42.tables.hands import THRESHOLDS, fair_calls

RESULTS = Path(__file__).parent.parent / "results"
GROUPS = {
    "trump": (["trump"], False),
    "best-trumps": (["trumps", "double_held"], True),
    "best-shape": (["shape"], True),
    "best-offs": (["trumps", "bare"], True),
}
"""File of each table of groups: what it is by, and whether it takes best trumps only."""
PAGE = """# A survey of {hands:,} hands

`sim42 survey RUN --hands {hands} --deals {deals} --seed {seed}`: {hands:,} random hands, all
different, {deals} deals around each, all nine trumps on the same deals, solved exactly, double
dummy (all four hands are seen). {solves:,} solutions{time}.

The tables here were made from the run by `python scripts/survey_results.py RUN`:

| file | made as by |
| --- | --- |
{files}
| `survey-best.parquet` | `sim42 table RUN --best` |

Groups are apart by kind of trump: pip, doubles, follow-me. Intervals of groups are of 95 %, from
the spread between hands. With `--best` a hand whose two halves of the deals choose trumps of two
groups counts in both, so that hands of groups add to more than there are.

## The winner's curse

Means over the hands for which there is such a figure, in per cent (marks in marks; a pass is worth
0). What is chosen for being the best on {deals} deals looks better on these than it is.
Cross-fitted figures are chosen on one half of the deals and rated on the other: right for such
choices, which are a little worse than those on all deals, so they are too low for these. Fair ones
are drawn towards what hands like it make. [winners_curse.md](winners_curse.md) rates the choices on
other deals: of three, the fair figure is the nearest.

| figure | on the deals that chose | cross-fitted | fair |
| --- | --- | --- | --- |
{curse}
"""


def main() -> None:
    """Write the files."""
    path, *seconds = sys.argv[1:]
    run = Run.open(path)
    if run.done() < len(run.study) * run.study.deals:
        sys.exit(f"{path}: is not finished")
    frame = load_run(path)
    files = []
    for name, (by, best) in GROUPS.items():
        table = group_table(frame, by, best).round(5)
        table.to_csv(RESULTS / f"survey-{name}.csv", index=False, lineterminator="\n")
        files.append(
            f"| `survey-{name}.csv` | `sim42 table RUN --by {','.join(by)}{' --best' * best}` |"
        )
    best_of_hand = fair_calls(frame)
    best_of_hand.to_parquet(RESULTS / "survey-best.parquet", index=False, compression="zstd")
    solves = int(frame["deals"].sum())
    page = PAGE.format(
        hands=len(best_of_hand),
        deals=frame.attrs["deals"],
        seed=frame.attrs["seed"],
        solves=solves,
        time=_time(solves, *map(float, seconds)),
        files="\n".join(files),
        curse="\n".join(curse(best_of_hand)),
    )
    write_file(RESULTS / "survey.md", page.encode())


def _time(solves: int, seconds: float | None = None) -> str:
    """How long it took, if that is known."""
    if seconds is None:
        return ""
    return f" in {seconds / 60:.0f} minutes, {solves / seconds:,.0f} a second"


def curse(best: pd.DataFrame) -> list[str]:
    """Rows of the table of what choices look like and what they are worth."""
    figures = [
        ("marks of the call", "shown", "cross_marks", "fair", 1.0),
        ("best trump, bid 30", "best_rate_30", "cross_30", "fair_30", 100.0),
        ("best trump, 42", "best_rate_42", "cross_42", "fair_42", 100.0),
        *(
            (f"highest bid made in {q} % of the deals", f"at{q}_rate", f"at{q}_cross", None, 100.0)
            for q in THRESHOLDS
        ),
    ]
    rows = []
    for name, *columns, unit in figures:
        there = [column for column in columns if column is not None]
        means = unit * best[there].dropna().mean()
        places = 3 if unit == 1 else 1
        cells = [f"{value:.{places}f}" for value in means] + [""] * (len(columns) - len(there))
        rows.append(f"| {name} | {' | '.join(cells)} |")
    return rows


if __name__ == "__main__":
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__)
    main()
