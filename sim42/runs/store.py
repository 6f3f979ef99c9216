"""A run directory: the question, the counts so far, and what is missing.

::

    RUN/manifest.json                      the study and the list of finished shards, with a digest
    RUN/listed-DIGEST.txt                  the hands, where they were listed
    RUN/hands-A-B-deals-C-D.parquet        a shard: counts of hands A to B on deals C to D of each

Every file is written whole or not at all, and a shard before the manifest that lists it, so
whatever ends the process, the directory is a whole run that lacks some blocks.
"""

import hashlib
import io
import json
import os
import shlex
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sim42 import __version__
from sim42.errors import RunError, Sim42Error
from sim42.files import TEMPORARY, lock, write_file
from sim42.game.tiles import Hand, format_tiles
from sim42.game.trumps import Trump
from sim42.runs.blocks import Counts
from sim42.runs.sample import POINTS
from sim42.runs.study import Study

SCHEMA: Final = 1
"""Version of the manifest and the shards; another one is refused."""
MANIFEST: Final = "manifest.json"
COUNT_COLUMNS: Final = [f"{parity}_{points}" for parity in ("even", "odd") for points in POINTS]
TRUMP_NAMES: Final = [str(trump) for trump in Trump]


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
    question : dict
        The same as the manifest says it.
    shards : list of Shard
        What is finished.
    version : str
        The sim42 that began it.
    """

    def __init__(self, path: Path, study: Study, shards: list[Shard], version: str) -> None:
        self.path = path
        self.study = study
        self.question = study.as_dict()
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
        except (FileNotFoundError, NotADirectoryError):
            raise RunError(f"{folder}: not a run, there is no {MANIFEST}") from None
        except (ValueError, KeyError, TypeError, AttributeError):
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
        with self._alone():
            self._tidy()
            yield self

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock, on what the manifest says by now."""
        with ExitStack() as stack:
            try:
                stack.enter_context(lock(self.path / ".lock"))
            except BlockingIOError:
                raise RunError(f"{self.path}: another process is at work in it") from None
            now = Run.open(self.path)
            self.study, self.question, self.shards = now.study, now.question, now.shards
            yield

    def _tidy(self) -> None:
        self.shards = [shard for shard in self.shards if self._read(shard) is not None]
        known = {shard.file for shard in self.shards} | {_listed(self.question)}
        for file in self.path.glob(".*"):
            if TEMPORARY.fullmatch(file.name):
                file.unlink()
        for pattern in ("hands-*-deals-*.parquet", "listed-*.txt"):
            for file in self.path.glob(pattern):
                if file.name not in known:
                    file.unlink()

    def extend(self, study: Study) -> None:
        """Ask for more: the same question over more hands or more deals of each.

        Raises
        ------
        RunError
            When anything else differs; says what. When another process is at work in it.
        """
        with self._alone():
            self._refuse(
                (name, old, new)
                for name, old, new in self._differences(study)
                if not (name == "deals" and new > old)
                and not (name == "hands" and _begins(study, self.study))
            )
            self._ask(study)

    def expect(self, study: Study) -> None:
        """Check that the run answers this question.

        Raises
        ------
        RunError
            When it does not; says what differs.
        """
        self._refuse(self._differences(study))

    def _differences(self, study: Study) -> Iterator[tuple[str, Any, Any]]:
        """Name, old and new value of what another study asks otherwise."""
        before, after = _flat(self.question), _flat(study.as_dict())
        for name, old in before.items():
            if old != after[name]:
                yield name, old, after[name]

    def _refuse(self, differences: Iterable[tuple[str, Any, Any]]) -> None:
        """Say what differs, if anything does."""
        if texts := [f"{name} {short(old)}, now {short(new)}" for name, old, new in differences]:
            raise RunError(f"{self.path}: was asked for {'; '.join(texts)}")

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
        write_file(self.path / shard.file, data)
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
                    f" {go_on(self.path)} does it again"
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
        if listed := _listed(question):
            hands = map(format_tiles, study.masks(0, len(study)).tolist())
            write_file(self.path / listed, "\n".join([*hands, ""]).encode())
        self.study, self.question = study, question
        self._save()

    def _save(self) -> None:
        shards = sorted(self.shards, key=lambda shard: (shard.hands.start, shard.deals.start))
        manifest = {
            "schema": SCHEMA,
            "sim42": self.version,
            "study": self.question,
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
        write_file(self.path / MANIFEST, f"{text}\n".encode())


def is_run(path: str | os.PathLike[str]) -> bool:
    """Whether a run was begun in this directory.

    >>> is_run("no such place")
    False
    """
    return (Path(path) / MANIFEST).exists()


def go_on(path: str | os.PathLike[str]) -> str:
    """The command that goes on with a run.

    >>> go_on("my run")
    "sim42 survey 'my run' --resume"
    """
    return f"sim42 survey {shlex.quote(os.fspath(path))} --resume"


def _stored_study(folder: Path, stored: dict[str, Any]) -> Study:
    listed: list[int] = []
    try:
        if name := _listed(stored):
            listed = [Hand(line).mask for line in (folder / name).read_text().splitlines()]
        study = Study.from_dict(stored, listed)
    except (OSError, Sim42Error, TypeError, KeyError) as error:
        raise RunError(f"{folder}: the study cannot be read: {error}") from None
    if study.as_dict()["hands"] != stored["hands"]:
        raise RunError(f"{folder}: the file of listed hands was edited")
    return study


def _listed(question: dict[str, Any]) -> str:
    """File of the listed hands of a question; no name when they are not listed."""
    digest = question["hands"].get("sha256")
    return f"listed-{digest[:16]}.txt" if digest else ""


def _flat(question: dict[str, Any]) -> dict[str, Any]:
    """A question with the options of its rules beside its other parts."""
    rules = {f"rules {name}": value for name, value in question["rules"].items()}
    return {**{name: value for name, value in question.items() if name != "rules"}, **rules}


def _begins(longer: Study, shorter: Study) -> bool:
    """Whether the hands of one study begin with those of the other."""
    same_kind = longer.as_dict()["hands"].keys() == shorter.as_dict()["hands"].keys()
    count = len(shorter)
    return (
        same_kind
        and len(longer) >= count
        and bool((longer.masks(0, count) == shorter.masks(0, count)).all())
    )


def short(value: Any) -> str:
    """A part of a question in few words."""
    if isinstance(value, dict):
        return " ".join(f"{key} {str(part)[:12]}" for key, part in value.items())
    return ",".join(value) if isinstance(value, list) else str(value)


def _parquet(counts: Counts) -> bytes:
    """The file of a shard: the columns of `load_run`."""
    both = np.concatenate([counts.even, counts.odd], axis=1)
    columns: dict[str, Any] = {
        "mask": counts.mask,
        "hand": hand_texts(counts.mask),
        "trump": pa.DictionaryArray.from_arrays(counts.trump, TRUMP_NAMES),
        "deals": np.full(len(counts.mask), len(counts.deals), dtype=np.int32),
        **dict(zip(COUNT_COLUMNS, both.T, strict=True)),
    }
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer, compression="zstd", write_statistics=False)
    return buffer.getvalue()


def hand_texts(masks: NDArray[np.int64]) -> pa.Array:
    """Canonical text of each hand."""
    hands, places = np.unique(masks, return_inverse=True)
    return pa.array([format_tiles(mask) for mask in hands.tolist()]).take(pa.array(places))


def _digest(manifest: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(manifest).encode()).hexdigest()
