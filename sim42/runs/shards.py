"""A shard: the counts of some hands, or games of some pairs of players, as one file of a run."""

import hashlib
import io
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from sim42.game.tiles import format_tiles
from sim42.game.trumps import Trump
from sim42.runs.blocks import Counts
from sim42.runs.matches import GAME_SCHEMA, Arena, Games
from sim42.runs.sample import BIDS, FLOOR, points_told
from sim42.runs.study import Study


def count_columns(floor: int) -> list[str]:
    """Columns of the counts of a study with this floor.

    >>> count_columns(30)[:2], count_columns(0)[:2], len(count_columns(0))
    (['even_29', 'even_30'], ['even_0', 'even_1'], 86)
    """
    return [f"{parity}_{points}" for parity in ("even", "odd") for points in points_told(floor)]


GAMES: Final = ("played", "seen", "both")
"""What is counted of the games of a bid: made by players, double dummy, and both."""


def played_columns(bids: Sequence[int]) -> list[str]:
    """Columns of the games: how many; for each bid how many were made, double dummy, and both.

    >>> played_columns([30, 42]), played_columns([])
    (['games', 'played_30', 'seen_30', 'both_30', 'played_42', 'seen_42', 'both_42'], [])
    """
    names = [f"{name}_{bid}" for bid in bids for name in GAMES]
    return ["games", *names] if bids else []


def columns_of(study: Study) -> list[str]:
    """What a shard of a study holds of each hand and trump; all of it adds."""
    return [*count_columns(study.floor), *played_columns(study.bids)]


KEY_COLUMNS: Final = ["mask", "hand", "trump", "deals"]
COUNT_COLUMNS: Final = count_columns(FLOOR)
FULL_COLUMNS: Final = count_columns(0)
"""Columns of counts, from 30 points up or of all; after `KEY_COLUMNS` the first of a shard."""
PLAYED_COLUMNS: Final = played_columns(BIDS)
"""Columns of games that a shard may have after those."""
TRUMP_NAMES: Final = [str(trump) for trump in Trump]
GAME_COLUMNS: Final[list[str]] = GAME_SCHEMA.names
_FILE: Final = re.compile(r"(hands|pairs)-[0-9]+-[0-9]+-deals-[0-9]+-[0-9]+\.parquet")


class Shard(NamedTuple):
    """Which hands and deals are counted in which file.

    Attributes
    ----------
    hands, deals : range
        Places of the hands in the study, and the deals around each; or of the pairs of players.
    sha256 : str
        Digest of the file.
    of : str
        What it is about, ``hands`` or ``pairs``.
    """

    hands: range
    deals: range
    sha256: str
    of: str = "hands"

    @property
    def file(self) -> str:
        """Name of the file in the run directory."""
        hands, deals = self.hands, self.deals
        return f"{self.of}-{hands.start}-{hands.stop}-deals-{deals.start}-{deals.stop}.parquet"


def shard_of(counts: Counts | Games) -> tuple[Shard, bytes]:
    """The shard of some counts or games, and what is in its file; equal ones give equal bytes."""
    if isinstance(counts, Games):
        data = _bytes_of(counts.table)
        return Shard(counts.pairs, counts.deals, digest_of(data), "pairs"), data
    both = np.concatenate([counts.even, counts.odd], axis=1)
    names = COUNT_COLUMNS if both.shape[1] == len(COUNT_COLUMNS) else FULL_COLUMNS
    columns: dict[str, Any] = {
        "mask": counts.mask,
        "hand": hand_texts(counts.mask),
        "trump": pa.DictionaryArray.from_arrays(counts.trump, TRUMP_NAMES),
        "deals": np.full(len(counts.mask), len(counts.deals), dtype=np.int32),
        **dict(zip(names, both.T, strict=True)),
        **dict(zip(played_columns(counts.bids), counts.played.T, strict=True)),
    }
    data = _bytes_of(pa.table(columns))
    return Shard(counts.hands, counts.deals, digest_of(data)), data


def _bytes_of(table: pa.Table) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(table, buffer, compression="zstd", write_statistics=False)
    return buffer.getvalue()


def digest_of(data: bytes) -> str:
    """The digest by which a file is known again."""
    return hashlib.sha256(data).hexdigest()


def table_of(data: bytes, question: Study | Arena) -> pa.Table:
    """What the file of a shard of a run holds that asks this.

    Raises
    ------
    ValueError
        When these are not the bytes of a shard.
    """
    try:
        table = pq.read_table(pa.BufferReader(data))
    except (pa.ArrowException, OSError) as error:
        raise ValueError(f"not a shard: {error}") from None
    if table.column_names != _columns_of(question):
        raise ValueError("not a shard: it has other columns")
    return table


def _columns_of(question: Study | Arena) -> list[str]:
    if isinstance(question, Arena):
        return GAME_COLUMNS
    return [*KEY_COLUMNS, *columns_of(question)]


def is_shard(path: Path) -> bool:
    """Whether a file is a shard of some run, by its name and its columns.

    >>> is_shard(Path("hands-0-9-deals-of-mine.parquet"))
    False
    """
    if not (_FILE.fullmatch(path.name) and path.is_file()):
        return False
    try:
        names = pq.read_schema(path).names
        counts = [name for name in names[4:] if name not in PLAYED_COLUMNS]
        of_hands = names[:4] == KEY_COLUMNS and counts in (COUNT_COLUMNS, FULL_COLUMNS)
        return of_hands or names == GAME_COLUMNS
    except pa.ArrowException:
        return False


def hand_texts(masks: NDArray[np.int64]) -> pa.Array:
    """Canonical text of each hand."""
    hands, places = np.unique(masks, return_inverse=True)
    return pa.array([format_tiles(mask) for mask in hands.tolist()]).take(pa.array(places))
