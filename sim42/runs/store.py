"""A run directory: the question, the counts so far, and what is missing.

::

    RUN/manifest.json                      the question, the list of finished shards, and a digest
    RUN/listed-DIGEST.txt                  the hands, where they were listed
    RUN/hands-A-B-deals-C-D.parquet        a shard: counts of hands A to B on deals C to D of each
    RUN/pairs-A-B-deals-C-D.parquet        one of an arena: games of pairs of players
    RUN/.lock                              held by the process that is at work in it

Every file is written whole or not at all, and a shard before the manifest that lists it, so
whatever ends the process, the directory is a whole run that lacks some blocks.
"""

import os
import shlex
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Self

import pyarrow as pa

from sim42 import __version__
from sim42.errors import RunError, shown
from sim42.files import TEMPORARY, lock, write_file
from sim42.runs.blocks import Counts
from sim42.runs.manifest import (
    MANIFEST,
    Manifest,
    asks_more,
    differences,
    listed_file,
    read_manifest,
    short,
    write_listed,
    write_manifest,
)
from sim42.runs.matches import Arena, Games
from sim42.runs.shards import Shard, digest_of, is_shard, shard_of, table_of
from sim42.runs.study import Study

_LOCK: Final = ".lock"
SURVEY: Final = "survey"
ARENA: Final = "arena --run"
"""Commands that begin runs, each with what stands before the name of the directory."""


class Run:
    """A run directory that is open for reading, or within `locked` for work.

    Attributes
    ----------
    path : Path
        The directory.
    question : Study or Arena
        What was asked.
    shards : list of Shard
        What is finished.
    versions : tuple of str
        Every sim42 that worked at it, the one that began it first.
    """

    def __init__(self, path: str | os.PathLike[str], manifest: Manifest) -> None:
        self.path = _folder(path)
        self.question = manifest.question
        self.shards = list(manifest.shards)
        self.versions = manifest.versions
        self._locked = False

    @property
    def study(self) -> Study:
        """The question of a survey.

        Raises
        ------
        RunError
            When the run is of another kind.
        """
        if isinstance(self.question, Arena):
            raise RunError(f"{self.path}: holds games of players, which {self._go_on()} shows")
        return self.question

    @property
    def arena(self) -> Arena:
        """The question of an arena.

        Raises
        ------
        RunError
            When the run is of another kind.
        """
        if isinstance(self.question, Study):
            raise RunError(f"{self.path}: holds a survey of hands, which sim42 table shows")
        return self.question

    @classmethod
    def create(cls, path: str | os.PathLike[str], study: Study | Arena) -> Self:
        """Begin a run in a directory that does not exist or is empty.

        Raises
        ------
        RunError
            When there is something already, or another process begins a run there.
        """
        with cls.begin(path, study) as run:
            return run

    @classmethod
    @contextmanager
    def begin(cls, path: str | os.PathLike[str], study: Study | Arena) -> Iterator[Self]:
        """`create` a run, and keep it `locked` from its first moment on."""
        run = cls(path, Manifest(study, (), ()))
        run._check_free()
        run.path.mkdir(parents=True, exist_ok=True)
        with run._alone():
            run._check_free()  # another process may have been quicker
            run._ask(study)
            yield run

    @classmethod
    def open(cls, path: str | os.PathLike[str]) -> Self:
        """Read the manifest of a run.

        Raises
        ------
        RunError
            When there is none, it was edited or cut short, or is of another schema.
        """
        return cls(path, read_manifest(_folder(path)))

    @contextmanager
    def locked(self) -> Iterator[Self]:
        """Keep other processes from working in this directory; see to its files first.

        What others did in it since it was opened is read. Shards that are missing or damaged are
        dropped from the list, to be done again, and files that a killed process left are removed.

        Raises
        ------
        RunError
            When another process is at work in it, or by now it is another run, which does not only
            ask for more.
        """
        if self._locked:
            yield self
            return
        with self._alone():
            now = Run.open(self.path)
            if any(asks_more(self.question, now.question)):
                raise RunError(f"{self.path}: another run took its place")
            self.question, self.shards, self.versions = now.question, now.shards, now.versions
            self._tidy()
            yield self

    def extend(self, study: Study | Arena) -> None:
        """Ask for more: the same question over more hands or more deals of each.

        Raises
        ------
        RunError
            When anything else differs; says what. When another process is at work in it.
        """
        with self.locked():
            self.expect(study, more=True)
            self._ask(study)

    def expect(self, study: Study | Arena, *, more: bool = False) -> None:
        """Check that the run answers this question, or that `extend` may ask it.

        Raises
        ------
        RunError
            When it does not; says what differs.
        """
        compare = asks_more if more else differences
        _refuse(self.path, compare(self.question, study))

    def missing(self) -> Iterator[tuple[range, range]]:
        """Hands and deals of each that are not done: rectangles without overlap."""
        cuts = {0, self.question.deals}
        for shard in self.shards:
            cuts |= {shard.deals.start, shard.deals.stop}
        for start, stop in pairwise(sorted(cuts)):
            done = sorted(
                (shard.hands.start, shard.hands.stop)
                for shard in self.shards
                if shard.deals.start <= start and stop <= shard.deals.stop
            )
            place = 0
            for first, last in [*done, (len(self.question), len(self.question))]:
                if place < first:
                    yield range(place, first), range(start, stop)
                place = max(place, last)

    def done(self) -> int:
        """Deals done, over all hands."""
        return sum(len(shard.hands) * len(shard.deals) for shard in self.shards)

    def add(self, counts: Counts | Games) -> None:
        """Store the counts or games of a missing block, on disk when this returns."""
        shard, data = shard_of(counts)
        if not len(shard.hands) * len(shard.deals):
            return
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
                    f"{self.path / shard.file}: missing or damaged; {self._go_on()} does it again"
                )
            try:
                table = table_of(data, self.question)
            except ValueError as error:
                raise RunError(f"{self.path / shard.file}: {error}") from None
            yield shard, table

    def _go_on(self) -> str:
        return go_on(self.path, ARENA if isinstance(self.question, Arena) else SURVEY)

    def _read(self, shard: Shard) -> bytes | None:
        """The bytes of a shard if they are those that were written."""
        try:
            data = (self.path / shard.file).read_bytes()
        except FileNotFoundError:
            return None
        return data if digest_of(data) == shard.sha256 else None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Hold the lock of the directory."""
        with ExitStack() as stack:
            try:
                stack.enter_context(lock(self.path / _LOCK))
            except BlockingIOError:
                raise RunError(f"{self.path}: another process is at work in it") from None
            self._locked = True
            stack.callback(setattr, self, "_locked", False)
            yield

    def _check_free(self) -> None:
        """Refuse a directory in which there is something, but leave one that is locked to `_alone`.

        Who begins a run makes the lock first and the manifest last, so they are looked for last.
        """
        if not (self.path.exists() and any(self.path.glob("[!.]*"))):
            return
        if is_run(self.path):
            raise RunError(f"{self.path}: a run is there already; go on with it, or extend it")
        if self._locked or not (self.path / _LOCK).exists():
            raise RunError(f"{self.path}: is there and is not a run; name a new directory")

    def _tidy(self) -> None:
        """Drop shards that are not as written; remove what a killed process left, nothing else."""
        damaged = [shard for shard in self.shards if self._read(shard) is None]
        self.shards = [shard for shard in self.shards if shard not in damaged]
        for shard in damaged:
            (self.path / shard.file).unlink(missing_ok=True)
        known = {shard.file for shard in self.shards}
        for file in self.path.iterdir():
            left = TEMPORARY.fullmatch(file.name) and file.is_file()
            if left or (file.name not in known and is_shard(file)):
                file.unlink()

    def _ask(self, study: Study | Arena) -> None:
        """Make this the question of the run, on the disk; listed hands go to a file first."""
        before, listed = (listed_file(each.as_dict()) for each in (self.question, study))
        write_listed(self.path, study)
        self.question = study
        self._save()
        if before != listed:
            (self.path / before).unlink()

    def _save(self) -> None:
        if __version__ not in self.versions:
            self.versions += (__version__,)
        write_manifest(self.path, Manifest(self.question, tuple(self.shards), self.versions))


def is_run(path: str | os.PathLike[str]) -> bool:
    """Whether a run was begun in this directory.

    >>> is_run("no such place")
    False
    """
    return (_folder(path) / MANIFEST).exists()


def go_on(path: str | os.PathLike[str], command: str = SURVEY) -> str:
    """The command that goes on with a run.

    >>> go_on("my run")
    "sim42 survey 'my run' --resume"
    """
    return f"sim42 {command} {shlex.quote(os.fspath(path))} --resume"


def _folder(path: str | os.PathLike[str]) -> Path:
    """The directory of this name; no name is not the current one."""
    try:
        name = os.fsdecode(path)
    except TypeError:
        raise RunError(f"{shown(path)}: not the name of a run; name a directory") from None
    if not name:
        raise RunError("the name of the run is empty; name a directory")
    if "\0" in name:
        raise RunError(f"{shown(name)}: no directory can have this name")
    return Path(name)


def _refuse(folder: Path, found: Iterable[tuple[str, Any, Any]]) -> None:
    """Say what differs, if anything does."""
    if texts := [f"{name} {short(old)}, now {short(new)}" for name, old, new in found]:
        raise RunError(f"{folder}: was asked for {'; '.join(texts)}")
