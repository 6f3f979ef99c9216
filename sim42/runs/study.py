"""A `Study`, the question of a survey: which hands, under which trumps, on how many deals."""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final, Literal, overload

import numpy as np
from numpy.typing import NDArray

from sim42.deals.given import Given
from sim42.deals.random import hands_at, random_hands
from sim42.deals.seeds import check_seed
from sim42.errors import RequestError, shown
from sim42.game.rules import AnyRules, Rules
from sim42.game.tiles import HANDS, Hand, format_tiles
from sim42.game.trumps import Trump, choose_trumps
from sim42.runs.playing import Playing
from sim42.runs.sample import FLOOR

MAX_DEALS: Final = 10**9
"""Deals a hand: what is counted must fit in 32 bits."""

LOOKED: Final = 1 << 15
"""Random hands that are looked through at a time for those around which a condition can happen."""

Plausible = Literal["plausible"]


class _RulesField:
    """A field that takes what `Rules.of` does and holds `Rules`, for type checkers too."""

    @overload
    def __get__(self, study: None, owner: type) -> None: ...

    @overload
    def __get__(self, study: object, owner: type) -> Rules: ...

    def __get__(self, study: object, owner: type) -> Rules | None:
        return None if study is None else vars(study)["_rules"]

    def __set__(self, study: object, rules: AnyRules) -> None:
        vars(study)["_rules"] = Rules.of(rules)


@dataclass(frozen=True, kw_only=True)
class Study:
    """The question of a survey.

    Parameters
    ----------
    hands : int, range, or sequence of Hand, str or int
        So many random hands, all different, which depend on the seed; or a range of the numbers 0
        to 1,184,039 of all hands; or these hands (texts, or masks).
    deals : int
        Deals around each hand; all its trumps see the same ones.
    seed : int
        0 to 2**64 - 1.
    trumps : sequence of Trump, or "plausible"
        Trumps to solve for; "plausible" are those of which a hand holds two tiles or more, and
        doubles and follow me with two doubles or more.
    floor : int
        Lowest bid that matters, 30 to 42; a higher one is faster and says nothing of lower bids.
        0 tells all points apart, which takes longer.
    rules : Rules, or what `Rules.of` takes
        Options of the game.
    given : Given or str, optional
        What is known of the other hands, a condition of a text. Random hands are then the first
        around which bounds and counts do not rule it out, so what it says of ``me`` chooses hands.
    playing : Playing or str, optional
        Who plays which bids on the same deals, or the name of a player of all seats; the trump is
        `sim42.runs.blocks.trump_to_play`.

    Raises
    ------
    RequestError
        When a number is out of range, there are no hands or trumps, or one comes twice; when the
        condition cannot happen around one of the hands, or around too many.

    >>> study = Study(hands=["6-6 6-5 6-4 6-3 6-2 6-1 6-0"], deals=10, seed=1, trumps=["sixes"])
    >>> study.trumps, len(study)
    ((<Trump.SIXES: 6>,), 1)
    """

    hands: int | range | Sequence[Hand | str | int]
    deals: int = 100
    seed: int
    trumps: Sequence[Trump | str] | Plausible = tuple(Trump)
    floor: int = FLOOR
    rules: _RulesField = _RulesField()
    given: Given | str | None = None
    playing: Playing | str | None = None

    def __post_init__(self) -> None:
        for name in ("deals", "floor", "seed"):
            object.__setattr__(self, name, _plain(getattr(self, name)))
        object.__setattr__(self, "hands", _checked_hands(self.hands))
        object.__setattr__(self, "trumps", _checked_trumps(self.trumps))
        check_seed(self.seed)
        if type(self.deals) is not int or not 1 <= self.deals <= MAX_DEALS:
            raise RequestError(f"deals {shown(self.deals)}: from 1 to {MAX_DEALS} a hand")
        if type(self.floor) is not int or not (self.floor == 0 or FLOOR <= self.floor <= 42):
            raise RequestError(f"floor {shown(self.floor)}: a bid from 30 to 42, or 0")
        if isinstance(self.playing, str):
            object.__setattr__(self, "playing", Playing(self.playing))
        if self.bids and self.floor > self.bids[0]:
            raise RequestError(f"bid {self.bids[0]} is played: floor {self.floor} is above it")
        if self.given is not None:
            object.__setattr__(self, "given", Given(self.given))
            self._check_given()

    @property
    def known(self) -> Given | None:
        """What is known of the other hands."""
        return None if self.given is None else Given(self.given)

    @property
    def played(self) -> Playing | None:
        """Who plays which bids."""
        assert not isinstance(self.playing, str)  # a name is looked up when the study is made
        return self.playing

    @property
    def bids(self) -> tuple[int, ...]:
        """The bids that are played."""
        return () if self.played is None else tuple(self.played.bids)

    def _check_given(self) -> None:
        """Raise `RequestError` unless the condition can happen, as far as can be told."""
        if self.known is None or self.known.tree is None:
            raise RequestError("a study keeps its condition as text; a function is no text")
        masks = self.masks(0, len(self))
        possible = isinstance(self.hands, int) or self.known.can_happen(masks)
        if not np.all(possible):
            first = int(masks[np.argmin(possible)])
            raise RequestError(f"around {format_tiles(first)} it cannot happen: {self.known}")

    def __len__(self) -> int:
        """Number of hands."""
        return self.hands if isinstance(self.hands, int) else len(self.hands)

    def masks(self, start: int, stop: int) -> NDArray[np.int64]:
        """Masks of hands `start` to `stop` of the study."""
        if isinstance(self.hands, int):
            if self.known is not None:
                return _possible_hands(self.known, self.seed, self.hands)[start:stop]
            return random_hands(stop - start, self.seed, start)
        if isinstance(self.hands, range):
            return hands_at(np.array(self.hands[start:stop], dtype=np.int64))
        return np.array(self.hands[start:stop], dtype=np.int64)

    def as_dict(self) -> dict[str, Any]:
        """The question as plain values; hands that were listed by their number and digest."""
        hands: dict[str, Any]
        if isinstance(self.hands, int):
            hands = {"random": self.hands}
        elif isinstance(self.hands, range):
            hands = {"from": self.hands.start, "to": self.hands.stop}
        else:
            masks = self.masks(0, len(self)).astype("<i8")
            hands = {"listed": len(self), "sha256": hashlib.sha256(masks.tobytes()).hexdigest()}
        plausible = self.trumps == "plausible"
        return {
            "hands": hands,
            "deals": self.deals,
            "seed": int(self.seed),
            "trumps": "plausible" if plausible else [str(trump) for trump in self.trumps],
            "floor": self.floor,
            "rules": self.rules.as_dict(),
            **({} if self.known is None else {"given": self.known.text}),
            **({} if self.played is None else {"playing": self.played.as_dict()}),
        }

    @classmethod
    def from_dict(cls, stored: dict[str, Any], listed: Sequence[int] = ()) -> "Study":
        """The study that `as_dict` stored; `listed` are its hands if they were listed.

        >>> study = Study(hands=range(5, 9), seed=1)
        >>> Study.from_dict(study.as_dict()) == study
        True
        """
        hands = stored["hands"]
        chosen = hands.get("random") or listed or range(hands["from"], hands["to"])
        given = {name: stored[name] for name in stored if name != "playing"}
        if "playing" in stored:
            given["playing"] = Playing(**stored["playing"])
        return cls(**{**given, "hands": chosen, "rules": Rules.from_dict(stored["rules"])})


@lru_cache(maxsize=4)
def _possible_hands(given: Given, seed: int, count: int) -> NDArray[np.int64]:
    """The first hands of a seed around which a condition is not ruled out."""
    found = [np.empty(0, dtype=np.int64)]
    start = looked = 0
    while (start := start + looked) < HANDS:
        looked = min(2 * looked or count, LOOKED, HANDS - start)
        hands = random_hands(looked, seed, start)
        found.append(hands[given.can_happen(hands)])
        if sum(map(len, found)) >= count:
            return np.concatenate(found)[:count]
    raise RequestError(f"hands {count}: it can happen around {sum(map(len, found)):,}: {given}")


def _plain(value: Any) -> Any:
    """The value, as Python's own where it is a whole number of numpy."""
    return int(value) if isinstance(value, np.integer) else value


def _checked_hands(
    hands: int | range | Sequence[Hand | str | int],
) -> int | range | tuple[int, ...]:
    hands = _plain(hands)
    if isinstance(hands, bool | str) or not isinstance(hands, int | Iterable):
        raise RequestError(f"hands {shown(hands)}: a number, a range, or a list of hands")
    if isinstance(hands, int | range):
        if isinstance(hands, range) and hands.step != 1:
            raise RequestError(f"hands {hands}: a range without gaps")
        if isinstance(hands, range) and not 0 <= hands.start < hands.stop <= HANDS:
            raise RequestError(
                f"hands {hands.start} to {hands.stop}: a part of 0 to {HANDS}, not empty"
            )
        if isinstance(hands, int) and not 1 <= hands <= HANDS:
            raise RequestError(f"hands {hands}: from 1 to {HANDS} different hands")
        return hands
    masks = tuple(Hand(hand).mask for hand in hands)
    if not masks:
        raise RequestError("no hands: give one at least")
    if len(set(masks)) < len(masks):
        places: dict[int, int] = {}
        for place, mask in enumerate(masks, start=1):
            if (first := places.setdefault(mask, place)) < place:
                raise RequestError(f"hand {place}, {Hand(mask)}: is hand {first} too")
    return masks


def _checked_trumps(trumps: Iterable[Trump | str] | Plausible) -> tuple[Trump, ...] | Plausible:
    if isinstance(trumps, str) and trumps == "plausible":
        return "plausible"
    return tuple(sorted(choose_trumps(trumps)))
