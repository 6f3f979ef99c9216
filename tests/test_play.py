"""`sim42 play` and --rules: what it prints, and what it refuses in one line."""

import json

import pytest
from click.testing import CliRunner
from test_game import DEAL, played_out, started

from sim42 import Rules
from sim42.cli import main
from sim42.game.records import format_record

HEAD = {"deal": str(DEAL), "shaker": 3, "bids": ["30", "pass", "pass", "pass"], "trump": "sixes"}
FIRST = ["6-6", "4-2", "6-0", "0-0"]


def run(*words, stdin=None):
    return CliRunner().invoke(main, ["play", *words], input=stdin)


def replay(*words, **keys):
    return run(*words, "--record", "-", stdin=json.dumps(HEAD | keys))


def refused(result):
    """The one line that a refusal says."""
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    return result.stderr


def test_prints_trick_by_trick_with_the_running_score():
    result = replay(plays=[*FIRST, "6-5", "4-3", "6-1", "1-0"])
    assert result.exit_code == 0
    assert result.stderr == ""
    assert "    2  0 6-5   1 4-3   2 6-1   3 1-0        seat 0       1           2           0" in (
        result.stdout.splitlines()
    )
    assert result.stdout.endswith("\nSeat 0 is to play: 6-4 6-3 6-2 5-5 4-4.\n")


def test_prints_the_result_and_the_match():
    game = played_out(started())
    result = run("--record", "-", stdin=format_record(game.record()))
    assert "Bid of 30 made, points 41 to 0.\n" in result.stdout
    assert "Scored 1 to 0 marks; the score is 1 to 0.\nSeat 0 shakes next.\n" in result.stdout
    result = replay("--rules", "points250", score=[249, 100], claim=True)
    assert "Seat 0 claims every trick left.\n" in result.stdout
    assert result.stdout.endswith("the score is 291 to 100.\nSeats 0 and 2 win the match.\n")


def test_records_of_a_file_come_out_with_results(tmp_path):
    lines = [format_record(game.record()) for game in (played_out(started()), started())]
    path = tmp_path / "hands.jsonl"
    path.write_bytes(("\ufeff" + "\r\n\r\n".join(lines)).encode())
    result = run("--record", str(path), "--format", "jsonl")
    assert result.stdout.splitlines() == lines
    output = tmp_path / "out.jsonl"
    assert run("--record", str(path), "-o", str(output)).exit_code == 0
    assert output.read_text().splitlines() == lines
    assert run("--record", str(path)).stdout.count("shakes; the score") == 2


def test_a_result_told_of_a_hand_that_breaks_off_is_kept():
    told = {"made": True, "points": [41, 1], "score": [1, 0]}
    for keys in ({}, {"trump": "fives", "plays": []}, {"plays": FIRST}):
        kept = json.loads(replay("--format", "jsonl", result=told, **keys).stdout)
        assert kept["result"] == told
        text = replay(result=told, **keys).stdout
        assert text.endswith("\nThe record says: made, points 41 to 1, score 1 to 0.\n")
    game = played_out(started())
    assert "The record says" not in run("--record", "-", stdin=format_record(game.record())).stdout


def test_the_rules_that_a_record_was_played_by_are_written_whoever_reads_it():
    passed = json.dumps({"deal": str(DEAL), "shaker": 3, "bids": ["pass"] * 4})
    line = run("--record", "-", "--format", "jsonl", stdin=passed).stdout
    assert json.loads(line)["rules"] == "tournament"
    assert run("--record", "-", "--rules", "family", "--format", "jsonl", stdin=line).stdout == line


def test_rules_by_name_and_from_a_file(tmp_path):
    path = tmp_path / "house.toml"
    path.write_text(Rules.family().to_toml())
    for words in (["--rules", "family"], ["--rules", str(path)]):
        result = replay(*words, bids=["pass"] * 4, trump="sixes")
        said = "line 1: bid 4: A4: the others passed, so seat 3, the shaker, must bid; legal: 30"
        assert said in refused(result)
        result = replay(*words, "--format", "jsonl", claim=True)
        assert json.loads(result.stdout)["rules"] == "family"
    # A record's own rules go first.
    result = replay("--rules", "family", rules={}, bids=["pass"] * 3, trump="sixes")
    assert "seat 3 is to bid" in refused(result)


def test_a_deal_for_records_without_one():
    record = json.dumps({key: value for key, value in HEAD.items() if key != "deal"})
    result = run("--deal", str(DEAL), "--record", "-", stdin=record)
    assert "  seat 0  6-6 6-5 6-4 6-3 6-2 5-5 4-4\n" in result.stdout
    assert "line 1: deal: missing; a game needs" in refused(run("--record", "-", stdin=record))
    assert replay("--deal", str(DEAL)).exit_code == 0
    other = " / ".join(reversed(str(DEAL).split(" / ")))
    assert "line 1: deal: not that of --deal" in refused(replay("--deal", other))


@pytest.mark.parametrize(
    ("keys", "said"),
    [
        ({"plays": ["6-6", "6-1"]}, "play 2: T3: seat 1 is to play, and 6-1 is in seat 2's hand"),
        (
            {"plays": ["6-6", "4-2", "4-1"]},
            "play 3: R6: 6-6 led trumps; seat 2 must follow, and 4-1 does",
        ),
        (
            {"plays": ["6-6", "4-2", "6-0", "0-0", "6-6"]},
            "play 5: T1: 6-6 is played already; seat 0",
        ),
        ({"plays": ["6-7"]}, "plays: play 1: '6-7': not a tile"),
        ({"bids": ["pass", "30", "30"]}, "bid 3: A1: 30 is not above 30; legal: pass, 31 to 41"),
        ({"bids": ["pass", "126"]}, "bid 2: A3: 126 jumps a mark; legal: pass, 30 to 41, 42, 84"),
        ({"bids": [30] * 6}, "bid 2: A1: 30 is not above 30"),
        ({"bids": ["30", "pass", "pass", "pass", "pass"]}, "bid 5: A1: the auction is over, each"),
        ({"bids": [30]}, "trump: R1: no trump can be called now; seat 1 is to bid"),
        ({"shaker": "3"}, 'shaker: "3" is not a whole number from 0 to 3'),
        ({"score": [7, 0]}, "score (7, 0): not one in a match that still goes on"),
        ({"deal": "6-6"}, "deal: a deal is four hands with / between them, not 1"),
        ({"play": []}, '"play": no such key; keys are deal, shaker'),
        (
            {
                "bids": ["42", "pass", "pass", "pass"],
                "result": {"made": False, "points": [20, 20], "score": [0, 1]},
            },
            "result: S1: set, points 20 to 20, score 0 to 1; no play stops at such points",
        ),
        (
            {"plays": FIRST, "result": {"made": False, "points": [0, 42], "score": [0, 1]}},
            "result: S1: set, points 0 to 42, score 0 to 1; no play stops at such points after",
        ),
    ],
)
def test_wrong_records(keys, said):
    line = refused(replay(**keys))
    assert line.startswith(f"sim42: stdin: line 1: {said}")


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        ("", "stdin: no records; one a line"),
        ("\n\n", "stdin: no records; one a line"),
        ('{"deal": "6-6', "stdin: line 1: not a line of JSON"),
        ("{}\n{}", "stdin: line 1: deal: missing"),
        ('{"shaker": 1, "shaker": 1}', 'line 1: "shaker": given twice'),
        (json.dumps(HEAD) + "\n" + json.dumps(HEAD, indent=1), "stdin: line 2: not a line of JSON"),
        (b"\xff\xfe", "stdin: line 1: not UTF-8 text (byte 0)"),
        (b"\x00", "stdin: line 1: not a line of JSON"),
    ],
)
def test_streams_that_are_no_records(stdin, said):
    assert said in refused(run("--record", "-", stdin=stdin))


def test_bad_options(tmp_path):
    assert "nowhere.jsonl: there is no such file" in refused(run("--record", "nowhere.jsonl"))
    assert f"{tmp_path}: is a folder; name a file" in refused(run("--record", str(tmp_path)))
    assert "there is no such file" in refused(run("--record", "a\0b"))
    assert "--record" in refused(run())
    assert "no such file, and no rules of that name" in refused(replay("--rules", "hous"))
    assert "not readable" in refused(replay("--rules", str(tmp_path)))
    (tmp_path / "bad.toml").write_text("max_marks = 'two'")
    assert "max_marks: 'two' is not" in refused(replay("--rules", str(tmp_path / "bad.toml")))
    assert "seat 0: a hand is 7" in refused(replay("--deal", "6-6 / 5-5 / 4-4 / 3-3"))
