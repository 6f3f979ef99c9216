"""``sim42 rules``: the rules that messages name."""

import re
from importlib.resources import files

import click

from sim42.cli._output import Target
from sim42.errors import RequestError

_RULE = re.compile(r"^- \*\*([A-Z]\d+)\*\* ((?:.+\n)(?:  .+\n)*)", re.MULTILINE)


@click.command("rules")
@click.argument("ids", metavar="[ID]...", nargs=-1)
def command(ids: tuple[str, ...]) -> None:
    """Print the rules of play, or those with these IDs, as R6, that messages name."""
    text = book()
    if not ids:
        Target(None, "table").write(text)
        return
    rules = rules_of(text)
    for name in ids:
        if name.upper() not in rules:
            raise RequestError(f"{name[:20]!r}: no such rule; {_near(name, rules)}")
    Target(None, "table").write("\n".join(f"{name.upper()}  {rules[name.upper()]}" for name in ids))


def book() -> str:
    """The rule book, as it is in the package."""
    return (files("sim42.game") / "RULES.md").read_text(encoding="utf-8")


def rules_of(text: str) -> dict[str, str]:
    """The text of each rule by its id."""
    return {match[1]: match[2].replace("\n  ", "\n    ") for match in _RULE.finditer(text)}


def _near(name: str, rules: dict[str, str]) -> str:
    """The ids that begin with the same letter, or all of them."""
    same = [known for known in rules if known[0] == name[:1].upper()]
    return f"there are {', '.join(same or rules)}"
