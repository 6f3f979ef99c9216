"""Manners of the command line: where things go, what a failure says, and how it ends."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from sim42.cli import COMMANDS, main

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"
SIXES = "6-6 6-5 6-4 6-3 6-2 6-1 6-0"


def run(*words: str, stdin: str | bytes | None = None):
    return CliRunner().invoke(main, list(words), input=stdin)


def refused(*words: str, stdin: str | bytes | None = None) -> str:
    """The one line that a refusal says."""
    result = run(*words, stdin=stdin)
    assert result.exit_code == 2, result.output
    assert result.stdout == ""
    assert result.stderr.count("\n") == 1, result.stderr
    assert result.stderr.startswith("sim42")
    return result.stderr


@pytest.mark.parametrize("name", [None, *COMMANDS])
def test_every_command_has_help_and_is_listed(name):
    result = run(*([name] if name else []), "--help")
    assert result.exit_code == 0
    assert "Usage: sim42" in result.stdout
    if name is None:
        assert all(command in result.stdout for command in COMMANDS)


def test_help_imports_nothing_heavy():
    code = (
        "import sys\n"
        "from sim42.cli import main\n"
        "try:\n main(['--help'])\n"
        "except SystemExit:\n pass\n"
        "heavy = {'numba', 'numpy', 'pandas', 'matplotlib', 'pyarrow'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("name", list(COMMANDS))
def test_help_of_a_command_imports_nothing_heavy(name):
    code = (
        "import sys\n"
        "from sim42.cli import main\n"
        f"try:\n main(['{name}', '--help'])\n"
        "except SystemExit:\n pass\n"
        "heavy = {'numba', 'pandas', 'matplotlib', 'pyarrow'} & set(sys.modules)\n"
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_bid_imports_no_more_than_it_uses():
    code = (
        "import sys\n"
        "from sim42.cli import main\n"
        f"try:\n main(['bid', '{HAND}', '--deals=1', '--seed=1'])\n"
        "except SystemExit:\n pass\n"
        "heavy = {'scipy.linalg', 'matplotlib', 'pandas', 'pyarrow'} & set(sys.modules)\n"
        "import scipy.linalg.cython_blas\n"  # for others it is there
        "sys.exit(f'imported {heavy}' if heavy else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("tiles", "says"),
    [
        ("6-4 5-5 4-2 3-1 2-0 1-1", "7 different tiles, not 6"),
        (f"{HAND} 6-6", "7 different tiles, not 8"),
        ("6-5 5-6 4-2 3-1 2-0 1-1 0-0", "6-5 is given twice"),
        ("6-4 6-4 4-2 3-1 2-0 1-1 0-0", "6-4 is given twice"),
        ("7-0 5-5 4-2 3-1 2-0 1-1 0-0", "'7-0': not a tile"),
        ("a hand of tiles", "'a': not a tile"),
        ("６-４ 5-5 4-2 3-1 2-0 1-1 0-0", "not a tile"),
        ("", "no tiles"),
        ("   ", "no tiles"),
        ("6-4-2 5-5 4-2 3-1 2-0 1-1 0-0", "not a tile"),
    ],
)
def test_bad_hands_are_refused(tiles, says):
    assert says in refused("bid", tiles)


@pytest.mark.parametrize("deals", ["0", "-5", "1e3", "ten", "", "１０", "10_0", "1.0"])
def test_bad_numbers_of_deals_are_refused(deals):
    line = refused("bid", HAND, f"--deals={deals}")
    assert "--deals" in line
    assert "a whole number from 1 to 10,000,000" in line


@pytest.mark.parametrize("seed", ["-1", str(2**64), "x"])
def test_bad_seeds_are_refused(seed):
    assert "a whole number from 0 to 18446744073709551615" in refused("bid", HAND, f"--seed={seed}")


@pytest.mark.parametrize("seed", ["0", str(2**63 - 1), str(2**64 - 1)])
def test_seeds_at_the_edges_work(seed):
    result = run("bid", HAND, "--deals=2", f"--seed={seed}", "--format=json")
    assert result.exit_code == 0
    assert json.loads(result.stdout)["seed"] == int(seed)


@pytest.mark.parametrize("trumps", ["sevens", "fives,5", "", "fives,,sixes", "all,fives"])
def test_bad_trumps_are_refused(trumps):
    assert "--trumps" in refused("bid", HAND, f"--trumps={trumps}")


def test_bad_files_are_refused_before_any_work(tmp_path):
    there = tmp_path / "there.json"
    there.write_text("mine")
    assert "exists; --force replaces it" in refused("bid", HAND, "-o", str(there))
    assert "there is no folder" in refused("bid", HAND, "-o", str(tmp_path / "no" / "x.json"))
    assert "unknown ending" in refused("bid", HAND, "-o", str(tmp_path / "x.xls"))
    assert "is a folder" in refused("bid", HAND, "--format=json", "-o", str(tmp_path))
    assert "unknown ending" in refused("bid", HAND, "--chart", str(tmp_path / "x.gif"))
    assert there.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [there]


def test_the_chart_and_the_output_are_two_files(tmp_path):
    both = str(tmp_path / "x.svg")
    assert "name two files" in refused("bid", HAND, "--format=json", "-o", both, "--chart", both)
    for place in ("-", "/dev/stdout"):
        assert "both go to stdout" in refused("bid", HAND, "--chart", place)
        assert "both go to stdout" in refused("bid", HAND, "--chart=-", "-o", place)


def test_a_folder_that_cannot_be_written_is_named_before_any_work(tmp_path, monkeypatch):
    monkeypatch.setattr(os, "access", lambda *_: False)  # the tests may run as root
    result = run("bid", HAND, "-o", str(tmp_path / "x.csv"))
    assert result.exit_code == 1
    assert result.stderr == f"sim42: {tmp_path / 'x.csv'}: Permission denied\n"


@pytest.mark.skipif(os.name == "nt", reason="files of POSIX")
def test_links_stay_links_and_devices_are_not_replaced(tmp_path):
    words = ("deal", "--seed=1", "--force", "-o")
    link = tmp_path / "link.txt"
    link.symlink_to(tmp_path / "real.txt")
    assert run(*words, str(link)).exit_code == 0
    assert link.is_symlink()
    assert (tmp_path / "real.txt").read_text() == run("deal", "--seed=1").stdout
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reader = subprocess.Popen(["cat", str(pipe)], stdout=subprocess.PIPE, text=True)
    assert run("deal", "--seed=1", "--format=table", "-o", str(pipe)).exit_code == 0
    assert reader.communicate()[0] == run("deal", "--seed=1").stdout
    assert pipe.is_fifo()


def test_without_a_command_the_help_is_shown_in_its_own_lines():
    result = run()
    assert result.exit_code == 2
    assert result.stdout == ""
    assert len(result.stderr.splitlines()) > 15


def test_messages_hold_nothing_that_a_terminal_acts_on():
    assert "\\x1b" in refused("bid", "6-4\x1b[31m")
    assert len(refused("bid", "x" * 5000)) < 200
    result = run("bid", HAND, "-o", f"{'x' * 5000}.csv")
    assert result.exit_code == 1
    assert len(result.stderr) < 1100


@pytest.mark.skipif(os.name == "nt", reason="a shell of POSIX")
@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        ("deal --seed=1 >&-", 0, ""),
        ("--help >&-", 0, ""),
        ("solve --trump=5 <&-", 2, "sim42: stdin: no deals; one a line"),
        ("play --record - <&-", 2, "no records"),
    ],
)
def test_closed_streams_are_no_traceback(line, code, says):
    done = subprocess.run(
        f"'{sys.executable}' -m sim42 {line}",
        shell=True,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    assert says in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("threads", ["0", "x", "-1", ""])
def test_a_wrong_number_of_threads_in_the_environment_is_one_line(threads):
    done = subprocess.run(
        [sys.executable, "-m", "sim42", "info"],
        env={**os.environ, "NUMBA_NUM_THREADS": threads},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 2
    assert done.stderr == f"sim42: NUMBA_NUM_THREADS={threads}: a whole number from 1\n"


def test_no_folder_for_compiled_code_is_one_line():
    done = subprocess.run(
        [sys.executable, "-m", "sim42", "info"],
        env={**os.environ, "NUMBA_CACHE_DIR": os.devnull},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr.startswith(f"sim42: {os.devnull}")
    assert done.stderr.count("\n") == 1
    assert "none: every run compiles anew" in done.stdout


def test_unknown_commands_and_options_are_refused():
    assert "No such command" in refused("bit", HAND)
    assert "No such option" in refused("bid", HAND, "--deal-count=3")


@pytest.mark.parametrize("ending", ["json", "jsonl", "csv", "parquet", "txt"])
def test_a_file_is_written_whole_and_replaced_only_by_force(tmp_path, ending):
    target = tmp_path / f"out.{ending}"
    words = ("bid", HAND, "--deals=3", "--seed=1", "--trumps=fives", "-o", str(target))
    first = run(*words)
    assert (first.exit_code, first.stdout) == (0, "")
    content = target.read_bytes()
    assert content
    refused(*words)
    assert run(*words, "--force").exit_code == 0
    assert target.read_bytes() == content
    assert list(tmp_path.iterdir()) == [target]


def test_a_full_disk_is_one_line_and_leaves_nothing(tmp_path):
    # Files of this process may not grow beyond 100 bytes.
    code = (
        "import resource, signal, sys\n"
        "from sim42.cli import main\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        f"words = ['deal', '-n', '50', '--seed', '1', '-o', {str(tmp_path / 'x.txt')!r}]\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "main(words)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "File too large" in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="limits of POSIX")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("words", [("rules",), ("deal", "-n50", "--seed=1")], ids=str)
def test_a_full_disk_under_stdout_is_one_line(tmp_path, words, unbuffered):
    """Of 1,500 bytes 1,024 find room: a write of them all takes a part and reports no error."""
    limited = f"ulimit -f 1 && exec '{sys.executable}' -m sim42 {' '.join(words)}"
    with (tmp_path / "x").open("wb") as file:
        done = subprocess.run(
            ["bash", "-c", limited],
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=file,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert (done.returncode, done.stderr) == (1, "sim42: output: File too large\n")


def test_a_drawn_seed_is_said_and_repeats_the_run():
    first = run("deal", "-n3")
    seed = first.stderr.split()[1].strip(",")
    assert run("deal", "-n3", "--seed", seed).stdout == first.stdout


def test_options_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("SIM42_DEAL_NUMBER", "4")
    monkeypatch.setenv("SIM42_DEAL_SEED", "1")
    assert run("deal").stdout.count("\n") == 4


def test_deals_go_straight_into_solve():
    deals = run("deal", "-n3", "--seed=5").stdout
    solved = run("solve", "--trump=fives", "--format=jsonl", stdin=deals)
    assert solved.exit_code == 0
    found = [json.loads(line) for line in solved.stdout.splitlines()]
    assert [one["deal"] for one in found] == deals.splitlines()


def test_deal_formats_hold_the_same_deals(tmp_path):
    text = run("deal", "-n3", "--seed=5", "--start=7").stdout.splitlines()
    rows = [{"seed": 5, "index": 7 + i, "deal": deal} for i, deal in enumerate(text)]
    assert json.loads(run("deal", "-n3", "--seed=5", "--start=7", "--format=json").stdout) == rows
    csv = run("deal", "-n3", "--seed=5", "--start=7", "--format=csv").stdout.splitlines()
    assert csv == ["seed,index,deal", *(f"5,{7 + i},{deal}" for i, deal in enumerate(text))]
    assert run("deal", "-n10", "--seed=5").stdout.splitlines()[7:] == text


@pytest.mark.parametrize("ending", ["txt", "csv", "json", "jsonl"])
def test_deals_in_pieces_are_the_same_deals(tmp_path, ending, monkeypatch):
    words = ("deal", "-n2003", "--seed=5", "--start=4611686018427387904", "--hand", SIXES)
    in_pieces, at_once = tmp_path / f"in-pieces.{ending}", tmp_path / f"at-once.{ending}"
    assert run(*words, "-o", str(in_pieces)).exit_code == 0
    monkeypatch.setattr("sim42.cli.deal.PIECE", 5000)
    assert run(*words, "-o", str(at_once)).exit_code == 0
    content = in_pieces.read_text()
    assert content == at_once.read_text()
    assert content.count(" / ") == 3 * 2003
    if ending == "json":
        assert content == json.dumps(json.loads(content), indent=1) + "\n"


def test_the_deals_of_a_hand_are_those_of_its_bid():
    first = run("deal", "-n2", "--seed=5", "--hand", SIXES).stdout.splitlines()[0]
    assert first.startswith(SIXES)


def test_solve_names_the_line_of_a_bad_deal():
    good = run("deal", "--seed=1").stdout
    said = refused("solve", "--trump=5", stdin=f"{good}\n1-1 / / /\n")
    assert "stdin, line 3: a deal is four hands" in said
    assert "no deals" in refused("solve", "--trump=5", stdin="# nothing\n\n")
    assert "four hands" in refused("solve", "--trump=5", HAND)
    assert "not UTF-8" in refused("solve", "--trump=5", stdin=b"\xff\xfe")
    assert "--trump" in refused("solve", good)
    assert "--leader" in refused("solve", good, "--trump=5", "--leader=4")


@pytest.mark.parametrize("format_", ["table", "csv", "json", "jsonl"])
@pytest.mark.parametrize("number", [1, 3])
def test_solve_reads_what_deal_writes(format_, number):
    words = ("deal", f"-n{number}", "--seed=5")
    plain = run(*words).stdout.splitlines()
    written = run(*words, f"--format={format_}").stdout
    for text in (written, "\ufeff" + written.replace("\n", "\r\n")):
        solved = run("solve", "--trump=fives", "--format=jsonl", stdin=text)
        assert solved.exit_code == 0, solved.stderr
        assert [json.loads(line)["deal"] for line in solved.stdout.splitlines()] == plain


def test_deals_with_tiles_in_brackets_are_no_json():
    deal = run("deal", "--seed=5").stdout.strip()
    bracketed = re.sub(r"(\d)-(\d)", r"[\1|\2]", deal)
    solved = run("solve", "--trump=fives", "--format=json", stdin=bracketed)
    assert json.loads(solved.stdout)[0]["deal"] == deal


@pytest.mark.parametrize(
    ("stdin", "said"),
    [
        ("seed,index,deal\n", "stdin: no deals below the names of the columns"),
        ("seed,index,deal\n1,2\n", "stdin, line 2: 2 cells; the header names 3"),
        ("deal\n6-6\n", "stdin, line 2: "),
        ("[]", "stdin: no deals; the list is empty"),
        ('[{"deal": 5}]', "stdin, deal 1: {'deal': 5} is no object with a text \"deal\""),
        ('[{"deal": "6-6"}]', "stdin, deal 1: "),
        ('[{"deal"', "stdin: not JSON: Expecting ':' delimiter at line 1, character 9"),
        ("[\n" * 100_000, "stdin: not JSON: numbers of too many digits, or too deeply nested"),
        ('{"seed": 1}', "stdin, line 1: {'seed': 1} is no object with a text"),
        ('{"deal": "6-6"}\n[', "stdin, line 2: not JSON: "),
    ],
)
def test_solve_names_what_is_wrong_with_deals_in_other_formats(stdin, said):
    assert said in refused("solve", "--trump=5", stdin=stdin)


def test_solve_prints_the_line_and_the_leads():
    deal = run("deal", "--seed=5", "--hand", SIXES).stdout.strip()
    result = run("solve", deal, "--trump=sixes")
    assert "Seats 0 and 2 take 42 of 42 points." in result.stdout
    assert "6-6: 42" in result.stdout
    assert result.stdout.splitlines()[-1].split()[-1] == "42"
    one = json.loads(run("solve", deal, "--trump=sixes", "--format=json").stdout)
    assert one["points"] == 42
    assert set(one["plays"]) == set(SIXES.split())


def test_info_and_warmup():
    info = run("info").stdout
    assert all(word in info for word in ("sim42", "numba", "cores", "cache", "threads"))
    assert "ready in" in run("warmup").stdout


def _start(*words: str, env: dict[str, str] | None = None) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "sim42", *words],
        env={**os.environ, **(env or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def test_a_closed_pipe_leaves_no_trace():
    process = _start("deal", "-n10000000", "--seed=1")  # some minutes to the end
    assert process.stdout is not None
    assert process.stderr is not None
    assert process.stdout.readline()
    process.stdout.close()
    assert process.wait() == 0
    assert process.stderr.read() == ""
    process.stderr.close()


# The solver says when it is at work, and has enough of it for hours.
SOLVING = """
import sys, time
from sim42 import cli
from sim42.solver import values

def solve(*arguments):
    print("solving", file=sys.stderr, flush=True)
    time.sleep(0.1)
    return solve_block(*arguments)

values.warm_up()
solve_block, values.solve_block = values.solve_block, solve
sys.argv[0] = "sim42"
cli.run()
"""


@pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")
def test_ctrl_c_stops_and_says_so(tmp_path: Path):
    target = tmp_path / "x.json"
    words = ["bid", HAND, "--deals=1000000", "--seed=1", "-o", str(target)]
    with subprocess.Popen(
        [sys.executable, "-c", SOLVING, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stderr.readline() == "solving\n"
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stdout.read() == ""
        said = [line for line in process.stderr.read().split("\n") if line not in ("", "solving")]
    assert said == ["sim42: interrupted"]
    assert not target.exists()


@pytest.mark.parametrize(
    "words",
    [
        (
            "bid",
            HAND,
            "--trumps",
            "5",
            "--deals",
            "1",
            "--seed",
            "1",
            "--where",
            "doubles(left) < 4",
        ),
        ("lead", HAND, "--trump", "5", "--deals", "1", "--seed", "1", "--partner", "6-6"),
        ("arena", "club", "random", "--deals", "1", "--seed", "1"),
        ("survey", "run", "--hands", "1", "--deals", "1", "--seed", "1", "--trumps", "5"),
        ("table", "run", "--best"),
        ("table", "run", "--by", "kind", "--limit", "1"),
    ],
)
def test_one_of_anything_is_one(words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if words[0] == "table":
        run("survey", "run", "--hands", "2", "--deals", "1", "--seed", "1", "--trumps", "5,doubles")
    result = run(*words)
    assert result.exit_code == 0, result.output
    assert re.findall(r"(?<![\d.,])1 (?:random |more )?[a-z]+s\b", result.output) == []
    assert "nan" not in result.output
