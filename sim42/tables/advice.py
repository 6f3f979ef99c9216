"""A recommended call in a player's words."""

from collections.abc import Mapping
from typing import Any

from sim42.game.rules import MARK
from sim42.tables.words import number_words, percent


def best_of(call: Mapping[str, Any]) -> dict[str, Any]:
    """The best trump of a call and its best bid, whether it is bid or passed."""
    (offer,) = (offer for offer in call["offers"] if offer["trump"] == call["trump"])
    return {"trump": offer["trump"], "bid": offer["bid"]}


def is_same(call: Mapping[str, Any], other: Mapping[str, Any]) -> bool:
    """Whether two calls name the same trump and bid, or are both a pass."""
    return call["bid"] == other["bid"] and (call["bid"] is None or call["trump"] == other["trump"])


def call_words(call: Mapping[str, Any]) -> list[str]:
    """A call as `call_from` gives it in a player's words.

    >>> import numpy as np
    >>> from sim42 import Rules, Trump
    >>> from sim42.tables.recommend import call_from
    >>> passed = call_from([Trump.ONES], np.full((1, 13), 40), np.array([100]), Rules())
    >>> call_words(passed)
    ['pass', 'the best bid, 30 in ones, is worth 0.20 marks less']
    """
    unit, passing = call["unit"], call["passing"]
    offer = best_of(call)
    best = f"{offer['bid']} in {offer['trump']}"
    if call["bid"] is None:
        loss = -call["ahead"]["difference"]
        return ["pass", f"the best bid, {best}, is worth {loss:.2f} {unit} less"]
    words = [f"open {best}"]
    if passing["value"] is None:
        words = ["the shaker must bid", *words]
    if call["bid"] <= MARK and call["good_to"] is not None:
        words.append(f"good up to {call['good_to']}{_further(call)}")
    if call["bid"] <= MARK and str(2 * MARK) in call["offers"][0]["marks"]:
        words.append(f"{2 * MARK}: no")
    if call["ahead"] is not None:
        words.append(f"against passing: {call['ahead']['difference']:+.2f}")
    return words


def _further(call: Mapping[str, Any]) -> str:
    """With which other trump a hand may be raised further, if with any."""
    reach = {offer["trump"]: offer["good_to"] for offer in call["offers"]}
    name = call["further"]
    return "" if name is None else f" ({reach[name]} in {name})"


def passing_words(passing: Mapping[str, Any], unit: str) -> str:
    """What passing is worth, and who says so, in words.

    >>> from sim42.tables.passing import Passing
    >>> passing_words(Passing(-0.4).as_dict(), "marks")
    'passing is said to be worth -0.40 marks'
    """
    value, low, high = (passing[name] for name in ("value", "low", "high"))
    if value is None:
        return "the others have passed, and the shaker may not"
    if passing["by"] == "rules":
        return "the others have passed: to pass too is worth nothing"
    if passing["by"] == "number":
        return f"passing is said to be worth {value:+.2f} {unit}"
    who = ", ".join(
        f"{name} {percent(share, places=0)} %"
        for name, share in passing["declares"].items()
        if share
    )
    return (
        f"passing is worth {value:+.2f} {unit} ({low:+.2f} to {high:+.2f}) on "
        f"{number_words(passing['deals'], 'deal')}, as the others then bid by what their own tiles "
        f"promise; declarer: {who}"
    )


def opened_words(opened: Mapping[str, float], unit: str) -> str:
    """What comes of a bid that the others may bid over, in words.

    >>> opened_words({"value": 0.15, "low": 0.1, "high": 0.2, "holds": 0.04}, "marks")
    'So bid, the others leave it in 4 % of the deals; with what they bid over it, +0.15 marks'
    """
    return (
        f"So bid, the others leave it in {percent(opened['holds'], places=0)} % of the deals; with "
        f"what they bid over it, {opened['value']:+.2f} {unit}"
    )
