"""Records of hands that commands read, played by the rules."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final, NamedTuple

import click

from sim42.cli._options import read_bytes
from sim42.errors import RequestError, at
from sim42.game.records import Record, Result, read_records
from sim42.game.rules import Rules
from sim42.game.state import Game
from sim42.game.tiles import Deal
from sim42.tables.words import number_words


class Played(NamedTuple):
    """A game, the result that its record tells, and where that stands."""

    game: Game
    told: Result | None
    where: str


END: Final = -1
"""Place after the last play of a record."""


class PlayNumber(click.ParamType[int]):
    """A place in a record: plays from its start, or `END` less the plays before its end."""

    name = "plays"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        if value == "end":
            return END
        match = re.fullmatch(r"(end-)?([0-9]{1,2})", value)
        if match is None:
            self.fail(
                f"{value[:20]!r} is no place in a record: 13 for after 13 plays, end, or end-4",
                param,
                ctx,
            )
        return END - int(match[2]) if match[1] else int(match[2])


def game_at(game: Game, number: int, where: str) -> Game:
    """The game as it stood at a place of `PlayNumber`.

    Raises
    ------
    RequestError
        When the record has no such place; says which.
    """
    count = len(game.plays)
    kept = number if number >= 0 else count + number - END
    if not 0 <= kept <= count:
        asked = str(number) if number >= 0 else f"end-{END - number}"
        raise RequestError(f"{where}: --at {asked}: the record has {number_words(count, 'play')}")
    if kept == count:
        return game
    record = replace(game.record(), plays=game.plays[:kept], claim=False, result=None)
    return Game.from_record(record)


def read_games(source: str, deal: Deal | None = None, rules: Rules | None = None) -> list[Played]:
    """The games of a file of records, - being stdin.

    Parameters
    ----------
    source : str
        A file, a record a line.
    deal : Deal, optional
        That of records that name none.
    rules : Rules, optional
        Those of records that name none.

    Raises
    ------
    Sim42Error
        When there is no record, or one breaks the rules; says which line and why.
    """
    name, data = read_bytes(source)
    with at(name):
        games = list(_games(data.splitlines(), deal, rules, name))
        if not games:
            raise RequestError('no records; one a line, as {"deal": ..., "shaker": 0}')
    return games


def with_plays(games: list[Played]) -> list[Played]:
    """The games of which a tile was played; says how many others there are."""
    chosen = [played for played in games if played.game.plays]
    if not chosen:
        raise RequestError("no tile was played in any of these records, so nothing to review")
    if left := len(games) - len(chosen):
        click.echo(
            f"passed over, for no tile was played: {left} of {number_words(len(games), 'hand')}",
            err=True,
        )
    return chosen


def _games(
    lines: Iterable[bytes], deal: Deal | None, rules: Rules | None, name: str
) -> Iterator[Played]:
    for number, record in read_records(lines):
        with at(f"line {number}"):
            game = Game.from_record(_with_deal(record, deal), rules)
        yield Played(game, record.result, f"{name}, line {number}")


def _with_deal(record: Record, deal: Deal | None) -> Record:
    if record.deal is not None and deal is not None and record.deal != deal:
        raise RequestError("deal: not that of --deal")
    return replace(record, deal=record.deal or deal)
