"""The options of the game as one frozen value, `Rules`, and what a bid asks and stakes.

Rules have names (`Rules.tournament`, `Rules.family`, `Rules.points250`) and a small TOML file; an
option that a file leaves out is that of the tournament::

    all_pass = "dealer_30"
    max_marks = 2
"""

import tomllib
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple, get_args, get_type_hints

from sim42.errors import RequestError, RulesError, at, shown, whole

Doubles = Literal["high", "low", "own_suit"]
FirstBidder = Literal["left_of_shaker", "holder_of_1_0"]
AllPass = Literal["redeal", "dealer_30"]
Scoring = Literal["marks", "points"]

PASS: Final = 0
POINT_BIDS: Final = tuple(range(30, 42))
MARK: Final = 42
"""The bid of one mark, and what each further mark adds to a bid."""
MARK_BIDS: Final = tuple(range(MARK, 6 * MARK, MARK))
"""One mark to five; no auction gets further (A3)."""
LADDER: Final = POINT_BIDS + MARK_BIDS
"""Every bid, lowest first (A2)."""
MATCH_POINTS: Final = 250
"""Points that win a match scored in points (S3)."""


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
        Highest mark bid, 1 to 6. The default, 5, is no limit: the ladder ends there, as each seat
        speaks once (A3), and 6 allows the same auctions.
    all_pass : {"redeal", "dealer_30"}
        What follows when all pass: the next shaker deals, or the shaker must bid, 30 or more (A4).
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
            object.__setattr__(self, name, _checked_option(name, value))

    @classmethod
    def of(cls, rules: "AnyRules") -> "Rules":
        """The rules meant: the tournament's for None, a name or file as `load`, options by name.

        Everything that takes rules takes them so.

        Raises
        ------
        RulesError
            When it is none of these.

        >>> Rules.of("family") == Rules.of({"max_marks": 2, "all_pass": "dealer_30"})
        True
        """
        if rules is None:
            return cls()
        if isinstance(rules, Rules):
            return rules
        return cls.load(rules) if isinstance(rules, str | Path) else cls.from_dict(rules)

    @classmethod
    def tournament(cls) -> "Rules":
        """Straight 42: all pass and the next shaker deals; bids up to five marks; 7 marks win."""
        return cls()

    @classmethod
    def family(cls) -> "Rules":
        """The dealer must bid 30 when the others pass; bids are 30 to 42 and 84."""
        return cls(all_pass="dealer_30", max_marks=2)

    @classmethod
    def points250(cls) -> "Rules":
        """Straight 42 scored in points, to 250."""
        return cls(scoring="points")

    @classmethod
    def load(cls, name_or_path: str | Path) -> "Rules":
        """Rules by the name of a preset, or from a TOML file.

        Raises
        ------
        RulesError
            When there is neither, or the file holds no rules; says where and what would be right.

        >>> Rules.load("family") == Rules.family()
        True
        """
        name = str(name_or_path)
        if name in PRESETS:
            return PRESETS[name]
        with at(f"rules {name[:200]!r}"):
            try:
                data = Path(name_or_path).read_bytes()
            except FileNotFoundError:
                raise RulesError(
                    f"no such file, and no rules of that name; names are {', '.join(PRESETS)}"
                ) from None
            except (OSError, ValueError) as error:
                raise RulesError(f"not readable: {getattr(error, 'strerror', error)}") from None
            try:
                return cls.from_toml(data.decode("utf-8-sig"))
            except UnicodeDecodeError as error:
                raise RulesError(f"not UTF-8 text (byte {error.start})") from None

    @classmethod
    def from_toml(cls, text: str) -> "Rules":
        """Rules from TOML text; options left out are those of the tournament.

        Raises
        ------
        RulesError
            When it is not TOML, or an option or its value does not exist.

        >>> Rules.from_toml("max_marks = 2").max_marks
        2
        """
        if not isinstance(text, str):
            raise RulesError(f"{shown(text)}: not TOML text")
        try:
            options = tomllib.loads(text)
        except (ValueError, RecursionError) as error:
            raise RulesError(f"not TOML: {' '.join(str(error).split())[:100]}") from None
        return cls.from_dict(options)

    @classmethod
    def from_dict(cls, options: Mapping[str, Any]) -> "Rules":
        """Rules from options by name; those left out are those of the tournament.

        Raises
        ------
        RulesError
            When an option or its value does not exist.

        >>> Rules.from_dict(Rules.family().as_dict()) == Rules.family()
        True
        """
        known = list(cls.__dataclass_fields__)
        if not isinstance(options, Mapping):
            raise RulesError(
                f"rules {shown(options)}: not Rules, a name, a file or options by name"
            )
        for name in options:
            if name not in known:
                raise RulesError(
                    f"{str(name)[:40]!r}: no such option; options are {', '.join(known)}"
                )
        return cls(**options)

    def as_dict(self) -> dict[str, Any]:
        """All options by name, as they are stored with every result."""
        return asdict(self)

    def changes(self) -> dict[str, Any]:
        """The options that are not those of the tournament.

        >>> Rules.family().changes()
        {'max_marks': 2, 'all_pass': 'dealer_30'}
        """
        usual = Rules().as_dict()
        return {name: value for name, value in self.as_dict().items() if value != usual[name]}

    def to_toml(self) -> str:
        """All options as TOML text, which `from_toml` reads back.

        >>> Rules.from_toml(Rules.family().to_toml()) == Rules.family()
        True
        """
        return "".join(f"{name} = {_toml(value)}\n" for name, value in self.as_dict().items())


AnyRules = Rules | str | Path | Mapping[str, Any] | None
"""What `Rules.of` takes."""


def _toml(value: str | int) -> str:
    return f'"{value}"' if isinstance(value, str) else str(value).lower()


_LEAST_MOST: Final = {"max_marks": (1, 6), "match_marks": (1, 1000)}


def _checked_option(name: str, value: object) -> object:
    kind = get_type_hints(Rules)[name]
    if kind is int:
        least, most = _LEAST_MOST[name]
        try:
            return whole(value, name, least, most)
        except RequestError:
            fits, right = False, f"a whole number from {least} to {most}"
    elif kind is bool:
        fits, right = isinstance(value, bool), "true or false"
    else:
        fits = isinstance(value, str) and value in get_args(kind)
        right = f"one of {', '.join(get_args(kind))}"
    if not fits:
        raise RulesError(f"{name}: {shown(value)} is not {right}")
    return value


PRESETS: Final = {
    "tournament": Rules.tournament(),
    "family": Rules.family(),
    "points250": Rules.points250(),
}
"""Rules by name."""


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


class Contract(NamedTuple):
    """The bid that won the auction, and the seat that is bound by it (A5).

    >>> Contract(declarer=2, bid=84)
    Contract(declarer=2, bid=84)
    """

    declarer: int
    bid: int

    @property
    def side(self) -> int:
        """Side of the declarer: 0 for seats 0 and 2, 1 for seats 1 and 3 (T3)."""
        return self.declarer % 2

    @property
    def points(self) -> int:
        """Points that the declarer's side must take."""
        return bid_points(self.bid)

    @property
    def marks(self) -> int:
        """Marks at stake."""
        return bid_marks(self.bid)
