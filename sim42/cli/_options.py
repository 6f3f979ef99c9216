"""Options and kinds of argument that commands share; each says in one line what would be right."""

import os
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from sim42.deals.seeds import MAX_SEED, fresh_seed
from sim42.errors import NotationError, RequestError, RulesError
from sim42.game.rules import PRESETS, Rules
from sim42.game.trumps import Trump, parse_trumps

Command = TypeVar("Command", bound=Callable[..., Any])


class Whole(click.ParamType[int]):
    """A whole number in plain digits within bounds."""

    name = "number"

    def __init__(self, least: int, most: int) -> None:
        self.least, self.most = least, most

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        text = str(value)
        if not re.fullmatch(r"[0-9]{1,30}", text) or not self.least <= int(text) <= self.most:
            most = f"{self.most:,}" if self.most < 10**9 else str(self.most)
            self.fail(
                f"{text[:30]!r} is not a whole number from {self.least} to {most}", param, ctx
            )
        return int(text)


class Real(click.ParamType[float]):
    """A number in plain digits, perhaps with a point, within bounds."""

    name = "number"

    def __init__(self, least: float, most: float) -> None:
        self.least, self.most = least, most

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        text = str(value)
        if not (
            re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9})?", text)
            and self.least <= float(text) <= self.most
        ):
            bounds = f"{self.least:g} to {self.most:g}"
            self.fail(f"{text[:30]!r} is not a number from {bounds}", param, ctx)
        return float(text)


class TrumpList(click.ParamType[tuple[Trump, ...]]):
    """Trumps in a list as ``fives,doubles``, or ``all``."""

    name = "list"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[Trump, ...]:
        if isinstance(value, tuple):
            return value
        try:
            return parse_trumps(value)
        except NotationError as error:
            self.fail(str(error), param, ctx)


class OneTrump(click.ParamType[Trump]):
    """One trump by name or alias."""

    name = "trump"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Trump:
        try:
            return Trump(value)
        except NotationError as error:
            self.fail(str(error), param, ctx)


class RulesChoice(click.ParamType[Rules]):
    """Rules by the name of a preset or from a TOML file."""

    name = "rules"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> Rules:
        if isinstance(value, Rules):
            return value
        try:
            return Rules.load(value)
        except RulesError as error:
            self.fail(str(error), param, ctx)


def refuse_idle(why: str, *names: str) -> None:
    """Refuse these options where they would do nothing; set in the environment, they only wait.

    Raises
    ------
    click.UsageError
        When one was typed; says `why`.
    """
    context = click.get_current_context()
    for option in context.command.params:
        if option.name in names:
            source = context.get_parameter_source(option.name)
            if source is click.core.ParameterSource.COMMANDLINE:
                raise click.UsageError(f"{option.opts[0]} {why}", context)


def rules_option(command: Command) -> Command:
    """``--rules``."""
    return click.option(
        "--rules",
        type=RulesChoice(),
        metavar="NAME|FILE",
        default="tournament",
        show_default=True,
        help=f"Rules: {', '.join(PRESETS)}, or a TOML file.",
    )(command)


def seed_option(command: Command) -> Command:
    """``--seed``; `settle_seed` draws one when none is given."""
    return click.option(
        "--seed",
        type=Whole(0, MAX_SEED),
        help="Seed of the random deals, 0 to 2**64-1; drawn, and printed, when not given.",
    )(command)


def threads_option(command: Command) -> Command:
    """``--threads``."""
    return click.option(
        "--threads", type=Whole(1, 1024), help="Threads to solve with; one a core when not given."
    )(command)


def scheduler_option(command: Command) -> Command:
    """``--scheduler``."""
    return click.option(
        "--scheduler",
        metavar="ADDRESS",
        help="Work on a dask cluster: tcp://HOST:PORT, or local:N for N processes here.",
    )(command)


def check_going_on(resume: bool, extend: bool, scheduler: str | None) -> None:
    """Refuse options of a run that do not go together.

    Raises
    ------
    click.UsageError
        Says which.
    """
    if resume and extend:
        raise click.UsageError("one of --resume and --extend, which goes on too")
    if scheduler is not None:
        refuse_idle("goes without --scheduler, whose workers say how many they have", "threads")


def trumps_option(command: Command) -> Command:
    """``--trumps``."""
    return click.option(
        "--trumps",
        type=TrumpList(),
        default="all",
        show_default=True,
        help="Trumps to try, as fives,doubles.",
    )(command)


SURE_OPTIONS: Final = ("deals", "precision", "until_sure", "plain")
"""Names of the options that say how sure a sample is to be."""


def sample_options(command: Command) -> Command:
    """How many ``--deals``, ``--trumps``, ``--rules``, ``--seed``, ``--threads``, ``--plain``."""
    for option in (plain_option, threads_option, seed_option, rules_option, trumps_option):
        command = option(command)
    command = click.option(
        "--until-sure",
        metavar="PERCENT",
        type=Real(50, 99.9),
        help="Until it is so sure that no bid with another trump is worth more; at most 20,000"
        " deals, or --deals.",
    )(command)
    command = click.option(
        "--precision",
        metavar="POINTS",
        type=Real(0.1, 20),
        help="Until the 95 % intervals of the two best trumps are so many percentage points to"
        " either side; 2 when nothing else is asked.",
    )(command)
    return click.option(
        "--deals",
        type=Whole(1, 10_000_000),
        help="Random deals around HAND to solve for each trump; with --precision or --until-sure,"
        " at most so many.",
    )(command)


def plain_option(command: Command) -> Command:
    """``--plain``."""
    return click.option(
        "--plain",
        is_flag=True,
        help="Only count deals: do not adjust for what the partner and the others were dealt.",
    )(command)


def settle_seed(seed: int | None) -> int:
    """The seed given, or one drawn now and said on stderr so that the run can be repeated."""
    if seed is not None:
        return seed
    seed = fresh_seed()
    tell_seed(seed)
    return seed


def tell_seed(seed: int) -> None:
    """Say on stderr that this seed was drawn."""
    click.echo(f"seed {seed}, drawn; --seed {seed} repeats this run", err=True)


def typed(text: str) -> str:
    """Text of an argument as it was typed: UTF-8, whatever encoding the locale made of it."""
    try:
        return os.fsencode(text).decode()
    except UnicodeError:
        return text


def read_argument(text: str) -> str:
    """The argument itself, or stdin for ``-``."""
    if text != "-":
        return text
    return "\n".join(line for _, line in read_lines())


def read_bytes(source: str) -> tuple[str, bytes]:
    """What a message calls a file, or stdin for ``-``, and what it holds.

    Raises
    ------
    RequestError
        When there is no such file, or it is a folder.
    """
    if source == "-":
        return "stdin", sys.stdin.buffer.read()
    try:
        return source, Path(source).read_bytes()
    except (FileNotFoundError, NotADirectoryError, ValueError):
        raise RequestError(f"{source}: there is no such file") from None
    except IsADirectoryError:
        raise RequestError(f"{source}: is a folder; name a file") from None


def read_lines(source: str = "-") -> list[tuple[int, str]]:
    """Numbered lines of a file, or of stdin for ``-``, without blank ones and ``#`` comments."""
    name, data = read_bytes(source)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RequestError(f"{name}: not UTF-8 text (byte {error.start})") from None
    lines = ((n, line.split("#")[0].strip()) for n, line in enumerate(text.splitlines(), start=1))
    return [(n, line) for n, line in lines if line]
