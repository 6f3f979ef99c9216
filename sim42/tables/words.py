"""Figures and facts in words, as tables, charts and reports say them."""

from collections.abc import Mapping
from typing import Any, Final

from sim42.game.rules import Rules

PLAIN: Final = "plain"
"""Rates that are shares of the deals solved."""
ADJUSTED: Final = "adjusted"
"""Rates that are adjusted for what the partner and the others were dealt."""
POINTS_SCORED: Final = "These rules score points; marks are those of a match to marks."
MARKS_ARE_POINTS: Final = (
    "These rules score points: marks here are points scored, less what the others score."
)
CROSS_FITTED: Final = "Trumps chosen on half the deals of a hand and rated on the other half."
NOT_RANDOM: Final = "These hands were not drawn at random: intervals do not speak for others."
_SELECTED: Final = {
    "random": ("random hand", ""),
    "every": ("hand", ""),
    "numbered": ("hand", " by number, not random"),
    "listed": ("listed hand", ""),
    "mixed": ("hand", ", not all random"),
}
"""What hands are called by how they were chosen (`sim42.runs.frames`), and what is added."""


SEEING: Final = "double-dummy"
"""The player who sees all four hands."""


def seats_words(playing: Mapping[str, Any]) -> str:
    """Who plays, and what they see.

    >>> seats_words({"player": "pimc:20", "others": "club"})
    'pimc:20 against club, who see only their own hand'
    >>> seats_words({"player": "pimc:20", "others": "double-dummy"})
    'pimc:20, who see only their own hand, against double-dummy'
    """
    player, others = str(playing["player"]), playing["others"]
    blind = ", who see only their own hand"
    if player == others:
        return player + blind * (player != SEEING)
    if others == SEEING:
        return f"{player}{blind}, against {others}"
    return f"{player} against {others}{blind}"


def percent(rate: float, places: int = 1) -> str:
    """A rate in per cent, rounded, that says 0 or 100 only when it is exactly that.

    >>> [percent(rate) for rate in (1.0, 0.99996, 0.5, 0.00004, 0.0)]
    ['100', '>99.9', '50.0', '<0.1', '0']
    >>> percent(0.996, places=0), percent(0.004, places=0)
    ('>99', '<1')
    """
    if rate in (0, 1):
        return f"{100 * rate:.0f}"
    text, step = f"{100 * rate:.{places}f}", 10**-places
    if float(text) == 0:
        return f"<{step:g}"
    return f">{100 - step:g}" if float(text) == 100 else text


def count_words(least: int, most: int, noun: str) -> str:
    """How many there are of something, or from how many to how many.

    >>> count_words(1, 1, "deal"), count_words(20, 20, "deal"), count_words(1, 2000, "deal")
    ('1 deal', '20 deals', '1 to 2,000 deals')
    """
    number = f"{most:,}" if least == most else f"{least:,} to {most:,}"
    return f"{number} {noun}{'' if most == 1 else 's'}"


def number_words(number: int, noun: str) -> str:
    """How many there are of something.

    >>> number_words(1, "deal"), number_words(2000, "deal")
    ('1 deal', '2,000 deals')
    """
    return count_words(number, number, noun)


def every_words(number: int, noun: str) -> str:
    """All there are of something, and how many that is.

    >>> every_words(1, "layout"), every_words(2000, "layout")
    ('the only layout', 'all 2,000 layouts')
    """
    return f"the only {noun}" if number == 1 else f"all {number_words(number, noun)}"


def seed_words(seed: int | list[int]) -> str:
    """A seed, or those of runs that were added, in words.

    >>> seed_words(42), seed_words([1, 2])
    ('seed 42', 'seeds 1, 2')
    """
    if isinstance(seed, list) and len(seed) > 1:
        return f"seeds {', '.join(map(str, seed))}"
    return f"seed {seed[0] if isinstance(seed, list) else seed}"


def rules_words(rules: Mapping[str, Any]) -> str:
    """What of the rules is not the tournament's, as a sentence; nothing when nothing is.

    >>> rules_words(Rules.family().as_dict()), rules_words(Rules().as_dict())
    ('Rules: max_marks = 2, all_pass = dealer_30.', '')
    """
    changes = Rules.from_dict(rules).changes().items()
    return f"Rules: {', '.join(f'{k} = {str(v).lower()}' for k, v in changes)}." if changes else ""


def method_words(estimate: str) -> str:
    """How the intervals of one hand's rates are made.

    >>> method_words("plain"), method_words("adjusted")
    ('Wilson', 'score, adjusted for what was dealt')
    """
    return "score, adjusted for what was dealt" if estimate == ADJUSTED else "Wilson"


def given_words(attrs: Mapping[Any, Any]) -> str:
    """What was known of the other hands, as a sentence; nothing when nothing was.

    >>> given_words({"given": "has(partner, 6-6)"}), given_words({"given": None})
    ('Given that has(partner, 6-6).', '')
    """
    return f"Given that {given}." if (given := attrs.get("given")) else ""


def hands_words(hands: int, attrs: Mapping[Any, Any]) -> str:
    """How many hands of a run there are, and how they were chosen.

    >>> hands_words(12, {"selection": "random"}), hands_words(150, {"selection": "numbered"})
    ('12 random hands', '150 hands by number, not random')
    """
    noun, more = _SELECTED[attrs["selection"]]
    return number_words(hands, noun) + more


def caution(attrs: Mapping[Any, Any]) -> str:
    """What is to be said of the intervals of a run whose hands are no random sample, if so.

    >>> caution({"selection": "random"})
    ''
    """
    return NOT_RANDOM if attrs.get("selection") in ("numbered", "listed", "mixed") else ""


def resting_on(attrs: Mapping[Any, Any]) -> str:
    """What else the figures of a run or a sample rest on, as sentences that follow others.

    >>> resting_on({"selection": "random", "rules": Rules.family().as_dict()})
    ' Rules: max_marks = 2, all_pass = dealer_30.'
    """
    sentences = (given_words(attrs), caution(attrs), rules_words(attrs["rules"]))
    return "".join(f" {words}" for words in sentences if words)
