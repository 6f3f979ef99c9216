"""An `Arena`, the question of matches between players, and `play_block`, which plays its games.

The games of a block depend on the question and on its two ranges alone: which pairs of players, and
which deals.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from threading import Event
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from sim42.deals.random import random_deals
from sim42.deals.seeds import check_seed
from sim42.errors import RequestError, shown
from sim42.game.rules import PASS, Contract, Rules
from sim42.game.trumps import Trump
from sim42.play.names import find_player
from sim42.play.table import play_hand

MOST_DEALS: Final = 1_000_000
TRUMP_CHOICES: Final = ("best", "longest", "call")
"""Ways to choose the trump by the declarer's hand."""
GAME_SCHEMA: Final = pa.schema(
    [
        ("first", pa.string()),
        ("second", pa.string()),
        ("deal", pa.int32()),
        ("trump", pa.int8()),
        ("bid", pa.int16()),
        *((f"{who}_points", pa.int8()) for who in ("first", "second")),
        *((f"{who}_plays", pa.binary()) for who in ("first", "second")),
    ]
)
"""A row for each deal played by a pair of players, with either of them declaring: points of the
declarer's side when it was decided, and the tiles in the order played."""

Contracts = Callable[[NDArray[np.int64]], tuple[Sequence[Trump], Sequence[int]]]
"""From deals (n, 4) to the trump and the bid of the declarer, seat 0, in each; 0 for a pass."""


@dataclass(frozen=True, kw_only=True)
class Arena:
    """The question of an arena.

    Parameters
    ----------
    players : sequence of str
        Names of players, as for `sim42.play.names.find_player`: two or more, each once.
    deals : int
        Deals that each pair plays; all play the same ones.
    seed : int
        Of the deals, and of the players' chance.
    bid : int or None
        The contract; None where the trump is ``call``, which chooses the bid too.
    trump : str
        A trump, or one of `TRUMP_CHOICES`.
    rules : Rules
        Options of the game.

    Raises
    ------
    RequestError
        When there are not two players or more, or a number is out of range.

    >>> Arena(players=["pimc:20", "club", "random"], seed=1).pairs
    (('pimc:20', 'club'), ('pimc:20', 'random'), ('club', 'random'))
    """

    players: Sequence[str]
    deals: int = 1000
    seed: int
    bid: int | None = 30
    trump: str = "longest"
    rules: Rules = field(default_factory=Rules)

    def __post_init__(self) -> None:
        object.__setattr__(self, "players", tuple(self.players))
        if len(self.players) < 2 or len(set(self.players)) < len(self.players):
            raise RequestError("two players or more, each once, as pimc:20 club")
        for name in self.players:
            find_player(name)
        check_seed(self.seed)
        if type(self.deals) is not int or not 1 <= self.deals <= MOST_DEALS:
            raise RequestError(f"deals {shown(self.deals)}: from 1 to {MOST_DEALS:,}")
        if self.trump not in TRUMP_CHOICES:
            object.__setattr__(self, "trump", str(Trump(self.trump)))
        if (self.bid is None) != (self.trump == "call"):
            raise RequestError("a call chooses its bid, and any other trump has one given")
        if self.bid is not None and self.bid > 42 * self.rules.max_marks:
            most = 42 * self.rules.max_marks
            raise RequestError(f"bid {self.bid}: the rules end the ladder at {most}")

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        """Who meets whom; more players at the end only add pairs at the end."""
        return tuple(
            (first, second)
            for number, second in enumerate(self.players)
            for first in self.players[:number]
        )

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.pairs)

    def as_dict(self) -> dict[str, Any]:
        """The question as plain values."""
        return {
            "players": list(self.players),
            "deals": self.deals,
            "seed": self.seed,
            "bid": self.bid,
            "trump": self.trump,
            "rules": self.rules.as_dict(),
        }

    @classmethod
    def from_dict(cls, stored: dict[str, Any]) -> "Arena":
        """The question that `as_dict` stored.

        >>> arena = Arena(players=["club", "random"], seed=1)
        >>> Arena.from_dict(arena.as_dict()) == arena
        True
        """
        return cls(**{**stored, "rules": Rules.from_dict(stored["rules"])})


class GameBlock(NamedTuple):
    """Work for one call of `play_block`.

    Attributes
    ----------
    arena : Arena
        The question.
    pairs, deals : range
        Places of the pairs, and numbers of the deals that each plays.
    trumps, bids : sequence of int
        Contract of each deal.
    """

    arena: Arena
    pairs: range
    deals: range
    trumps: Sequence[Trump]
    bids: Sequence[int]


class Games(NamedTuple):
    """The games of a block: fewer deals when it was stopped before its end."""

    pairs: range
    deals: range
    table: pa.Table


def play_block(block: GameBlock, stop: Event | None = None) -> Games:
    """Play the deals of a block, each pair with either player declaring; none after `stop` is set.

    >>> arena = Arena(players=["club", "random"], deals=3, seed=1)
    >>> block = GameBlock(arena, range(1), range(3), [Trump.SIXES] * 3, [30, 0, 30])
    >>> play_block(block).table.column("deal").to_pylist()  # one is passed out
    [0, 2]
    """
    arena = block.arena
    seated = [
        [[find_player(name) for name in pair * 2] for pair in (names, names[::-1])]
        for names in arena.pairs[block.pairs.start : block.pairs.stop]
    ]
    dealt = random_deals(len(block.deals), arena.seed, start=block.deals.start)
    rows: list[list[Any]] = []
    finished = 0
    for number, deal, trump, bid in zip(
        block.deals, dealt.tolist(), block.trumps, block.bids, strict=True
    ):
        if stop is not None and stop.is_set():
            break
        finished += 1
        if bid == PASS:
            continue
        for pair, both in zip(block.pairs, seated, strict=True):
            played = [
                play_hand(
                    tuple(deal), trump, Contract(0, bid), seats, arena.seed, number, arena.rules
                )
                for seats in both
            ]
            points = [tricks.points[0] for tricks in played]
            plays = [bytes(tricks.plays) for tricks in played]
            rows.append([*arena.pairs[pair], number, int(trump), bid, *points, *plays])
    columns = zip(*rows, strict=True) if rows else [()] * len(GAME_SCHEMA)
    arrays = [pa.array(c, f.type) for c, f in zip(columns, GAME_SCHEMA, strict=True)]
    deals = block.deals[:finished]
    return Games(block.pairs, deals, pa.table(arrays, schema=GAME_SCHEMA))
