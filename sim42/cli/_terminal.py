"""Tables on a terminal: colour where it is wanted, and signs that the terminal can show."""

import os
import sys
from typing import Final

from sim42.cli._output import Target

_LOOKS: Final = ((0.75, "1;32"), (0.5, "32"), (0.25, ""), (0.0, "2"))
"""SGR codes by the least chance that has them: bold green, green, plain, faint."""


def write_table(target: Target, text: str) -> None:
    """Write a table to a file, or to stdout in the encoding that is used there."""
    if target.path is not None:
        target.write(text)
        return
    encoding = sys.stdout.encoding or "utf-8"
    target.write(_sayable(text, encoding).encode(encoding, "replace"))


def wants_colour(target: Target) -> bool:
    """Whether a table goes to a terminal that shows colours, and nobody asked for none."""
    return (
        target.path is None
        and sys.stdout.isatty()
        and not os.environ.get("NO_COLOR")
        and os.environ.get("TERM", "dumb") != "dumb"
    )


def by_chance(text: str, chance: float, colour: bool) -> str:
    r"""The text of a chance, brighter the higher it is.

    >>> by_chance(" 80.0", 0.8, colour=False), by_chance(" 80.0", 0.8, colour=True)
    (' 80.0', '\x1b[1;32m 80.0\x1b[0m')
    """
    look = next((look for least, look in _LOOKS if chance >= least), "")
    return f"\x1b[{look}m{text}\x1b[0m" if colour and look else text


def _sayable(text: str, encoding: str) -> str:
    """The text with ASCII for the signs that an encoding lacks, in columns as before.

    >>> _sayable("42     ±", "ascii"), _sayable("42     ±", "latin-1")
    ('42    +-', '42     ±')
    """
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.replace(" ±", "+-").replace("±", "+-")
    return text
