"""Positions inside a deal, one or thousands, checked before they are solved.

A position is four hands of one to seven tiles, the tiles on the table, who led them, and what was
taken before. `Positions` holds many as arrays; `Positions.of` makes them of games.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sim42.errors import RequestError, shown
from sim42.game.rules import AnyRules, Rules
from sim42.game.state import Game
from sim42.game.tiles import (
    ALL_TILES,
    COUNTS,
    HAND_SIZE,
    MOST_POINTS,
    SEATS,
    TILES,
    Deal,
    Masks,
    count_of,
    format_tiles,
    mask_of,
    parse_hands,
)
from sim42.game.tricks import Tricks
from sim42.game.trumps import Trump
from sim42.solver.threads import is_whole

Ints = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Positions:
    """Positions as arrays, an entry each; a single number serves for all of them.

    Whether an entry can be so is asked when it is solved, so that one that is wrong does not lose
    the others. That the tiles on the table followed suit is not asked.

    Attributes
    ----------
    hands : int64 (n, 4)
        Mask of the tiles that each seat still holds.
    table : int64 (n, 3)
        Ids of the tiles on the table in the order played; -1 for each that is not played yet.
    leader : int64 (n,)
        Seat that led them, or is to lead.
    taken : int64 (n,)
        Points that the side took in the tricks before.
    side : int64 (n,)
        Side whose points are counted: 0 for seats 0 and 2, 1 for seats 1 and 3.

    Raises
    ------
    RequestError
        When the arrays are of other shapes or kinds.

    >>> one_tile_each = Positions([[1 << 27, 1 << 26, 1 << 25, 1 << 24]])  # 6-6 leads
    >>> len(one_tile_each), one_tile_each.table.tolist()
    (1, [[-1, -1, -1]])
    >>> from sim42 import solve_many
    >>> solve_many(one_tile_each, ["fives", "fours"]).tolist()
    [[0, 11]]
    """

    hands: Ints
    table: Ints
    leader: Ints
    taken: Ints
    side: Ints

    def __init__(
        self,
        hands: ArrayLike,
        table: ArrayLike | None = None,
        leader: ArrayLike = 0,
        taken: ArrayLike = 0,
        side: ArrayLike = 0,
    ) -> None:
        masks = whole_numbers("hands", hands)
        if masks.ndim != 2 or masks.shape[1] != 4:
            raise RequestError(f"hands: of shape (n, 4), a mask a seat, not {masks.shape}")
        count = len(masks)
        tiles = np.full((count, 3), -1, dtype=np.int64)
        if table is not None:
            given = whole_numbers("table", table)
            if given.ndim != 2 or len(given) != count or given.shape[1] > 3:
                raise RequestError(f"table: of shape ({count}, 3), not {given.shape}")
            tiles[:, : given.shape[1]] = given
        parts: dict[str, Ints] = {"hands": np.ascontiguousarray(masks), "table": tiles}
        for name, value in (("leader", leader), ("taken", taken), ("side", side)):
            numbers = whole_numbers(name, value)
            if numbers.shape not in ((), (count,)):
                raise RequestError(f"{name}: one number, or {count}, not shape {numbers.shape}")
            parts[name] = np.ascontiguousarray(np.broadcast_to(numbers, (count,)))
        for name, array in parts.items():
            object.__setattr__(self, name, array)

    @classmethod
    def of(cls, games: Iterable[Game | Tricks]) -> "Positions":
        """The positions of games in play; the side is that of who led first, the declarer's.

        Raises
        ------
        RequestError
            When a game is not at a tile to play; says which.
        """
        rows = []
        for number, game in enumerate(games):
            try:
                play = tricks_of(game)
            except RequestError as error:
                raise RequestError(f"position {number}: {error}") from None
            side = declarer_of(play) % 2
            table = [*play.table, -1, -1, -1][:3]
            rows.append((play.hands, table, play.leader, play.points[side], side))
        if not rows:
            return cls(np.empty((0, 4), dtype=np.int64))
        return cls(*(np.array(column) for column in zip(*rows, strict=True)))

    def __len__(self) -> int:
        return len(self.hands)

    def faults(self) -> dict[int, str]:
        """What is wrong, by number of the entry; empty when nothing is.

        >>> Positions([[1, 2, 4, 8], [1, 2, 4, 4]]).faults()
        {1: '1-1 is given twice'}
        """
        return {int(n): self._fault(int(n)) for n in np.flatnonzero(self._wrong())}

    def _wrong(self) -> NDArray[np.bool_]:
        """Which entries cannot be so."""
        hands, table, leader, side = self.hands, self.table, self.leader, self.side
        played = table >= 0
        bits = np.where(played, 1 << table.clip(0, TILES[-1]), 0)
        every = np.bitwise_or.reduce(np.concatenate([hands, bits], axis=1), axis=1)
        behind = (np.array(SEATS) - leader[:, None]) % 4
        sizes = np.bitwise_count(hands).astype(np.int64) + (behind < played.sum(axis=1)[:, None])
        size = sizes[:, 0]
        to_come = size + sum((every >> tile & 1) * COUNTS[tile] for tile in TILES if COUNTS[tile])
        wrong: NDArray[np.bool_] = ~(
            ((hands >= 0) & (hands <= ALL_TILES)).all(axis=1)
            & ((table >= -1) & (table < len(TILES))).all(axis=1)
            & (played[:, :-1] >= played[:, 1:]).all(axis=1)
            & (leader >= 0)
            & (leader < len(SEATS))
            & ((side == 0) | (side == 1))
            & (sizes == size[:, None]).all(axis=1)
            & (size >= 1)
            & (size <= HAND_SIZE)
            & (np.bitwise_count(every) == 4 * size)
            & (self.taken >= 0)
            & (self.taken + to_come <= MOST_POINTS)
        )
        return wrong

    def _fault(self, number: int) -> str:
        """What is wrong with an entry of which something is."""
        hands, table = self.hands[number].tolist(), self.table[number].tolist()
        leader, side = int(self.leader[number]), int(self.side[number])
        for seat, mask in enumerate(hands):
            if not 0 <= mask <= ALL_TILES:
                return f"seat {seat}: mask {mask}: a mask of tiles has 28 bits"
        for tile in table:
            if not -1 <= tile < len(TILES):
                return f"table: {tile}: a tile id is 0 to 27, or -1 for none yet"
        played = [tile for tile in table if tile >= 0]
        if table[: len(played)] != played:
            return f"table: {table}: tiles played come first, then -1"
        if leader not in SEATS:
            return f"leader {leader}: a seat is 0 to 3"
        if side not in (0, 1):
            return f"side {side}: 0 for seats 0 and 2, 1 for seats 1 and 3"
        seen = 0
        for mask in [*hands, *(1 << tile for tile in played)]:
            if both := seen & mask:
                return f"{format_tiles(both)} is given twice"
            seen |= mask
        had = [
            mask.bit_count() + ((seat - leader) % 4 < len(played))
            for seat, mask in enumerate(hands)
        ]
        if len(set(had)) > 1 or had[0] > HAND_SIZE:
            return (
                "seats 0 to 3 hold {}, {}, {} and {} tiles with those on the table;"
                " each had one to seven, and all the same"
            ).format(*had)
        if had[0] == 0:
            return "the hand is over: no tile is left to play"
        taken, to_come = int(self.taken[number]), had[0] + count_of(seen)
        return f"taken {taken}: with {to_come} to come, from 0 to {MOST_POINTS - to_come}"


def tricks_of(game: Game | Tricks) -> Tricks:
    """The play of a game that is at a tile to play.

    Raises
    ------
    RequestError
        When it is not: over, or no trump is called yet.
    """
    if isinstance(game, Game):
        if game.phase in ("bid", "call"):
            raise RequestError("no trump is called yet; give the deal and a trump")
        if game.phase == "over" or game.tricks is None:
            how = f": {game.result}" if game.result else ""
            raise RequestError(f"the hand is over{how}; no tile is left to play")
        return game.tricks
    if not isinstance(game, Tricks):
        raise RequestError(f"{game!r:.40}: neither a Game nor Tricks")
    if game.is_over:
        raise RequestError("the hand is over: no tile is left to play")
    return game


def declarer_of(play: Tricks) -> int:
    """Seat that led first."""
    return play.done[0].leader if play.done else play.leader


def total_of(play: Tricks) -> int:
    """Points of both sides at the end of the hand: 42, or less of an ending by itself."""
    rest = sum(play.hands) | mask_of(play.table)
    return sum(play.points) + rest.bit_count() // 4 + count_of(rest)


def position_of(
    given: Deal | Game | Tricks | str | Sequence[Any],
    trump: Trump | str | None = None,
    leader: int | None = None,
    rules: AnyRules = None,
) -> tuple[Tricks, Rules]:
    """One position, checked, and the rules it is played by.

    Parameters
    ----------
    given : Deal, str, Game or Tricks
        Four hands, which need a trump, or a game as it stands, which brings its own.
    trump, leader, rules
        Of four hands: the trump called, the seat that leads (0), and house rules.

    Raises
    ------
    NotationError, TileError, RequestError
        When it is no position, or more or less is given than needed.
    """
    if isinstance(given, Game | Tricks):
        if trump is not None or leader is not None or rules is not None:
            raise RequestError("a game brings its own trump, leader and rules; give it alone")
        play = tricks_of(given)
        rules = given.rules if isinstance(given, Game) else Rules(doubles=play.doubles)
        if faults := Positions.of([play]).faults():
            raise RequestError(faults[0])
        return play, rules
    if trump is None:
        raise RequestError("no trump; four hands need one, as 'fives'")
    hands: Masks = parse_hands(given) if isinstance(given, str) else Deal(given).masks
    seat = 0 if leader is None else leader
    if not is_whole(seat) or seat not in SEATS:
        raise RequestError(f"leader {shown(leader)}: a seat is a whole number from 0 to 3")
    rules = Rules.of(rules)
    return Tricks(Trump(trump), rules.doubles, hands, int(seat)), rules


def whole_numbers(name: str, value: ArrayLike) -> Ints:
    """An array of whole numbers as int64."""
    array = np.asarray(value)
    if array.size == 0:
        return array.astype(np.int64)
    if array.dtype.kind not in "iu" or (array.dtype.kind == "u" and (array >= 2**63).any()):
        raise RequestError(f"{name}: whole numbers are needed, not {array.dtype}")
    return array.astype(np.int64)
