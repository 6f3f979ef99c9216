"""Counts of a question to chances: exact where all cases were counted, else with their interval."""

from collections.abc import Hashable, Sequence
from typing import Any, Final

import pandas as pd

from sim42 import __version__
from sim42.deals.conditions.parse import is_truth, parse
from sim42.deals.conditions.tree import SEAT_NAMES, Expression, at_seat, calls_of
from sim42.deals.conditions.values import Estimate
from sim42.deals.given import Given
from sim42.deals.odds import SAMPLED, ValueCounts, count_deals, count_hands
from sim42.errors import check_kind
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump
from sim42.tables.stats import wilson

COLUMNS: Final = ("seat", "value", "cases", "of", "chance", "or_more", "low", "high")
"""Columns of `odds`."""


def odds(
    question: str | Expression,
    hand: Hand | str | None = None,
    *,
    given: Given | str | None = None,
    trump: Trump | str | None = None,
    deals: int = SAMPLED,
    seed: int = 42,
    estimate: Estimate | None = None,
) -> pd.DataFrame:
    """The chance of each value of a question over the deals around a hand, without solving.

    Parameters
    ----------
    question : str or Expression
        A condition or a number, as ``"suit(partner, fives) >= 1"`` or ``"suit(partner, fives)"``.
    hand : Hand or str, optional
        The tiles of seat 0; any when None.
    given : Given or str, optional
        What is known of the hidden hands.
    trump : Trump or str, optional
        Meant by ``trumps`` and ``top`` where none is named.
    deals, seed : int
        How many random deals are asked, and which, where not all can be counted.
    estimate : callable, optional
        What answers ``bids``.

    Returns
    -------
    DataFrame
        A row a value: `seat` (each hidden seat in turn when the question is a number about one of
        them, else the text is empty), `value` (1 for true and 0 for false), `cases` of `of` deals,
        `chance` 0..1 and `or_more` (of this value or a greater one), `low` and `high` (95 % Wilson
        interval; the chance itself where all deals were counted). In ``.attrs``: question, hand,
        given, cases (``deals`` or ``hands``), exact, truth, seed (None where all were counted),
        version.

    Raises
    ------
    ConditionError
        When the question cannot be read.
    RequestError
        When no deal is as `given` says.

    >>> table = odds("trumps(partner, fives) >= 1", "5-5 5-4 5-3 5-2 6-6 6-4 1-0")
    >>> table[["value", "cases", "of"]].values.tolist(), round(float(table["chance"][1]), 4)
    ([[0, 109219968, 399072960], [1, 289852992, 399072960]], 0.7263)
    """
    tree = _tree(question, trump)
    mask = None if hand is None else Hand(hand).mask
    known = None if given is None else Given(given, trump)
    seats = {call.seat for call in calls_of(tree)} - {0}
    asked: list[tuple[str, Expression]] = [("", tree)]
    if len(seats) == 1 and not is_truth(tree):
        asked = [(SEAT_NAMES[seat], at_seat(tree, seat)) for seat in (1, 2, 3)]
    counted = [
        (name, count_deals(each, mask, known, seed=seed, sampled=deals, estimate=estimate))
        for name, each in asked
    ]
    facts: dict[Hashable, Any] = {
        "cases": "deals",
        "hand": None if hand is None else str(Hand(hand)),
        "given": None if known is None else known.text,
        "seed": None if all(counts.exact for _, counts in counted) else seed,
    }
    return _frame(tree, counted, facts)


def odds_of_hands(question: str | Expression, trump: Trump | str | None = None) -> pd.DataFrame:
    """How many of all 1,184,040 hands give each value of a question about ``me``, exactly.

    Parameters
    ----------
    question, trump
        As for `odds`.

    Returns
    -------
    DataFrame
        As for `odds`.

    Raises
    ------
    ConditionError
        When the question cannot be read.
    RequestError
        When it is about another seat.

    >>> odds_of_hands("doubles(me)")["cases"].tolist()
    [116280, 379848, 427329, 209475, 46550, 4410, 147, 1]
    """
    tree = _tree(question, trump)
    facts: dict[Hashable, Any] = {"cases": "hands", "hand": None, "given": None, "seed": None}
    return _frame(tree, [("", count_hands(tree))], facts)


def _tree(question: str | Expression, trump: Trump | str | None) -> Expression:
    if isinstance(question, Expression):
        return question
    check_kind(question, "question", str, "a text, as doubles(partner) >= 2")
    return parse(question, None if trump is None else Trump(trump))


def _frame(
    tree: Expression, counted: Sequence[tuple[str, ValueCounts]], facts: dict[Hashable, Any]
) -> pd.DataFrame:
    rows = []
    for seat, counts in counted:
        cases = counts.cases
        for place, (value, count) in enumerate(zip(counts.values, counts.counts, strict=True)):
            chance = count / cases
            low, high = (chance, chance) if counts.exact else map(float, wilson(count, cases))
            more = sum(counts.counts[place:]) / cases
            rows.append((seat, value, count, cases, chance, more, low, high))
    frame = pd.DataFrame(rows, columns=list(COLUMNS))
    frame.attrs = {
        "question": str(tree),
        "truth": is_truth(tree),
        "exact": all(counts.exact for _, counts in counted),
        **facts,
        "version": __version__,
    }
    return frame
