"""The manifest of a run: what was asked, what is finished, and who worked at it.

Only sim42 writes it, so it is known by a digest of itself, and anything else is refused in a line.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from sim42.errors import RunError, Sim42Error
from sim42.files import write_file
from sim42.game.tiles import Hand, format_tiles
from sim42.runs.matches import Arena
from sim42.runs.shards import Shard
from sim42.runs.study import Study

SCHEMA: Final = 1
FULL_SCHEMA: Final = 2
PLAYED_SCHEMA: Final = 3
ARENA_SCHEMA: Final = 4
"""Versions of the manifest and the shards: counts from 30 points up, of all, with games; games."""
MANIFEST: Final = "manifest.json"
_WRONG: Final = (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError)
"""What comes of JSON that holds something else than it should."""
_KINDS: Final = "its parts are of other kinds"


class Manifest(NamedTuple):
    """What the manifest of a run says.

    Attributes
    ----------
    question : Study or Arena
        What was asked.
    shards : tuple of Shard
        What is finished, in the order of hands, then deals.
    versions : tuple of str
        Every sim42 that worked at it, the one that began it first.
    """

    question: Study | Arena
    shards: tuple[Shard, ...]
    versions: tuple[str, ...]


def read_manifest(folder: Path) -> Manifest:
    """What the manifest in a run directory says.

    Raises
    ------
    RunError
        When there is none, it was edited or cut short, or is of another schema.
    """
    path = folder / MANIFEST
    try:
        stored = json.loads(path.read_bytes())
        digest = stored.pop("digest")
        edited = digest != _digest(stored)
    except (FileNotFoundError, NotADirectoryError):
        raise RunError(f"{folder}: not a run, there is no {MANIFEST}") from None
    except _WRONG:
        raise RunError(f"{path}: cut short or not a manifest") from None
    if edited:
        raise RunError(f"{path}: was edited; only sim42 writes it")
    schema = stored.get("schema")
    if type(schema) is not int or not SCHEMA <= schema <= ARENA_SCHEMA:
        known = f"{SCHEMA} to {ARENA_SCHEMA}"
        raise RunError(f"{path}: schema {short(schema)}, and this sim42 reads {known}")
    try:
        shards = tuple(map(_shard, _list(stored["blocks"])))
        versions = stored["sim42"]  # one text until runs remembered more
        versions = (versions,) if isinstance(versions, str) else tuple(map(str, _list(versions)))
        question = stored["study"]
        listed = listed_file(question)
    except _WRONG:
        raise RunError(f"{path}: {_KINDS}") from None
    study = _question(folder, question, listed)
    if schema != schema_of(study):
        raise RunError(f"{path}: schema {schema} is not that of its question")
    if any(shard.hands.stop > len(study) or shard.deals.stop > study.deals for shard in shards):
        raise RunError(f"{path}: lists what was not asked for")
    return Manifest(study, shards, versions)


def schema_of(study: Study | Arena) -> int:
    """The version that a run of this question is written in: the oldest that can hold it."""
    if isinstance(study, Arena):
        return ARENA_SCHEMA
    if study.played is not None:
        return PLAYED_SCHEMA
    return SCHEMA if study.floor else FULL_SCHEMA


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """Write the manifest of a run; the order of its shards makes no difference."""
    shards = sorted(manifest.shards, key=lambda shard: (shard.hands.start, shard.deals.start))
    stored = {
        "schema": schema_of(manifest.question),
        "sim42": list(manifest.versions),
        "study": manifest.question.as_dict(),
        "blocks": [
            {
                shard.of: [shard.hands.start, shard.hands.stop],
                "deals": [shard.deals.start, shard.deals.stop],
                "sha256": shard.sha256,
            }
            for shard in shards
        ],
    }
    stored["digest"] = _digest(stored)
    text = (
        json.dumps(stored)
        .replace('{"hands": [', '\n{"hands": [')
        .replace('{"pairs": [', '\n{"pairs": [')
    )
    write_file(folder / MANIFEST, f"{text}\n".encode())


def write_listed(folder: Path, study: Study | Arena) -> None:
    """Write the file of a study's hands, if they are listed."""
    if isinstance(study, Study) and (name := listed_file(study.as_dict())):
        hands = map(format_tiles, study.masks(0, len(study)).tolist())
        write_file(folder / name, "\n".join([*hands, ""]).encode())


def listed_file(question: dict[str, Any]) -> str:
    """File of the listed hands of a question; no name when they are not listed."""
    digest = question.get("hands", {}).get("sha256")
    return f"listed-{digest[:16]}.txt" if digest else ""


def differences(old: Study | Arena, new: Study | Arena) -> Iterator[tuple[str, Any, Any]]:
    """Name, old and new value of what two studies ask otherwise.

    >>> list(differences(Study(hands=5, seed=1), Study(hands=5, seed=2)))
    [('seed', 1, 2)]
    """
    before, after = (flat(study.as_dict()) for study in (old, new))
    for name in {**before, **after}:  # what is given is there only where something is
        if before.get(name) != after.get(name):
            yield name, before.get(name), after.get(name)


def asks_more(old: Study | Arena, new: Study | Arena) -> Iterator[tuple[str, Any, Any]]:
    """The `differences` in which one study does not only ask more than the other.

    >>> list(asks_more(Study(hands=5, deals=9, seed=1), Study(hands=7, deals=8, seed=1)))
    [('deals', 9, 8)]
    """
    for name, value, other in differences(old, new):
        if name in ("hands", "players") and _begins(new, old):
            continue
        if not (name == "deals" and other > value):
            yield name, value, other


def flat(question: dict[str, Any]) -> dict[str, Any]:
    """A question with the options of its rules beside its other parts.

    >>> flat({"seed": 1, "rules": {"doubles": "low"}})
    {'seed': 1, 'rules doubles': 'low'}
    """
    rules = {f"rules {name}": value for name, value in question["rules"].items()}
    return {**{name: value for name, value in question.items() if name != "rules"}, **rules}


def short(value: Any) -> str:
    """A part of a question in few words."""
    if isinstance(value, dict):
        return " ".join(f"{key} {str(part)[:12]}" for key, part in value.items())
    if value is None:
        return "nothing"
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)[:120]


def _begins(longer: Study | Arena, shorter: Study | Arena) -> bool:
    """Whether the hands of one study, or its players, begin with those of the other."""
    if isinstance(longer, Arena) and isinstance(shorter, Arena):
        return longer.players[: len(shorter.players)] == shorter.players
    if isinstance(longer, Arena) or isinstance(shorter, Arena):
        return False
    same_kind = longer.as_dict()["hands"].keys() == shorter.as_dict()["hands"].keys()
    count = len(shorter)
    return (
        same_kind
        and len(longer) >= count
        and bool((longer.masks(0, count) == shorter.masks(0, count)).all())
    )


def _digest(stored: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(stored).encode()).hexdigest()


def _shard(entry: dict[str, Any]) -> Shard:
    """A shard as the manifest lists it."""
    of = "pairs" if "pairs" in entry else "hands"
    hands, deals = (_range(*entry[name]) for name in (of, "deals"))
    return Shard(hands, deals, str(entry["sha256"]), of)


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _range(start: int, stop: int) -> range:
    if not (type(start) is type(stop) is int and 0 <= start < stop):
        raise ValueError("not a range")
    return range(start, stop)


def _question(folder: Path, question: dict[str, Any], listed: str) -> Study | Arena:
    """The question of a manifest, with the hands of its file where they are listed."""
    hands: list[int] = []
    study: Study | Arena
    try:
        if listed:
            lines = (folder / listed).read_text(encoding="utf-8").splitlines()
            hands = [Hand(line).mask for line in lines]
        is_arena = "players" in question
        study = Arena.from_dict(question) if is_arena else Study.from_dict(question, hands)
    except OSError as error:
        reason = f"{listed}: {error.strerror}"
    except Sim42Error as error:
        reason = f"{error}"
    except _WRONG:
        reason = _KINDS
    else:
        # Of the rules, an older sim42 may not have stored all.
        differ = [name for name, value in study.as_dict().items() if value != question[name]]
        if set(differ) <= {"rules"}:
            return study
        reason = f"{listed} was edited" if listed and "hands" in differ else _KINDS
    raise RunError(f"{folder}: the study cannot be read: {reason}")
