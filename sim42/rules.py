"""The options of the game as one frozen value, `Rules`, and what a bid asks and stakes."""

from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, get_args, get_type_hints

from sim42.errors import RulesError

Doubles = Literal["high", "low", "own_suit"]
FirstBidder = Literal["left_of_shaker", "holder_of_1_0"]
AllPass = Literal["redeal", "dealer_30"]
Scoring = Literal["marks", "points"]

POINT_BIDS: Final = tuple(range(30, 42))
MARK: Final = 42
"""The bid of one mark, and what each further mark adds to a bid."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """Every option of the game; the defaults are tournament "straight 42".

    Parameters
    ----------
    doubles : {"high", "low", "own_suit"}
        Place of the doubles in follow me (R4).
    first_bidder : {"left_of_shaker", "holder_of_1_0"}
        Who speaks first (A1).
    max_marks : int
        Highest mark bid, 1 to 6; no auction gets beyond five (A3).
    all_pass : {"redeal", "dealer_30"}
        What follows when all pass: the next shaker deals, or the shaker must bid 30 (A4).
    play_out : bool
        Play to the last trick although the contract is decided (S1).
    scoring : {"marks", "points"}
        Marks to `match_marks`, or points to 250 (S2, S3).
    match_marks : int
        Marks that win the match.

    Raises
    ------
    RulesError
        When a value is not one of those.

    >>> Rules(all_pass="dealer_30").all_pass
    'dealer_30'
    """

    doubles: Doubles = "high"
    first_bidder: FirstBidder = "left_of_shaker"
    max_marks: int = 5
    all_pass: AllPass = "redeal"
    play_out: bool = False
    scoring: Scoring = "marks"
    match_marks: int = 7

    def __post_init__(self) -> None:
        for name, value in asdict(self).items():
            _check_option(name, value)

    def as_dict(self) -> dict[str, Any]:
        """All options by name, as they are stored with every result."""
        return asdict(self)


_LEAST_MOST: Final = {"max_marks": (1, 6), "match_marks": (1, 1000)}


def _check_option(name: str, value: object) -> None:
    kind = get_type_hints(Rules)[name]
    if kind is int:
        least, most = _LEAST_MOST[name]
        fits = type(value) is int and least <= value <= most
        right = f"a whole number from {least} to {most}"
    elif kind is bool:
        fits, right = isinstance(value, bool), "true or false"
    else:
        fits, right = value in get_args(kind), f"one of {', '.join(get_args(kind))}"
    if not fits:
        raise RulesError(f"rules, {name}: {value!r} is not {right}")


def bid_points(bid: int) -> int:
    """Points that make a bid: the bid itself, or all 42 for marks (A5).

    >>> bid_points(31), bid_points(84)
    (31, 42)
    """
    return min(bid, MARK)


def bid_marks(bid: int) -> int:
    """Marks that a bid stakes: one for a point bid, n for n marks (A5).

    >>> bid_marks(30), bid_marks(42), bid_marks(84)
    (1, 1, 2)
    """
    return max(1, bid // MARK)
