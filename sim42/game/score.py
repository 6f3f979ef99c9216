"""When a contract is decided, and what each side scores for it (S1 to S3)."""

from collections.abc import Collection
from functools import lru_cache
from itertools import product
from typing import Final

from sim42.errors import NotationError
from sim42.game.claims import can_claim
from sim42.game.records import Result
from sim42.game.rules import MARK, MATCH_POINTS, Contract, Rules
from sim42.game.tiles import COUNTS, MOST_POINTS, Masks, tiles_of
from sim42.game.tricks import Tricks, added

Pair = tuple[int, int]


def is_made(contract: Contract, points: Pair) -> bool:
    """The declarer's side has what it bid (S1)."""
    return points[contract.side] >= contract.points


def is_set(contract: Contract, points: Pair) -> bool:
    """The others have taken so much that the bid cannot be made any more (S1)."""
    return points[1 - contract.side] > MOST_POINTS - contract.points


def stops(contract: Contract, points: Pair, rules: Rules) -> bool:
    """Whether play stops before the last trick, the score being decided (S1).

    In the points game a bid below 42 scores what both sides take (S3): it is played to the end.

    >>> stops(Contract(0, 30), (30, 4), Rules()), stops(Contract(0, 30), (30, 4), Rules.points250())
    (True, False)
    """
    if rules.play_out or (rules.scoring == "points" and contract.bid < MARK):
        return False
    return is_made(contract, points) or is_set(contract, points)


def result_of(contract: Contract, points: Pair, rules: Rules) -> Result:
    """What a hand scores in which the sides took these points (S2, S3).

    >>> result_of(Contract(0, 30), (33, 9), Rules()).score
    (1, 0)
    >>> result_of(Contract(0, 35), (33, 9), Rules.points250()).score
    (0, 44)
    """
    made = is_made(contract, points)
    declarers, others = points[contract.side], points[1 - contract.side]
    if rules.scoring == "marks":
        declarers, others = (contract.marks, 0) if made else (0, contract.marks)
    elif contract.bid >= MARK:
        declarers, others = (contract.bid, 0) if made else (0, contract.bid)
    elif not made:
        declarers, others = 0, contract.bid + others
    score = (declarers, others) if contract.side == 0 else (others, declarers)
    return Result(made, points, score)


def check_result(told: Result, contract: Contract | None, points: Pair, rules: Rules) -> None:
    """Refuse a result told of a hand that is over, in which the sides took these points.

    Raises
    ------
    NotationError
        When the hand gives another one; says by which rule.
    """
    if contract is None:
        raise NotationError("A4: all passed, so there is none")
    if told != (right := result_of(contract, points, rules)):
        raise NotationError(f"{_rule(told, right, rules)}: {told}; the hand gives {right}")


def check_ending(
    told: Result,
    contracts: Collection[Contract],
    hands: Masks,
    tricks: Tricks | None,
    rules: Rules,
) -> None:
    """Refuse a result told of a hand that breaks off, if no play from there ends in it.

    While more than `EXACT` tricks are to begin, tricks are looked at only as what they take: a tile
    of each seat, won by either side. What suits and ranks allow is asked of the trick on the table
    and of the last ones.

    Parameters
    ----------
    told : Result
        How the hand is said to have ended.
    contracts : collection of Contract
        Those in which the auction can end, or has ended.
    hands : tuple of four int
        Masks of the tiles that each seat was dealt.
    tricks : Tricks or None
        The play so far; None before trump is called.

    Raises
    ------
    NotationError
        Says by which rule it cannot be.
    """
    fitting = {one for one in contracts if told == result_of(one, told.points, rules)}
    if not fitting:
        rights = {result_of(one, told.points, rules) for one in contracts}
        rule = min((_rule(told, right, rules) for right in rights), default="A4", key=_LAST.index)
        raise NotationError(f"{rule}: {told}; no contract of these bids gives that for the points")
    for contract in fitting:
        if tricks is None:
            found = endings_by_count(hands, contract.side, contract, rules)
        else:
            found = endings(tricks, contract, rules)
        if told.points in found:
            return
    first, second = tricks.points if tricks else (0, 0)
    raise NotationError(
        f"S1: {told}; no play stops at such points after {first} to {second}"
        " (a trick takes 1, 6, 11, 16, 21, 26 or 31)"
    )


_LAST: Final = ("S2", "S3", "S1", "T2", "A4")


def _rule(told: Result, right: Result, rules: Rules) -> str:
    """The rule by which the right result differs from the one told."""
    if told.points != right.points:
        return "T2"
    if told.made != right.made:
        return "S1"
    return "S2" if rules.scoring == "marks" else "S3"


EXACT: Final = 3
"""Tricks left that are played out in every legal way to see how a hand can end."""
_Counts = tuple[tuple[int, ...], ...]
"""Points of the count tiles of each seat."""


def endings(start: Tricks, contract: Contract, rules: Rules) -> set[Pair]:
    """Points at which play that stands so can stop, by what is played or by a claim.

    The trick on the table and the last `EXACT` tricks are played in every legal way; for those
    between, see `endings_by_count`.

    >>> from sim42 import Game
    >>> game = Game("6-6 6-5 6-4 6-3 6-2 5-5 4-4 / 5-4 5-3 5-2 5-1 5-0 4-3 4-2 /"
    ...             "6-1 6-0 4-1 4-0 3-3 3-2 3-1 / 3-0 2-2 2-1 2-0 1-1 1-0 0-0", 3,
    ...             bids=("42", "pass", "pass", "pass"), trump="threes", plays=["6-4"])
    >>> sorted(endings(game.tricks, game.contract, game.rules))[:3]
    [(0, 11), (0, 16), (11, 1)]
    """
    found, seen = set(), set()

    def walk(tricks: Tricks) -> None:
        if not tricks.table:
            # What was shown decides who may claim.
            key = (tricks.hands, tricks.leader, tricks.points, tricks.voids)
            if key in seen:
                return
            seen.add(key)
            if tricks.is_over or stops(contract, tricks.points, rules):
                found.add(tricks.points)
                return
            if tricks.hands[0].bit_count() > EXACT:
                side = tricks.leader % 2
                found.update(endings_by_count(tricks.hands, side, contract, rules, tricks.points))
                return
            if can_claim(tricks):
                found.add(tricks.claimed().points)
        for tile in tiles_of(tricks.legal_mask):
            walk(tricks.play(tile))

    walk(start)
    return found


def endings_by_count(
    hands: Masks, side: int, contract: Contract, rules: Rules, points: Pair = (0, 0)
) -> set[Pair]:
    """Points at which play can stop when each trick takes any tile of each hand for any side.

    Suits and ranks are not looked at, so in some deals not all of these can be reached.

    Parameters
    ----------
    hands : tuple of four int
        Masks of the tiles that each seat holds, equally many.
    side : int
        The side that leads to the next trick; it may claim.
    points : tuple of two int
        Points taken before.
    """
    counts = (tuple(sorted(COUNTS[t] for t in tiles_of(mask) if COUNTS[t])) for mask in hands)
    found, now = set(), {(tuple(counts), side, points)}
    for left in range(hands[0].bit_count(), -1, -1):
        after: set[tuple[_Counts, int, Pair]] = set()
        for held, leading, taken in now:
            if left == 0 or stops(contract, taken, rules):
                found.add(taken)
                continue
            found.add(added(taken, leading, MOST_POINTS - sum(taken)))
            after.update(
                (rest, winner, added(taken, winner, trick))
                for rest, trick in _tricks(held, left)
                for winner in (0, 1)
            )
        now = after
    return found


@lru_cache(maxsize=1000)
def _tricks(counts: _Counts, left: int) -> set[tuple[_Counts, int]]:
    """The count left to the seats after any trick, and what the trick takes.

    Each seat holds `left` tiles, of which those named have count.
    """
    choices = [{*held, *([0] if left > len(held) else [])} for held in counts]
    return {(tuple(map(_played, counts, tiles)), 1 + sum(tiles)) for tiles in product(*choices)}


def _played(held: tuple[int, ...], count: int) -> tuple[int, ...]:
    """The count left after a tile of so many points is played."""
    place = held.index(count) if count else len(held)
    return held[:place] + held[place + 1 :]


def match_winner(score: Pair, declarer_side: int, rules: Rules) -> int | None:
    """Side that has won the match after a hand; the declarer's where both are there (S2, S3).

    >>> match_winner((7, 3), 1, Rules()), match_winner((255, 250), 1, Rules.points250())
    (0, 1)
    """
    goal = rules.match_marks if rules.scoring == "marks" else MATCH_POINTS
    for side in (declarer_side, 1 - declarer_side):
        if score[side] >= goal:
            return side
    return None
