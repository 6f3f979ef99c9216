"""Two hands or two surveys side by side, and how sure the difference is."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42.errors import RequestError, check_kind
from sim42.game.trumps import Trump
from sim42.runs.frames import check_run
from sim42.runs.sample import HandSample
from sim42.runs.tally import tally_of
from sim42.tables.best import cross_fitted_rates
from sim42.tables.bid import bid_rows, check_rows, chosen_trump
from sim42.tables.counts import BIDS, bids_of
from sim42.tables.rates import difference, hand_rates
from sim42.tables.spread import USUAL_RATES, clustered, difference_interval, student_interval
from sim42.tables.stats import difference_of, newcombe
from sim42.tables.words import (
    CROSS_FITTED,
    caution,
    given_words,
    method_words,
    number_words,
    rules_words,
    seed_words,
)

Column = NDArray[np.float64] | pd.Series


def compare_hands(
    first: pd.DataFrame,
    second: pd.DataFrame,
    first_trump: Trump | str | None = None,
    second_trump: Trump | str | None = None,
) -> pd.DataFrame:
    """Chance of every bid with two hands, each with one trump, and the difference.

    The deals around two hands, or of two seeds, have nothing to do with each other, so the interval
    of the difference is Newcombe's for independent rates.

    Parameters
    ----------
    first, second : DataFrame
        As `sim42.tables.bid.bid_rows` gives them.
    first_trump, second_trump : Trump or str, optional
        The recommended ones when None.

    Returns
    -------
    DataFrame
        A row a bid: columns bid; first, first_low, first_high and the same of second; difference
        (first less second), low, high. ``.attrs`` title, subtitle, names, hands and note.

    Raises
    ------
    RequestError
        When a trump was not solved, or both are on the same deals: `compare_samples` pairs them.
    """
    check_rows(first, "first")
    check_rows(second, "second")
    if same_deals(first, second):
        raise RequestError("both are on the same deals; compare_samples compares deal by deal")
    sides = _sides(first, second, first_trump, second_trump)
    one, other = sides
    deals = (first.attrs["deals"], second.attrs["deals"])
    hits = [side["rate"] * side["worth"] for side in sides]
    low, high = newcombe(hits[0], one["worth"], hits[1], other["worth"])
    note = (
        f"{deals[0]:,} and {number_words(deals[1], 'random deal')}, seeds {first.attrs['seed']} "
        f"and {second.attrs['seed']}; 95 % intervals, {method_words(first.attrs['estimate'])} and "
        "for the difference Newcombe (the deals are independent)."
    )
    return _compared(sides, one["rate"] - other["rate"], low, high, note)


def compare_samples(
    first: HandSample,
    second: HandSample,
    first_trump: Trump | str | None = None,
    second_trump: Trump | str | None = None,
    *,
    plain: bool = False,
) -> pd.DataFrame:
    """As `compare_hands`; samples of one hand and seed are compared deal by deal.

    So two trumps, or two sets of rules, are compared on the deals that both have, and what these
    share cancels; they are only counted when `plain`.

    >>> from sim42.runs.sample import sample_hand
    >>> sample = sample_hand("6-6 6-5 6-4 6-3 6-2 6-1 5-5", deals=20, trumps=["fives", "sixes"])
    >>> frame = compare_samples(sample, sample, "sixes", "fives")
    >>> bool(frame["low"].lt(frame["difference"]).all())
    True
    """
    for what, sample in (("first", first), ("second", second)):
        check_kind(sample, what, HandSample, "what sample_hand returns")
    one, other = bid_rows(first, plain=plain), bid_rows(second, plain=plain)
    if not same_deals(one, other):
        return compare_hands(one, other, first_trump, second_trump)
    names = [chosen_trump(one, first_trump), chosen_trump(other, second_trump)]
    shared = min(first.deals, second.deals)
    first, second = (replace(sample, points=sample.points[:shared]) for sample in (first, second))
    one, other = bid_rows(first, plain=plain), bid_rows(second, plain=plain)
    sides = _sides(one, other, *names)
    trumps = tuple(map(Trump, names))
    points = [
        sample.points[:, sample.trumps.index(trump)]
        for sample, trump in zip((first, second), trumps, strict=True)
    ]
    both = tally_of(replace(first, trumps=trumps, points=np.column_stack(points)), plain=plain)
    rates, rows = hand_rates(both), []
    for place in range(len(BIDS)):
        weights = np.zeros((2, len(BIDS)))
        weights[:, place] = 1, -1
        mean, variance = difference(weights, rates, both.counted, both.adjusted)
        rows.append((mean, *difference_interval(mean, variance, shared, most=1)))
    apart, low, high = map(np.array, zip(*rows, strict=True))
    note = (
        f"The same {number_words(shared, 'random deal')}, {seed_words(first.seed)}, for both; 95 % "
        f"intervals, {method_words(one.attrs['estimate'])} and for the difference deal by deal."
    )
    return _compared(sides, apart, low, high, note)


def same_deals(first: pd.DataFrame, second: pd.DataFrame) -> bool:
    """Whether two of `sim42.tables.bid.bid_rows` count the same deals, or some of them."""
    return all(
        first.attrs.get(name) == second.attrs.get(name) for name in ("hand", "seed", "given")
    )


def _sides(
    first: pd.DataFrame,
    second: pd.DataFrame,
    first_trump: Trump | str | None,
    second_trump: Trump | str | None,
) -> list[pd.DataFrame]:
    """The rows of the trumps that are compared; ``.attrs`` say which."""
    sides = []
    for rows, trump in ((first, first_trump), (second, second_trump)):
        name = chosen_trump(rows, trump)
        side = rows[rows["trump"] == name].reset_index(drop=True)
        side.attrs = {**rows.attrs, "trump": name}
        sides.append(side)
    return sides


def _compared(
    sides: Sequence[pd.DataFrame],
    difference: Column,
    low: Column,
    high: Column,
    note: str,
) -> pd.DataFrame:
    """The frame of `compare_hands`."""
    frame = pd.DataFrame({"bid": BIDS})
    for name, side in zip(("first", "second"), sides, strict=True):
        frame[name], frame[f"{name}_low"], frame[f"{name}_high"] = (
            side[column] for column in ("rate", "low", "high")
        )
    frame = frame.assign(difference=difference, low=low, high=high)
    facts = [side.attrs for side in sides]
    frame.attrs = {
        "title": "Two hands: how often the declarer's side takes at least the bid",
        "subtitle": "Each with one trump, the declarer leading",
        "names": _told_apart(
            [f"{fact['trump']} trump with {fact['hand']}" for fact in facts], facts
        ),
        "hands": [fact["hand"] for fact in facts],
        "note": f"{note}{_shared(facts)}",
    }
    return frame


def _told_apart(names: list[str], facts: Sequence[dict[Any, Any]]) -> list[str]:
    """Names of two, with what was given and the rules where these differ, else with the seeds."""
    given = [given_words(fact).rstrip(".") or "nothing given" for fact in facts]
    rules = [rules_words(fact["rules"]).rstrip(".") or "tournament rules" for fact in facts]
    seeds = [seed_words(fact["seed"]) for fact in facts]
    for words in (given, rules, seeds):
        if words[0] != words[1] and (words is not seeds or names[0] == names[1]):
            names = [f"{name}; {word}" for name, word in zip(names, words, strict=True)]
    return names


def _shared(facts: Sequence[dict[Any, Any]]) -> str:
    """What was given and the rules of two, each if it is the same and not the usual."""
    given = [given_words(fact) for fact in facts]
    rules = [rules_words(fact["rules"]) for fact in facts]
    return "".join(f" {a}" for a, b in (given, rules) if a and a == b)


def compare_runs(first: pd.DataFrame, second: pd.DataFrame) -> pd.DataFrame:
    """Mean chance of every bid over the hands of two surveys, and the difference.

    Each hand plays its best trump, cross-fitted. Hands that are in both surveys are compared one by
    one (paired); when there are none, the means of all hands are.

    Parameters
    ----------
    first, second : DataFrame
        Counts as `sim42.runs.frames.load_run` gives them.

    Returns
    -------
    DataFrame
        As `compare_hands`.
    """
    check_run(first, "first")
    check_run(second, "second")
    bids = sorted({*bids_of(first)} & {*bids_of(second)})
    columns = [f"cross_{bid}" for bid in bids]
    one, other = (cross_fitted_rates(run, bids) for run in (first, second))
    shared = one.index.intersection(other.index)
    if paired := len(shared) > 0:
        one, other = one.loc[shared], other.loc[shared]
    rows = []
    for bid, column in zip(bids, columns, strict=True):
        a, b = (
            tuple(map(float, clustered(side[column] * side["deals"], side["deals"])))
            for side in (one, other)
        )
        difference: Sequence[float] = (a[0] - b[0], *map(float, difference_of(a, b)))
        if paired:
            difference = student_interval(one[column] - other[column], USUAL_RATES, -1, 1)
        rows.append((bid, *a, *b, *difference))
    sides = [f"{side}{end}" for side in ("first", "second") for end in ("", "_low", "_high")]
    frame = pd.DataFrame(rows, columns=["bid", *sides, "difference", "low", "high"])
    facts = [first.attrs, second.attrs]
    if paired:
        hands, pairing = f"{number_words(len(shared), 'hand')} in both", "hand by hand"
    else:
        hands = f"{len(one):,} and {number_words(len(other), 'hand')}"
        pairing = "of two independent means"
    names = [
        f"{place} survey, {seed_words(fact['seed'])}, {number_words(fact['deals'], 'deal')} a hand"
        for place, fact in zip(("first", "second"), facts, strict=True)
    ]
    cautions = list(dict.fromkeys(f" {caution(fact)}" for fact in facts if caution(fact)))
    frame.attrs = {
        "title": "Two surveys: how often the declarer's side takes at least the bid",
        "subtitle": "Mean of hands, each with its best trump, the declarer leading",
        "names": _told_apart(names, facts),
        "hands": [],
        "note": (
            f"{hands}; 95 % intervals from the spread between hands, the difference {pairing}. "
            f"{CROSS_FITTED}{''.join(cautions)}{_shared(facts)}"
        ),
    }
    return frame
