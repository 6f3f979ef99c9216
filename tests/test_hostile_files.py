"""Files that a command reads, and stdin, may hold anything: what is wrong is said in one line."""

import pytest
from click.testing import CliRunner

from sim42.cli import main

DEEP = "[" * 200_000
DIGITS = "9" * 5_000
READERS = {
    "chart hand": ["chart", "hand", "FILE", "-o", "new.svg"],
    "chart lead": ["chart", "lead", "FILE", "-o", "new.svg"],
    "chart review": ["chart", "review", "FILE", "-o", "new.svg"],
    "hands": ["survey", "new", "--hands-file", "FILE", "--seed", "1"],
    "records": ["play", "--record", "FILE"],
    "record to solve": ["solve", "--record", "FILE"],
    "record to review": ["review", "FILE"],
    "record of a page": ["report", "--record", "FILE", "-o", "new.html"],
    "lead in a record": ["lead", "--record", "FILE"],
    "deals": ["solve", "--trump", "fives"],
    "hand": ["bid", "-"],
    "condition": ["deal", "--where", "@FILE"],
    "question": ["odds", "@FILE"],
    "rules": ["survey", "new", "--hands", "2", "--seed", "1", "--rules", "FILE"],
}
"""Every way in which a command reads a file of the user's; runs are in test_runs.py."""
ANYTHING = {
    "nothing": "",
    "no text": b"\xff\xfe\x00",
    "zeros": b"\0" * 100,
    "deep": DEEP,
    "deep inside": '{"deal": ' + DEEP,
    "deep rules": "max_marks = " + DEEP,
    "dotted": "a." * 20_000 + "a = 1",
    "digits": DIGITS,
    "digits inside": '{"shaker": ' + DIGITS + "}",
    "digits of rules": "max_marks = " + DIGITS,
    "infinity": '{"seed": Infinity, "shaker": Infinity}',
    "too much": '{"seed": 1e400, "shaker": 1e400}',
    "infinite rules": "max_marks = inf",
    "true": '{"shaker": true, "deals": true}',
    "null": "null",
    "half a sign": '{"deal": "\\ud800"}',
    "a list": "[1.5, true, null]",
    "long": "6-4 " * 500_000,
}


@pytest.mark.parametrize("data", ANYTHING.values(), ids=ANYTHING)
@pytest.mark.parametrize("words", READERS.values(), ids=READERS)
def test_a_hostile_file_is_refused_in_a_line(tmp_path, monkeypatch, words, data):
    monkeypatch.chdir(tmp_path)
    data = data if isinstance(data, bytes) else data.encode()
    (tmp_path / "FILE").write_bytes(data)
    if (words[-1], data) == ("FILE", b"") and words[0] == "survey" and "--rules" in words:
        pytest.skip("an empty file says that the rules are the tournament's")
    result = CliRunner().invoke(main, words, input=data)
    assert (result.exit_code, result.stdout) == (2, ""), result.output
    said, *place = result.stderr.splitlines()
    assert said.startswith("sim42")
    if place:  # of a condition
        assert ("@FILE" in words, len(place), place[-1].strip()) == (True, 2, "^")
    assert len(result.stderr) < 1100
    assert [file.name for file in tmp_path.iterdir()] == ["FILE"]
