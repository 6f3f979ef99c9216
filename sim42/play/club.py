"""`ClubPlayer`: a short list of rules that players in a club go by.

To lead:

1. The declarer's side leads its highest trump while others may hold trumps and none of theirs beats
   it.
2. A tile that no unseen tile beats is led; of several, the one of most count, doubles first.
3. Else a tile without count is led, the lowest, and no trump.

To follow:

4. When the partner's tile cannot be beaten any more, throw it count: the most there is.
5. When a tile can win for sure, win: with the most count, then with the lowest tile.
6. As last to play, an opponent's trick is won when it can be, and so is as third what only a higher
   tile than the partner's may win.
7. Else lose as little as can be: no count, no trump, no tile that would win its own suit (a cover),
   and of what is left the lowest.
"""

from dataclasses import dataclass
from typing import Final

from sim42.game.suits import Suits, suits
from sim42.game.tiles import COUNTS, ENDS, tiles_of
from sim42.game.tricks import winning_place
from sim42.game.trumps import Trump
from sim42.game.views import View
from sim42.play.players import Draw

_WIN_SURELY: Final = 2
_WIN_MAYBE: Final = 1


@dataclass(frozen=True)
class ClubPlayer:
    """Plays by the rules of this page; nothing is left to chance."""

    def choose(self, view: View, draw: Draw) -> int:
        """The legal tile that the rules put first."""
        return best_of(view, view.legal_mask)


def best_of(view: View, mask: int) -> int:
    """Of some legal tiles the one that a club player plays.

    >>> from sim42 import Deal
    >>> from sim42.game.rules import Contract
    >>> from sim42.game.tiles import NAMES
    >>> from sim42.game.tricks import Tricks
    >>> from sim42.game.views import view_of
    >>> deal = Deal("6-6 6-5 6-4 6-3 6-2 5-5 4-4 / 5-4 5-3 5-2 5-1 5-0 4-3 4-2 /"
    ...             "6-1 6-0 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0")
    >>> view = view_of(Tricks(Trump.SIXES, "high", deal.masks, 0), Contract(0, 30))
    >>> NAMES[best_of(view, view.legal_mask)]
    '6-6'
    """
    table = suits(view.trump, view.doubles)
    rank = _lead_rank if view.led is None else _follow_rank
    return max(tiles_of(mask), key=lambda tile: rank(view, table, tile))


def _lead_rank(view: View, table: Suits, tile: int) -> tuple[int, ...]:
    """How gladly a tile is led (rules 1 to 3); the higher the better."""
    suit = table.leads[tile]
    others = view.unseen & _hidden(view)
    is_sure = not table.beats[suit][tile] & others
    trump = _is_trump(view, tile)
    high, low = ENDS[tile]
    if view.declares and trump and is_sure and others & _trumps(view):
        return (3, high + low)
    if is_sure:
        return (2, COUNTS[tile], high == low, high + low)
    return (1, -COUNTS[tile], not trump, -(high + low))


def _follow_rank(view: View, table: Suits, tile: int) -> tuple[int, ...]:
    """How gladly a tile is played to a trick (rules 4 to 7); the higher the better."""
    led = table.leads[view.table[0]]
    beats = table.beats[led]
    place = winning_place(view.table, view.trump, view.doubles)
    best = view.table[place]
    partner_holds = (len(view.table) - place) % 2 == 0
    later = _later(view)
    high, low = ENDS[tile]
    cost = (-COUNTS[tile], not _is_trump(view, tile), not _covers(view, table, tile), -(high + low))
    if partner_holds and not beats[best] & later:
        # Rule 4, but for a tile that takes the trick from the partner: that spends one for nothing.
        return (3, not beats[best] >> tile & 1, COUNTS[tile], *cost[1:])
    if beats[best] >> tile & 1:
        if not beats[tile] & later:
            return (_WIN_SURELY, COUNTS[tile], -(high + low))
        if len(view.table) == 2 and not (partner_holds and _is_trump(view, tile)):
            return (_WIN_MAYBE, *cost)
    return (0, *cost)


def _later(view: View) -> int:
    """Mask of what those who play after this seat may hold."""
    mask = 0
    for place in range(len(view.table) + 1, 4):
        mask |= view.may_hold[(view.leader + place) % 4]
    return mask & view.unseen


def _hidden(view: View) -> int:
    """Mask of the tiles that opponents may hold."""
    return view.may_hold[(view.seat + 1) % 4] | view.may_hold[(view.seat + 3) % 4]


def _covers(view: View, table: Suits, tile: int) -> bool:
    """Whether nobody could beat the tile if it were led: worth keeping."""
    return not table.beats[table.leads[tile]][tile] & view.unseen


def _is_trump(view: View, tile: int) -> bool:
    return bool(_trumps(view) >> tile & 1)


def _trumps(view: View) -> int:
    """Mask of the trumps; none in follow me."""
    if view.trump == Trump.FOLLOW_ME:
        return 0
    return suits(view.trump, view.doubles).follows[7]
