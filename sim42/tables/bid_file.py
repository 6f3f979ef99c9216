"""The result of a bid again, from the JSON that ``sim42 bid`` writes, if it is one and whole."""

import json
from dataclasses import replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sim42.deals.seeds import MAX_SEED
from sim42.errors import RequestError
from sim42.game.rules import Rules
from sim42.game.tiles import Hand
from sim42.game.trumps import Trump
from sim42.runs.sample import ALL_POINTS, MOST_DEALS, POINTS, folded
from sim42.tables.bid import by_name, rated, rows_of
from sim42.tables.counts import BIDS, made_of
from sim42.tables.in_play import in_play
from sim42.tables.passing import OPENED, read_passing
from sim42.tables.rates import PLACES, Rates, rates_of
from sim42.tables.recommend import DEAL_BY_DEAL, call_from
from sim42.tables.words import ADJUSTED, PLAIN

if TYPE_CHECKING:
    import pandas as pd


def read_bid(text: str | bytes) -> "pd.DataFrame":
    """The rows of `bid_rows` again, from the JSON that ``sim42 bid --format json`` writes.

    Raises
    ------
    RequestError
        When it is something else, or was damaged.

    >>> read_bid("{}")
    Traceback (most recent call last):
    ...
    sim42.errors.RequestError: not the JSON of sim42 bid: 'counts' is missing
    """
    try:
        stored = json.loads(text, parse_constant=_no_number)
        counts = _read_counts(stored["counts"], POINTS)
        told = stored.get("all_counts")
        full = None if told is None else _read_counts(told, ALL_POINTS)
        deals = _whole(stored["deals"], "deals", least=1)
        if not counts or any(sum(row) != deals for row in counts.values()):
            raise ValueError("its counts do not add up to its deals")
        rules = Rules.from_dict({**stored["rules"]})
        table = np.array(list(counts.values()), dtype=np.int64)
        every = table if full is None else np.array(list(full.values()), dtype=np.int64)
        if full is not None and (list(full) != list(counts) or (folded(every) != table).any()):
            raise ValueError("its counts of all points are not those from 30 up")
        rates = _read_rates(stored, list(counts), rates_of(made_of(table), deals))
        facts = {
            "hand": str(Hand(str(stored["hand"]))),
            "seed": _whole(stored["seed"], "seed", most=MAX_SEED),
            "deals": deals,
            "rules": rules.as_dict(),
            "given": _text_or_none(stored.get("given"), "given"),
            "version": str(stored["version"]),
            "asked": _read_asked(stored.get("asked")),
            "call": _checked_call(
                stored["call"], list(counts), rates, rules, None if full is None else every
            ),
            "in_play": _in_play(stored, list(counts), rates, rules),
            **rated(list(counts), rates),
            "counts": by_name(list(counts), table),
            "all_counts": None if full is None else by_name(list(full), every),
        }
    except KeyError as error:
        raise RequestError(f"not the JSON of sim42 bid: {error} is missing") from None
    except (TypeError, AttributeError, IndexError):
        raise RequestError("not the JSON of sim42 bid: its parts are of other kinds") from None
    except RecursionError:
        raise RequestError("not the JSON of sim42 bid: nested too deep") from None
    except ValueError as error:
        raise RequestError(f"not the JSON of sim42 bid: {error}") from None
    return rows_of(facts)


def _in_play(
    stored: dict[str, Any], trumps: list[Trump], rates: Rates, rules: Rules
) -> dict[str, Any]:
    """What the hand is worth in play, estimated anew, with what passing was worth then."""
    told = (stored.get("in_play") or {}).get("call") or {**stored["call"], "opened": None}
    found = in_play(trumps, rates.rate, rules, read_passing(told["passing"]))
    if found["call"] is not None:
        found["call"] |= {"passing": told["passing"], "opened": told["opened"]}
        for number in (told["opened"] or {}).values():
            _real(number, "opened")
    return found


def _read_asked(stored: object) -> dict[str, Any] | None:
    """How sure it was to be, as `sim42.tables.stopping.Asked.facts` tells it."""
    if stored is None:
        return None
    kinds = {"precision": float, "until_sure": float, "at_most": int, "reached": bool}
    if not isinstance(stored, dict) or any(
        type(value) is not kinds.get(name) for name, value in stored.items()
    ):
        raise ValueError("what was asked for is of another kind")
    return stored


def _read_rates(stored: dict[str, Any], trumps: list[Trump], counted: Rates) -> Rates:
    """The rates of the rows if they are adjusted ones, and may be; else those that were counted."""
    estimate = stored.get("estimate", PLAIN)  # there was no other once
    if estimate == PLAIN:
        return counted
    if estimate != ADJUSTED:
        raise ValueError(f"its estimate is {estimate!r:.40}")
    rows = stored["rows"]
    if [(row["trump"], row["bid"]) for row in rows] != [
        (str(trump), bid) for trump in trumps for bid in BIDS
    ]:
        raise ValueError("its rows are not those of its counts")
    rate, worth = (
        np.array([_real(row[name], name) for row in rows]).reshape(counted.made.shape)
        for name in ("rate", "worth")
    )
    rates = replace(counted, rate=rate, worth=worth)
    plain = rates.counted
    far = abs(rate - counted.rate)[plain] > 10.0**-PLACES  # rates of rows are written rounded
    rates = replace(rates, rate=np.where(plain, counted.rate, rate))
    if far.any() or not ((rate >= 0) & (rate <= 1) & (worth > 0)).all():
        raise ValueError("its rates cannot be those of its counts")
    if (np.diff(rate, axis=1) > 0).any():
        raise ValueError("its rates rise with the bid")
    return rates


def _real(value: object, what: str) -> float:
    if type(value) is not float or not isfinite(value):
        raise ValueError(f"{what}: {value!r:.40} is not a number")
    return value


def _read_counts(stored: dict[str, Any], told: tuple[int, ...]) -> dict[Trump, list[int]]:
    """Counts by the trump, at each of these points."""
    return {
        _trump_named(name): [_whole(row[str(points)], f"a count of {name}") for points in told]
        for name, row in stored.items()
    }


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not a number")


def _text_or_none(value: object, what: str) -> str | None:
    if value is not None and not (isinstance(value, str) and value.isprintable()):
        raise ValueError(f"{what} is no text of one line")
    return value


def _trump_named(name: str) -> Trump:
    trump = Trump(name)
    if name != str(trump):
        raise ValueError(f"{name!r} is written {trump}")
    return trump


def _whole(value: object, what: str, least: int = 0, most: int = MOST_DEALS) -> int:
    if type(value) is not int or not least <= value <= most:
        raise ValueError(f"{what}: {value!r:.40} is not a whole number from {least} to {most}")
    return value


def _checked_call(
    stored: dict[str, Any],
    trumps: list[Trump],
    rates: Rates,
    rules: Rules,
    full: NDArray[np.int64] | None,
) -> dict[str, Any]:
    """A stored call, if it is the right one of its counts but for what these do not tell."""
    right = call_from(trumps, *rates.whole(), rules, read_passing(stored["passing"]), full)
    call = {name: stored[name] for name in right}
    told = {**call, "cross_fitted": None, "passing": right["passing"], "opened": None}
    numbers = [("cross_fitted", call["cross_fitted"])]
    for name, parts in (("second", DEAL_BY_DEAL), ("ahead", DEAL_BY_DEAL[1:])):
        if call[name] is not None and right[name] is not None:
            numbers += [(part, call[name][part]) for part in parts]
            told[name] = {part: call[name][part] for part in right[name]}
    if call["opened"] is not None:
        numbers += [(name, call["opened"][name]) for name in OPENED]
    if told != right:
        raise ValueError("its call is not that of its counts")
    for name, number in numbers:
        if number is not None:
            _real(number, name)
    return call
