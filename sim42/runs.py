"""A run directory: the question, the counts so far, and what is missing.

::

    RUN/manifest.json                      the study and the list of finished shards, with a digest
    RUN/listed-DIGEST.txt                  the hands, where they were listed
    RUN/hands-A-B-deals-C-D.parquet        a shard: counts of hands A to B on deals C to D of each

Every file is written under a temporary name and renamed, a shard before the manifest that lists it,
so whatever ends the process, the directory is a whole run that lacks some blocks.
"""

import hashlib
import io
import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sim42 import __version__
from sim42.errors import RunError, Sim42Error
from sim42.simulate import POINTS
from sim42.study import Counts, Study
from sim42.tiles import Hand, format_tiles
from sim42.trumps import Trump

SCHEMA: Final = 1
"""Version of the manifest and the shards; another one is refused."""
MANIFEST: Final = "manifest.json"
COUNT_COLUMNS: Final = [f"{parity}_{points}" for parity in ("even", "odd") for points in POINTS]
TRUMP_NAMES: Final = [str(trump) for trump in Trump]
_NO_MASKS: Final = np.empty(0, dtype=np.int64)
_NO_COUNTS: Final = np.empty((0, len(COUNT_COLUMNS)), dtype=np.int32)


class Shard(NamedTuple):
    """An entry of the manifest: which hands and deals are counted in which file."""

    hands: range
    deals: range
    sha256: str

    @property
    def file(self) -> str:
        """Name of the file in the run directory."""
        hands, deals = self.hands, self.deals
        return f"hands-{hands.start}-{hands.stop}-deals-{deals.start}-{deals.stop}.parquet"


class Run:
    """A run directory that is open for reading, or within `locked` for work.

    Attributes
    ----------
    path : Path
        The directory.
    study : Study
        What was asked.
    shards : list of Shard
        What is finished.
    version : str
        The sim42 that began it.
    """

    def __init__(self, path: Path, study: Study, shards: list[Shard], version: str) -> None:
        self.path = path
        self.study = study
        self._question = study.as_dict()
        self.shards = shards
        self.version = version

    @classmethod
    def create(cls, path: str | os.PathLike[str], study: Study) -> Self:
        """Begin a run in a directory that does not exist or is empty.

        Raises
        ------
        RunError
            When there is something already.
        """
        run = cls(Path(path), study, [], __version__)
        if is_run(run.path):
            raise RunError(f"{run.path}: a run is there already; go on with it, or extend it")
        if run.path.exists() and any(run.path.glob("[!.]*")):
            raise RunError(f"{run.path}: is there and is not a run; name a new directory")
        run.path.mkdir(parents=True, exist_ok=True)
        run._ask(study)
        return run

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Read the manifest of a run.

        Raises
        ------
        RunError
            When there is none, it was edited or cut short, or is of another schema.
        """
        folder = Path(path)
        try:
            manifest = json.loads((folder / MANIFEST).read_bytes())
            digest = manifest.pop("digest")
        except FileNotFoundError:
            raise RunError(f"{folder}: not a run, there is no {MANIFEST}") from None
        except (ValueError, KeyError, AttributeError):
            raise RunError(f"{folder / MANIFEST}: cut short or not a manifest") from None
        if digest != _digest(manifest):
            raise RunError(f"{folder / MANIFEST}: was edited; only sim42 writes it")
        if manifest["schema"] != SCHEMA:
            raise RunError(
                f"{folder / MANIFEST}: schema {manifest['schema']}, and this sim42 reads {SCHEMA}"
            )
        study = _stored_study(folder, manifest["study"])
        shards = [
            Shard(range(*entry["hands"]), range(*entry["deals"]), entry["sha256"])
            for entry in manifest["blocks"]
        ]
        return cls(folder, study, shards, manifest["sim42"])

    @contextmanager
    def locked(self) -> Iterator[Self]:
        """Keep other processes from working in this directory; see to its files first.

        Shards that are missing or damaged are dropped from the list, to be done again, and files
        that an interrupted process left are removed.

        Raises
        ------
        RunError
            When another process is at work in it.
        """
        with (self.path / ".lock").open("w") as lock:
            if not _lock(lock.fileno()):
                raise RunError(f"{self.path}: another process is at work in it")
            self._tidy()
            yield self

    def _tidy(self) -> None:
        for leftover in self.path.glob(".*.tmp"):
            leftover.unlink()
        whole = [shard for shard in self.shards if self._read(shard) is not None]
        listed = {shard.file for shard in whole}
        for file in self.path.glob("hands-*.parquet"):
            if file.name not in listed:
                file.unlink()
        self.shards = whole

    def extend(self, study: Study) -> None:
        """Ask for more: the same question over more hands or more deals of each.

        Raises
        ------
        RunError
            When anything else differs; says what.
        """
        differences = [
            f"{name} {_short(old)}, now {_short(new)}"
            for name, old, new in _different(self.study, study)
            if not (name == "deals" and new > old)
            and not (name == "hands" and _begins(study, self.study))
        ]
        if differences:
            raise RunError(f"{self.path}: was asked for {'; '.join(differences)}")
        self._ask(study)

    def expect(self, study: Study) -> None:
        """Check that the run answers this question.

        Raises
        ------
        RunError
            When it does not; says what differs.
        """
        differences = [
            f"{name} {_short(old)}, now {_short(new)}"
            for name, old, new in _different(self.study, study)
        ]
        if differences:
            raise RunError(f"{self.path}: was asked for {'; '.join(differences)}")

    def missing(self) -> Iterator[tuple[range, range]]:
        """Hands and deals of each that are not done: rectangles without overlap."""
        cuts = {0, self.study.deals}
        for shard in self.shards:
            cuts |= {shard.deals.start, shard.deals.stop}
        for start, stop in pairwise(sorted(cuts)):
            done = sorted(
                (shard.hands.start, shard.hands.stop)
                for shard in self.shards
                if shard.deals.start <= start and stop <= shard.deals.stop
            )
            place = 0
            for first, last in [*done, (len(self.study), len(self.study))]:
                if place < first:
                    yield range(place, first), range(start, stop)
                place = max(place, last)

    def done(self) -> int:
        """Deals done, over all hands."""
        return sum(len(shard.hands) * len(shard.deals) for shard in self.shards)

    def add(self, counts: Counts) -> None:
        """Store the counts of a block that was missing, on disk when this returns."""
        if not len(counts.hands):
            return
        data = _parquet(counts)
        shard = Shard(counts.hands, counts.deals, hashlib.sha256(data).hexdigest())
        _write(self.path / shard.file, data)
        self.shards.append(shard)
        self._save()

    def read(self) -> Iterator[tuple[Shard, pa.Table]]:
        """The finished shards, in the order of hands, then deals.

        Raises
        ------
        RunError
            When one is missing or damaged.
        """
        for shard in sorted(self.shards, key=lambda shard: (shard.hands.start, shard.deals.start)):
            data = self._read(shard)
            if data is None:
                raise RunError(
                    f"{self.path / shard.file}: missing or damaged;"
                    f" sim42 survey {self.path} --resume does it again"
                )
            yield shard, pq.read_table(pa.BufferReader(data))

    def _read(self, shard: Shard) -> bytes | None:
        """The bytes of a shard if they are those that were written."""
        try:
            data = (self.path / shard.file).read_bytes()
        except FileNotFoundError:
            return None
        return data if hashlib.sha256(data).hexdigest() == shard.sha256 else None

    def _ask(self, study: Study) -> None:
        """Make this the question of the run, on the disk; listed hands go to a file first."""
        question = study.as_dict()
        if digest := question["hands"].get("sha256"):
            hands = map(format_tiles, study.masks(0, len(study)).tolist())
            _write(self.path / _listed(digest), "\n".join([*hands, ""]).encode())
        self.study, self._question = study, question
        self._save()

    def _save(self) -> None:
        shards = sorted(self.shards, key=lambda shard: (shard.hands.start, shard.deals.start))
        manifest = {
            "schema": SCHEMA,
            "sim42": self.version,
            "study": self._question,
            "blocks": [
                {
                    "hands": [shard.hands.start, shard.hands.stop],
                    "deals": [shard.deals.start, shard.deals.stop],
                    "sha256": shard.sha256,
                }
                for shard in shards
            ],
        }
        manifest["digest"] = _digest(manifest)
        text = json.dumps(manifest).replace('{"hands": [', '\n{"hands": [')
        _write(self.path / MANIFEST, f"{text}\n".encode())


def is_run(path: str | os.PathLike[str]) -> bool:
    """Whether a run was begun in this directory."""
    return (Path(path) / MANIFEST).exists()


def load_run(path: str | os.PathLike[str]) -> pd.DataFrame:
    """The counts of a run so far, a row a (hand, trump).

    Returns
    -------
    DataFrame
        Columns `mask` (int64), `hand` (text), `trump` (categorical, in the order of trumps),
        `deals` (int32), and `even_29` ... `even_42`, `odd_29` ... `odd_42` (int32): how many of the
        hand's deals of even and of odd number gave so many points, 29 standing for less than 30.
        With a floor above 30, what is below it is counted in the column before the floor's. In
        `attrs`: seed, deals, floor, rules, version, schema. Hands of which nothing is done yet are
        not there.

    Raises
    ------
    RunError
        When there is no run, or a file of it is missing or damaged.

    >>> from sim42 import Study, run_study
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     study = Study(hands=2, deals=4, seed=1, trumps=["fives"], floor=42)
    ...     _ = run_study(study, path=f"{folder}/run")
    ...     frame = load_run(f"{folder}/run")
    >>> frame.shape, frame.attrs["seed"], frame.deals.tolist()
    ((2, 32), 1, [4, 4])
    """
    run = Run.open(path)
    keys, masks, counts = [_NO_MASKS], [_NO_MASKS], [_NO_COUNTS]
    for shard, table in run.read():
        mask = table["mask"].to_numpy()
        place = shard.hands.start + np.cumsum(np.append(False, mask[1:] != mask[:-1]))
        trump = table["trump"].combine_chunks().indices.to_numpy()
        keys.append(place * len(Trump) + trump)
        masks.append(mask)
        counts.append(np.stack([table[name].to_numpy() for name in COUNT_COLUMNS], axis=1))
    key, mask, both = np.concatenate(keys), np.concatenate(masks), np.concatenate(counts)
    del masks, counts
    if (key[1:] <= key[:-1]).any():  # the deals of a hand are in several shards
        order = np.argsort(key, kind="stable")
        first = np.flatnonzero(np.diff(key[order], prepend=-1))
        both = np.add.reduceat(both[order], first, dtype=np.int32)
        key, mask = key[order][first], mask[order][first]
    frame = pd.DataFrame(both, columns=COUNT_COLUMNS)
    frame.insert(0, "mask", mask)
    frame.insert(1, "hand", _texts(mask).to_pandas())
    frame.insert(2, "trump", _categories(key % len(Trump)))
    frame.insert(3, "deals", both.sum(axis=1, dtype=np.int32))
    frame.attrs = {
        "seed": run.study.seed,
        "deals": run.study.deals,
        "floor": run.study.floor,
        "rules": run.study.rules.as_dict(),
        "version": run.version,
        "schema": SCHEMA,
    }
    return frame


def _categories(trump: NDArray[np.int64]) -> "pd.Series[str]":
    """Trump ids as a categorical of names in the order of trumps."""
    return pd.Series(pd.Categorical.from_codes(trump, pd.Index(TRUMP_NAMES), ordered=True))


def add_runs(*frames: pd.DataFrame) -> pd.DataFrame:
    """One frame of several runs: counts of a hand that is in more than one are added.

    Raises
    ------
    RunError
        When rules, floor or schema differ, or a hand is there twice with deals of the same seed.

    >>> from sim42 import Study, run_study
    >>> question = {"hands": range(2), "deals": 4, "trumps": ["fives"], "floor": 42}
    >>> runs = [run_study(Study(seed=seed, **question)) for seed in (1, 2)]
    >>> both = add_runs(*runs)
    >>> both.deals.tolist(), both.attrs["seed"]
    ([8, 8], [1, 2])
    """
    first, *others = frames
    if not others:
        return first
    for other in others:
        for name in ("rules", "floor", "schema"):
            if other.attrs[name] != first.attrs[name]:
                raise RunError(
                    f"runs that do not add: {name} {_short(first.attrs[name])}"
                    f" and {_short(other.attrs[name])}"
                )
    hands_of: dict[int, set[int]] = {}
    for frame in frames:
        for seed in np.atleast_1d(frame.attrs["seed"]).tolist():
            hands = set(frame["mask"].unique().tolist())
            if both := hands_of.setdefault(seed, set()) & hands:
                raise RunError(
                    f"runs that do not add: both hold the deals of seed {seed}"
                    f" around {format_tiles(min(both))}"
                )
            hands_of[seed] |= hands
    stacked = pd.concat(frames, ignore_index=True)
    added = stacked.groupby(["mask", "hand", "trump"], sort=False, observed=True).sum()
    result = added.reset_index().astype(first.dtypes.to_dict())
    result.attrs = {**first.attrs, "seed": list(hands_of), "deals": int(result["deals"].max())}
    return result


def _stored_study(folder: Path, stored: dict[str, Any]) -> Study:
    listed: list[int] = []
    try:
        if "listed" in stored["hands"]:
            lines = (folder / _listed(stored["hands"]["sha256"])).read_text().splitlines()
            listed = [Hand(line).mask for line in lines]
        study = Study.from_dict(stored, listed)
    except (OSError, Sim42Error, TypeError, KeyError) as error:
        raise RunError(f"{folder}: the study cannot be read: {error}") from None
    if study.as_dict()["hands"] != stored["hands"]:
        raise RunError(f"{folder}: the file of listed hands was edited")
    return study


def _listed(digest: str) -> str:
    return f"listed-{digest[:16]}.txt"


def _different(old: Study, new: Study) -> list[tuple[str, Any, Any]]:
    before, after = old.as_dict(), new.as_dict()
    return [(name, before[name], after[name]) for name in before if before[name] != after[name]]


def _begins(longer: Study, shorter: Study) -> bool:
    """Whether the hands of one study begin with those of the other."""
    same_kind = longer.as_dict()["hands"].keys() == shorter.as_dict()["hands"].keys()
    count = len(shorter)
    return (
        same_kind
        and len(longer) >= count
        and bool((longer.masks(0, count) == shorter.masks(0, count)).all())
    )


def _short(value: Any) -> str:
    if isinstance(value, dict):
        return " ".join(f"{key} {str(part)[:12]}" for key, part in value.items())
    return ",".join(value) if isinstance(value, list) else str(value)


def _parquet(counts: Counts) -> bytes:
    """The file of a shard: the columns of `load_run`."""
    both = np.concatenate([counts.even, counts.odd], axis=1)
    columns: dict[str, Any] = {
        "mask": counts.mask,
        "hand": _texts(counts.mask),
        "trump": pa.DictionaryArray.from_arrays(counts.trump, TRUMP_NAMES),
        "deals": np.full(len(counts.mask), len(counts.deals), dtype=np.int32),
        **dict(zip(COUNT_COLUMNS, both.T, strict=True)),
    }
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, compression="zstd", write_statistics=False)
    return buffer.getvalue()


def _texts(masks: NDArray[np.int64]) -> pa.Array:
    """Canonical text of each hand."""
    hands, places = np.unique(masks, return_inverse=True)
    return pa.array([format_tiles(mask) for mask in hands.tolist()]).take(pa.array(places))


def _digest(manifest: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest).encode()).hexdigest()


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, and have it on the disk."""
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        with temporary.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise


def _lock(file: int) -> bool:
    """Take the lock of an open file, which ends with its process; True where there are none."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
