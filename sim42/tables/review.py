"""A played hand, play by play: what each gave away, and where the contract was lost.

Every position of the hand is solved, and every play that was legal there. Values are points that
the declarer's side has at the end of the hand when all play as well as can be from there on, with
all four hands in sight: what they say of a play is no verdict on a player who could not see.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42 import __version__
from sim42.errors import RequestError, check_frame, check_kind, shown
from sim42.game.records import Record, format_bid
from sim42.game.rules import Rules, bid_points
from sim42.game.state import Game
from sim42.game.suits import TRUMP_SUIT, suits
from sim42.game.tiles import COUNTS, NAMES, tiles_of
from sim42.game.tricks import Tricks
from sim42.solver.inside import play_values
from sim42.solver.positions import Positions
from sim42.solver.threads import Progress
from sim42.tables.spread import clustered_mean
from sim42.tables.stats import LEVEL
from sim42.tables.words import number_words

KINDS: Final = {
    "lead": "the first tile of a trick",
    "follow": "a tile of the suit led",
    "trump in": "a trump, by a player who has no tile of another suit led",
    "throw count": "a count tile that neither follows nor trumps",
    "throw off": "any other tile that neither follows nor trumps",
}
"""Kinds of play, and what each is."""
SIDES: Final = ("declarer", "defenders")
GROUPS: Final = ("seat", "side", "trick", "kind")
"""What points given away are added up by."""
NO_VERDICT: Final = (
    "Double dummy: with all four hands in sight. That is no verdict on a player who could not see."
)


def review(
    games: Iterable[Game],
    threads: int | None = None,
    progress: bool | Progress | None = None,
) -> pd.DataFrame:
    """Every play of played hands: what it gave away, and whether the contract hung on it.

    Parameters
    ----------
    games : iterable of Game
        Hands of which a tile at least was played; they may break off.
    threads, progress
        As for `sim42.solve_many`.

    Returns
    -------
    DataFrame
        A row a play: ``hand`` (from 1), ``play`` (1 to 28), ``trick``, ``place`` in it (1 to 4),
        ``seat``, ``side``, ``tile``, ``kind`` (one of `KINDS`), ``legal`` (how many tiles might
        have been played), ``best`` (those that keep the value), ``before`` and ``after`` (the
        value), ``given`` (points given away by the side that played), ``makes`` (whether the
        contract makes after it) and ``turn`` ("lost" when the declarer's side lost the contract
        with it, "let through" when the defenders did; else empty). ``.attrs`` hold the facts of
        each hand in ``hands``, and version.

    Raises
    ------
    RequestError
        When a hand has no plays, or there is none.

    >>> from sim42 import Deal
    >>> deal = Deal("6-6 6-5 6-4 6-3 6-2 5-5 4-4 / 5-4 5-3 5-2 5-1 5-0 4-3 4-2 /"
    ...             "6-1 6-0 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0")
    >>> game = Game(deal, shaker=3, bids=["42", "pass", "pass", "pass"], trump="sixes",
    ...             plays=["6-6", "5-0", "6-1", "0-0", "4-4"])
    >>> review([game])[["tile", "kind", "before", "after", "given", "turn"]].iloc[[0, -1]]
      tile  kind  before  after  given turn
    0  6-6  lead      42     42      0
    4  4-4  lead      42     42      0
    """
    check_kind(games, "games", Iterable, "a list of games")
    played = list(games)
    if not played:
        raise RequestError("no hands to review")
    for number, game in enumerate(played, start=1):
        check_kind(game, f"hand {number}", Game, "a Game")
        if not game.plays:
            raise RequestError(f"hand {number}: no tile was played")
    steps = [_steps(game) for game in played]
    values = _values(steps, threads, progress)
    rows = [
        _row(number, game, step, position, found)
        for number, (game, positions) in enumerate(zip(played, steps, strict=True), start=1)
        for step, (position, found) in enumerate(zip(positions, values[number - 1], strict=True))
    ]
    frame = pd.DataFrame(rows)
    for name, kinds in (("side", SIDES), ("kind", list(KINDS))):
        frame[name] = pd.Categorical(frame[name], categories=kinds)
    frame.attrs = {
        "hands": [_facts(game, frame[frame["hand"] == n]) for n, game in enumerate(played, 1)],
        "double_dummy": True,
        "version": __version__,
    }
    return frame


def check_plays(plays: object) -> None:
    """Raise `RequestError` unless these are the plays of `review`."""
    check_frame(plays, "plays", "review", ("hand", "seat", "given"), ("hands",))


def given_away(plays: pd.DataFrame, by: str) -> pd.DataFrame:
    """Points given away, added up by what was played or who played it.

    Parameters
    ----------
    plays : DataFrame
        As `review` gives it.
    by : {"seat", "side", "trick", "kind"}
        What to add up by.

    Returns
    -------
    DataFrame
        A row a group: ``plays``, ``choices`` (plays with more than one legal tile), ``costly``
        (those that gave something away), ``points`` given away, and the mean ``a_hand`` and
        ``a_choice``, each with the ends of its interval (``_low``, ``_high``), which come from the
        spread between hands; with less than two hands, or when nothing was given, they are not
        known.

    Raises
    ------
    RequestError
        When there is no such group.
    """
    check_plays(plays)
    if not isinstance(by, str) or by not in GROUPS:
        raise RequestError(f"by {shown(by)}: one of {', '.join(GROUPS)}")
    hands = len(plays.attrs["hands"])
    rows = []
    for name, group in plays.groupby(by, observed=False):
        if by == "trick" and group.empty:
            continue
        choices = group["legal"] > 1
        index = group["hand"].to_numpy() - 1
        points = np.bincount(index, group["given"], hands)
        chosen = np.bincount(index, choices, hands)
        row: dict[str, Any] = {
            by: name,
            "plays": len(group),
            "choices": int(choices.sum()),
            "costly": int((group["given"] > 0).sum()),
            "points": int(group["given"].sum()),
        }
        for what, unit in (("a_hand", np.ones(hands)), ("a_choice", chosen)):
            mean, low, high = clustered_mean(points, unit, LEVEL)
            row |= {what: mean, f"{what}_low": low, f"{what}_high": high}
        rows.append(row)
    return pd.DataFrame(rows)


def _steps(game: Game) -> list[Tricks]:
    """The positions before each play."""
    assert game.tricks is not None
    deal, declarer = game.deal.masks, (game.done[0] if game.done else game.tricks).leader
    play = Tricks(game.tricks.trump, game.tricks.doubles, deal, declarer)
    steps = []
    for tile in game.plays:
        steps.append(play)
        play = play.play(tile)
    return steps


def _values(
    steps: Sequence[list[Tricks]], threads: int | None, progress: bool | Progress | None
) -> list[NDArray[np.int8]]:
    """Values of every play of every position, int8 (plays, 28) a hand; hands of a trump at once."""
    found: list[NDArray[np.int8]] = [np.empty((0, 28), dtype=np.int8)] * len(steps)
    games = [(hand[0].trump, hand[0].doubles) for hand in steps]
    total, done = sum(map(len, steps)), 0
    for trump, doubles in sorted(set(games)):
        chosen = [n for n, game in enumerate(games) if game == (trump, doubles)]
        before = done

        def report(now: int, _: int, before: int = before) -> None:
            if callable(progress):
                progress(before + now, total)

        values = play_values(
            Positions.of(position for n in chosen for position in steps[n]),
            [trump],
            rules=Rules(doubles=doubles),
            threads=threads,
            progress=report if callable(progress) else progress,
        )[:, 0]
        ends = np.cumsum([len(steps[n]) for n in chosen])
        for n, part in zip(chosen, np.split(values, ends[:-1]), strict=True):
            found[n] = part
        done += len(values)
    return found


def _row(
    number: int, game: Game, step: int, position: Tricks, values: NDArray[np.int8]
) -> dict[str, Any]:
    assert game.contract is not None
    tile, need = game.plays[step], bid_points(game.contract.bid)
    legal = tiles_of(position.legal_mask)
    ours = position.turn % 2 == game.contract.side
    before = int((max if ours else min)(values[list(legal)]))
    after = int(values[tile])
    turn = ""
    if (before >= need) != (after >= need):
        turn = "lost" if ours else "let through"
    return {
        "hand": number,
        "play": step + 1,
        "trick": step // 4 + 1,
        "place": step % 4 + 1,
        "seat": position.turn,
        "side": SIDES[not ours],
        "tile": NAMES[tile],
        "kind": kind_of(position, tile),
        "legal": len(legal),
        "best": " ".join(NAMES[t] for t in reversed(legal) if values[t] == before),
        "before": before,
        "after": after,
        "given": abs(after - before),
        "makes": after >= need,
        "turn": turn,
    }


def kind_of(position: Tricks, tile: int) -> str:
    """The kind of a play, one of `KINDS`.

    >>> from sim42.game.tiles import parse_hands, parse_tile
    >>> from sim42.game.trumps import Trump
    >>> play = Tricks(Trump.FIVES, "high", parse_hands("6-6 0-0/5-1 4-1/6-4 1-1/3-3 2-2"), 0)
    >>> after = play.play(parse_tile("6-6"))
    >>> kind_of(play, 27), kind_of(after, parse_tile("5-1")), kind_of(after, parse_tile("4-1"))
    ('lead', 'trump in', 'throw count')
    """
    if not position.table:
        return "lead"
    table = suits(position.trump, position.doubles)
    led = table.leads[position.table[0]]
    if table.follows[led] >> tile & 1:
        return "follow"
    # What beats every tile of another suit is a trump; doubles as a suit of their own do not.
    if table.follows[TRUMP_SUIT] >> tile & 1 and table.beats[led][position.table[0]] >> tile & 1:
        return "trump in"
    return "throw count" if COUNTS[tile] else "throw off"


def _facts(game: Game, plays: pd.DataFrame) -> dict[str, Any]:
    """What is known of a hand as a whole."""
    assert game.contract is not None
    record: Record = game.record()
    given = plays.groupby("side", observed=False)["given"].sum()
    return {
        "deal": str(record.deal),
        "trump": str(record.trump),
        "declarer": game.contract.declarer,
        "bid": game.contract.bid,
        "need": bid_points(game.contract.bid),
        "rules": game.rules.as_dict(),
        "points": list(game.points),
        "made": game.result.made if game.result else None,
        "worth": int(plays["before"].iloc[0]),
        "stands": int(plays["after"].iloc[-1]),
        "given": {side: int(given[side]) for side in SIDES},
    }


def points_by_side(hand: dict[str, Any]) -> tuple[int, int]:
    """Points that the declarer's side took, and the defenders."""
    side = hand["declarer"] % 2
    return hand["points"][side], hand["points"][1 - side]


def contract_line(hand: dict[str, Any]) -> str:
    """Who played what, and how it ended."""
    line = f"Seat {hand['declarer']} plays {format_bid(hand['bid'])}, trump {hand['trump']}"
    ours, theirs = points_by_side(hand)
    points = f"{number_words(ours, 'point')}, {theirs} for the defenders."
    if hand["made"] is None:
        return f"{line}; the record breaks off at {points}"
    return f"{line}: {'made' if hand['made'] else 'set'} with {points}"


def worth_line(hand: dict[str, Any]) -> str:
    """What the deal was worth before the first lead."""
    verb = "makes" if hand["worth"] >= hand["need"] else "fails"
    return (
        f"Before the first lead it is worth {hand['worth']} to seats {_seats(hand, 0)}: it {verb}."
    )


def given_line(hand: dict[str, Any]) -> str:
    """What each side gave away in all."""
    ours, theirs = (hand["given"][side] for side in ("declarer", "defenders"))
    return (
        f"Given away: {ours} by seats {_seats(hand, 0)} (the declarer's), "
        f"{theirs} by seats {_seats(hand, 1)}."
    )


def turn_lines(plays: pd.DataFrame) -> Iterator[str]:
    """Where the contract was lost, or let through, and by whom."""
    for row in plays[plays["turn"] != ""].to_dict("records"):
        yield (
            "The contract was {turn} at play {play}: {tile} by seat {seat}, {before} to {after}; "
            "{best} kept {before}."
        ).format_map(row)


def _seats(hand: dict[str, Any], step: int) -> str:
    first = (hand["declarer"] + step) % 2
    return f"{first} and {first + 2}"
