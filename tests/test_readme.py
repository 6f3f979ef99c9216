"""Every command and every Python example of the README does what the page says."""

import doctest
import importlib.util
import re
from pathlib import Path

import pytest

from sim42.cli import COMMANDS

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "README.md").read_text(encoding="utf-8")

spec = importlib.util.spec_from_file_location("readme", ROOT / "scripts" / "readme.py")
assert spec is not None
assert spec.loader is not None
readme = importlib.util.module_from_spec(spec)
spec.loader.exec_module(readme)

EXAMPLES = list(readme.examples(PAGE))


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("readme")


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.command[:60])
def test_a_command_prints_what_the_page_says(example, folder):
    printed = readme.run(example.command, folder)
    assert readme.matches(printed, example.expected), printed


def test_python_examples_do_what_the_page_says(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert blocks
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    runner = doctest.DocTestRunner(optionflags=flags)
    names: dict[str, object] = {}
    for number, block in enumerate(blocks):
        test = doctest.DocTestParser().get_doctest(block, names, f"block {number}", None, 0)
        assert test.examples, f"block {number} shows nothing that can be checked"
        runner.run(test, clear_globs=False)
        names = test.globs
    assert runner.summarize(verbose=False).failed == 0


def test_every_command_is_on_the_page():
    for name in COMMANDS:
        assert any(f"sim42 {name}" in example.command for example in EXAMPLES), name


def test_pictures_and_files_that_the_page_names_are_there():
    for target in re.findall(r"\]\(((?!https?:|#)[^)]+)\)", PAGE):
        assert (ROOT / target).exists(), target
