"""When a contract is decided, and what each side scores for it (S1 to S3)."""

from collections.abc import Iterable

from sim42.errors import NotationError
from sim42.game.records import Result
from sim42.game.rules import MARK, MATCH_POINTS, Contract, Rules
from sim42.game.tiles import MOST_POINTS

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


def check_result(
    told: Result,
    contracts: Iterable[Contract | None],
    points: Pair,
    rules: Rules,
    is_over: bool,
) -> None:
    """Refuse a result told of a hand in which the sides have taken these points.

    The contracts are the one played or, before the auction ends, all that it can end in.

    Raises
    ------
    NotationError
        When the hand is over and ended otherwise, or when the rest of it cannot end so.
    """
    if is_over:
        (contract,) = contracts
        if contract is None:
            raise NotationError("all passed, so there is none")
        if told != (right := result_of(contract, points, rules)):
            raise NotationError(f"{told}; the hand gives {right}")
    elif not any(contract and _can_end(told, contract, points, rules) for contract in contracts):
        raise NotationError(
            f"{told}; it cannot end so, with these bids"
            f" and {points[0]} to {points[1]} points taken so far"
        )


def _can_end(told: Result, contract: Contract, points: Pair, rules: Rules) -> bool:
    left = MOST_POINTS - sum(told.points)
    return (
        all(end >= now for end, now in zip(told.points, points, strict=True))
        and (left == 0 or (left > 0 and stops(contract, told.points, rules)))
        and told == result_of(contract, told.points, rules)
    )


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
