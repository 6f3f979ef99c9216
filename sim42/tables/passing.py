"""What passing is worth: the others then bid by a simple model, and the contract is solved.

The hand whose call is asked for is seat 0 and passes. The seats after it speak in turn, each by
what its own seven tiles tell of its chances (`sim42.tables.outlook`): it makes the call worth most
(`sim42.tables.call.choose`) among the lowest bid above those before it, 42 and 84, and passes where
that is worth less than nothing. Nobody bids over a bid of the own partner, and the shaker who must
bid does (A4). Who spoke before the hand has passed, for whatever reason. The highest bid is then
played in the deal as it lies, double dummy, and the score of seats 0 and 2, less that of the
others, is the worth of the pass; 0 where all pass.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import isnan, nan
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sim42.deals.given import Given
from sim42.errors import RequestError, shown, whole
from sim42.game.rules import MARK, PASS, AnyRules, Rules
from sim42.game.tiles import SEATS, Hand
from sim42.game.trumps import Trump
from sim42.runs.sample import FLOOR, asked, dealt
from sim42.solver.values import solve_many
from sim42.tables.call import MUST_BID, call_bids, choose, scores_of
from sim42.tables.outlook import outlook
from sim42.tables.spread import mean_interval

PASS_DEALS: Final = 1000
"""Deals that tell what passing is worth are the first so many of a sample, at most."""
WHO: Final = ("nobody", "left", "partner", "right")
"""Who declares after a pass: the seat's place, clockwise from the hand's; 0 for nobody."""
PLACES: Final = ("first", "second", "third", "last")
"""Places in the auction."""
OPENED: Final = ("value", "low", "high", "holds")
"""Figures of a bid that the others may bid over."""
PARTS: Final = 10**6
"""A chance is told apart by so many parts."""
MOST_VALUE: Final = 250
"""The most that passing can be said to be worth: a whole match to points."""
PassValue = float | Literal["model"]


class Contracts(NamedTuple):
    """What each deal (n,) is played for.

    Attributes
    ----------
    declarer : int array (n,)
        Seat; 0 where all passed.
    trump : int array (n,)
        Trump id.
    bid : int array (n,)
        The bid; `PASS` where all passed.
    """

    declarer: NDArray[np.int64]
    trump: NDArray[np.int64]
    bid: NDArray[np.int64]


class Measured(NamedTuple):
    """The deals that tell what passing is worth.

    Attributes
    ----------
    deals : int array (n, 4)
        Masks of the hands.
    contracts : Contracts
        What was played in each.
    scores : int array (n,)
        Score of seats 0 and 2 less that of the others.
    chances : float array (n, seats, 9, 13)
        What the tiles of the seats that speak after the hand promise them.
    """

    deals: NDArray[np.int64]
    contracts: Contracts
    scores: NDArray[np.int64]
    chances: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Passing:
    """Worth of passing for the side of a hand, in marks or points a deal.

    Attributes
    ----------
    value : float
        The mean; `sim42.tables.call.MUST_BID` where there is no passing.
    by : {"number", "rules", "model"}
        Who says so: the one who asks; the rules, where nobody speaks after the hand; the model.
    low, high : float
        Ends of its 95 % interval; nan where it was not measured.
    speaks : int
        Place of the hand in the auction, 1 to 4.
    measured : Measured or None
        What the model measured it on.
    """

    value: float
    by: Literal["number", "rules", "model"] = "number"
    low: float = nan
    high: float = nan
    speaks: int = 1
    measured: Measured | None = None

    @property
    def declares(self) -> dict[str, float]:
        """Share of the deals in which each of `WHO` declares, if it was measured."""
        if self.measured is None:
            return {}
        times = np.bincount(self.measured.contracts.declarer, minlength=len(SEATS))
        return dict(zip(WHO, (times / times.sum()).tolist(), strict=True))

    def opened(
        self, trump: Trump | str, bid: int, rules: Rules, threads: int | None = None
    ) -> dict[str, float] | None:
        """What a bid is worth where the others may bid over it, as they do after a pass.

        Returns
        -------
        dict or None
            ``value`` with ``low`` and ``high``, and ``holds``, the share of deals in which nobody
            bids over it; None where passing was not measured.
        """
        if self.measured is None:
            return None
        deals, chances = self.measured.deals, self.measured.chances
        contracts = contracts_after(chances, rules, int(Trump(trump)), bid)
        scores, most = scores_played(deals, contracts, rules, threads), _most(rules)
        figures = mean_interval(scores, -most, most)
        holds = float((contracts.declarer == 0).mean())
        return dict(zip(OPENED, (*figures, holds), strict=True))

    def as_dict(self) -> dict[str, Any]:
        """All that is kept with a result; a value of None says that there is no passing."""
        return {
            "value": None if self.value == MUST_BID else self.value,
            "by": self.by,
            "speaks": self.speaks,
            "low": None if isnan(self.low) else self.low,
            "high": None if isnan(self.high) else self.high,
            "deals": 0 if self.measured is None else len(self.measured.deals),
            "declares": self.declares,
        }


NO_PASS: Final = Passing(0.0)
"""Passing that is worth nothing."""


def pass_value(
    value: PassValue,
    hand: Hand | str,
    deals: int = PASS_DEALS,
    seed: int = 42,
    rules: AnyRules = None,
    given: Given | str | None = None,
    speaks: int = 1,
    threads: int | None = None,
) -> Passing:
    """Worth of passing with a hand: a number, or "model".

    The model's is kept, so that asking again takes no time.

    Parameters
    ----------
    value : float or "model"
        The worth in marks, or points where the game is to points, a deal; or what to take it from.
    hand, deals, seed, rules, given, threads
        As for `sim42.runs.sample.sample_hand`, and the deals are the same; not more than
        `PASS_DEALS` are looked at.
    speaks : int
        1 to 4: whether the hand speaks first or after one, two or three that passed. After three it
        is the shaker's, whose pass ends the hand, or who has to bid, whatever `value` says (A4).

    >>> pass_value(0, "6-6 6-5 6-4 6-3 6-2 6-1 6-0").value
    0.0
    >>> forced = pass_value("model", "6-6 6-5 6-4 6-3 6-2 6-1 6-0", rules="family", speaks=4)
    >>> forced.value == MUST_BID
    True
    >>> weak = pass_value("model", "6-5 5-4 4-3 3-2 2-1 1-0 6-0", deals=100)
    >>> weak.value > -1, round(sum(weak.declares.values()), 9)
    (True, 1.0)
    """
    speaks = whole(speaks, "place in the auction", 1, len(SEATS))
    rules = Rules.of(rules)
    if speaks == len(SEATS):
        return Passing(MUST_BID if rules.all_pass == "dealer_30" else 0.0, "rules", speaks=speaks)
    checked = checked_value(value)
    if checked != "model":
        return Passing(checked, speaks=speaks)
    question = asked(hand, deals, seed, None, rules, given)
    known = None if question.given is None else question.given.text
    few = min(question.deals, PASS_DEALS)
    return _by_model(question.hand, few, question.seed, rules, known, speaks, threads)


def read_passing(stored: dict[str, Any]) -> Passing:
    """What passing is worth, of a stored `Passing.as_dict`, whose measurements are not kept.

    Raises
    ------
    ValueError, KeyError
        When it is none.

    >>> read_passing(Passing(-0.25).as_dict()).value
    -0.25
    """
    value = stored["value"]
    shares = stored["declares"]
    numbers = [value, stored["low"], stored["high"], *shares.values()]
    if any(
        number is not None and not (type(number) is float and abs(number) <= MOST_VALUE)
        for number in numbers
    ):
        raise ValueError("what passing is worth is no number")
    if stored["by"] not in ("number", "rules", "model") or {*shares} not in (set(), {*WHO}):
        raise ValueError("it is not known what passing is worth by")
    speaks = whole(stored["speaks"], "place in the auction", 1, len(SEATS))
    whole(stored["deals"], "deals of passing", 0, PASS_DEALS)
    return Passing(MUST_BID if value is None else value, stored["by"], speaks=speaks)


def checked_value(value: object) -> PassValue:
    """What passing is said to be worth, if it can be.

    Raises
    ------
    RequestError
        When it is neither "model" nor a number of at most `MOST_VALUE` either way.
    """
    if value == "model":
        return "model"
    if isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST_VALUE:
        return float(value)
    raise RequestError(
        f'worth of passing {shown(value)}: "model", or a number from {-MOST_VALUE} to {MOST_VALUE}'
    )


@lru_cache(maxsize=32)
def _by_model(
    hand: Hand,
    deals: int,
    seed: int,
    rules: Rules,
    given: str | None,
    speaks: int,
    threads: int | None,
) -> Passing:
    masks = deals_of(hand, deals, seed, rules, given, threads)
    chances = chances_after(masks, speaks)
    contracts = contracts_after(chances, rules)
    scores = scores_played(masks, contracts, rules, threads)
    most = _most(rules)
    mean = mean_interval(scores, -most, most)
    measured = Measured(masks, contracts, scores, chances)
    return Passing(mean[0], "model", mean[1], mean[2], speaks, measured)


@lru_cache(maxsize=32)
def deals_of(
    hand: Hand, deals: int, seed: int, rules: Rules, given: str | None, threads: int | None
) -> NDArray[np.int64]:
    """The deals of a sample, (n, 4), not more than `PASS_DEALS`."""
    question = asked(hand, min(deals, PASS_DEALS), seed, None, rules, given)
    return np.concatenate([piece for _, piece, _ in dealt(question, threads, progress=False)])


def scores_of_call(
    deals: NDArray[np.int64],
    trump: Trump | str,
    bid: int,
    rules: Rules,
    threads: int | None = None,
) -> NDArray[np.int64]:
    """Score of a bid of seat 0 in each deal (n, 4), less that of the others, double dummy."""
    seats = np.zeros(len(deals), dtype=np.int64)
    contracts = Contracts(seats, seats + int(Trump(trump)), seats + bid)
    return scores_played(deals, contracts, rules, threads)


def paired(
    scores: NDArray[np.int64], less: NDArray[np.int64], rules: Rules
) -> tuple[float, float, float]:
    """Mean of the differences of two scores on the same deals, with its interval."""
    most = 2 * _most(rules)
    return mean_interval(scores - less, -most, most)


def _most(rules: Rules) -> int:
    """The most that a hand can score under the rules."""
    return int(abs(scores_of(call_bids(rules), rules)).max())


def chances_after(deals: NDArray[np.int64], speaks: int = 1) -> NDArray[np.float64]:
    """What the tiles of each seat that speaks after seat 0, in this place, promise it.

    Parameters
    ----------
    deals : int array (n, 4)
        Masks of the hands.
    speaks : int
        Place of seat 0 in the auction, 1 to 3.

    Returns
    -------
    float array (n, 4 - speaks, 9, 13)
        As `sim42.tables.outlook.outlook` tells them.
    """
    after = deals[:, 1 : len(SEATS) + 1 - speaks]
    chances = outlook(after.ravel())
    return chances.reshape(*after.shape, *chances.shape[1:])


def contracts_after(
    chances: NDArray[np.float64], rules: Rules, trump: int = 0, bid: int = PASS
) -> Contracts:
    """What each deal is played for when seat 0 has bid this, or passed.

    Parameters
    ----------
    chances : float array (n, seats, 9, 13)
        By which the seats after it bid in turn: chance of each bid with each trump.
    rules : Rules
        Rules of the auction.
    trump, bid : int
        The trump and bid of seat 0.

    >>> from sim42 import Deal
    >>> deal = Deal("6-5 5-4 4-3 3-2 2-1 1-0 6-0 / 6-6 5-5 4-4 3-3 2-2 1-1 0-0 /"
    ...             "6-4 5-3 4-2 3-1 2-0 6-1 5-0 / 6-3 6-2 5-2 5-1 4-1 4-0 3-0")
    >>> contracts = contracts_after(chances_after(np.array([deal.masks])), Rules())
    >>> contracts.declarer.tolist(), Trump(contracts.trump[0]), contracts.bid.tolist()
    ([1], <Trump.DOUBLES: 7>, [84])
    """
    declarer = np.zeros(len(chances), dtype=np.int64)
    called, high = declarer + int(trump), declarer + bid
    last = chances.shape[1]
    for seat in range(1, last + 1):
        made = np.rint(PARTS * chances[:, seat - 1]).astype(np.int64)
        parts = np.full(made.shape[:-1], PARTS)
        may = (high == PASS) | ((declarer - seat) % 2 != 0)
        before = high.copy()  # what this seat hears
        for top in np.unique(before[may]).tolist():
            bids = bids_above(top, rules)
            if not bids:
                continue
            must = top == PASS and seat == last and rules.all_pass == "dealer_30"
            here = may & (before == top)
            calls = choose(made[here], parts[here], bids, passing=MUST_BID if must else 0.0)
            bids_on = calls.bid != PASS
            declarer[here] = np.where(bids_on, seat, declarer[here])
            called[here] = np.where(bids_on, calls.trump, called[here])
            high[here] = np.where(bids_on, calls.bid, top)
    return Contracts(declarer, called, high)


def bids_above(high: int, rules: Rules) -> tuple[int, ...]:
    """The bids that a seat chooses from when the highest so far is this (A1 to A3).

    >>> [bids_above(high, Rules()) for high in (PASS, 30, 41, 42, 84)]
    [(30, 42, 84), (31, 42, 84), (42, 84), (84,), ()]
    """
    lowest = min(max(high + 1, FLOOR), MARK)
    return tuple(bid for bid in call_bids(rules, lowest) if bid > high)


def scores_played(
    deals: NDArray[np.int64], contracts: Contracts, rules: Rules, threads: int | None = None
) -> NDArray[np.int64]:
    """Score of seats 0 and 2 less that of the others in each deal (n, 4), double dummy (S2, S3).

    Where all passed it is 0; a declarer in seat 0 has a bid.
    """
    scores = np.zeros(len(deals), dtype=np.int64)
    floor = 0 if rules.scoring == "points" else FLOOR
    turned = (contracts.declarer[:, np.newaxis] + np.arange(4)) % 4
    around = np.take_along_axis(deals, turned, axis=1)  # the declarer first
    for trump in np.unique(contracts.trump).tolist():
        here = (contracts.trump == trump) & (contracts.bid != PASS)
        if not here.any():
            continue
        points = solve_many(around[here], [Trump(trump)], 0, floor, threads, rules)[:, 0]
        bids, place = np.unique(contracts.bid[here], return_inverse=True)
        won = scores_of(bids.tolist(), rules)[points, place]
        scores[here] = np.where(contracts.declarer[here] % 2 == 0, won, -won)
    return scores
