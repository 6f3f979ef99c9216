"""The counts of runs as frames: what tables and charts are made from."""

import os
from collections.abc import Sequence
from typing import Final

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42.errors import RunError, check_frame
from sim42.game.rules import bid_points
from sim42.game.tiles import HANDS, format_tiles
from sim42.game.trumps import Trump, choose_trumps
from sim42.runs.manifest import flat, schema_of, short
from sim42.runs.matches import GAME_SCHEMA
from sim42.runs.shards import TRUMP_NAMES, columns_of, count_columns, hand_texts
from sim42.runs.store import Run
from sim42.runs.study import Study

KEYS: Final = ("mask", "hand", "trump", "deals")
"""Columns of a frame of counts beside the counts."""
_ALIKE: Final = ("rules", "floor", "schema", "given", "playing")
"""Facts that runs must have in common to be added."""
_NO_MASKS: Final = np.empty(0, dtype=np.int64)


def load_run(path: str | os.PathLike[str]) -> pd.DataFrame:
    """The counts of a run so far, a row a (hand, trump).

    Returns
    -------
    DataFrame
        Columns `mask` (int64), `hand` (text), `trump` (categorical, in the order of trumps),
        `deals` (int32), and `even_29` ... `even_42`, `odd_29` ... `odd_42` (int32): how many of the
        hand's deals of even and of odd number gave so many points, 29 standing for less than 30.
        With a floor above 30, what is below it is counted in the column before the floor's; with
        floor 0 they are `even_0` ... `odd_42`. Where bids were played also `games` (deals played,
        of one trump of each hand), and for each bid `played_30` (how many made it), `seen_30` (how
        many make it double dummy) and `both_30`. In `attrs`: seed, deals, floor, rules,
        selection (how the hands were chosen: `random`, `numbered`, `listed`, or `every`), given
        (text; None when nothing is), playing (who played which bids; None), version (of all that
        worked at it), schema. Hands of which nothing is done yet are not there.

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
    columns = columns_of(run.study)
    keys, masks = [_NO_MASKS], [_NO_MASKS]
    counts = [np.empty((0, len(columns)), dtype=np.int32)]
    for shard, table in run.read():
        mask = table["mask"].to_numpy()
        place = shard.hands.start + np.cumsum(np.append(False, mask[1:] != mask[:-1]))
        trump = table["trump"].combine_chunks().indices.to_numpy()
        keys.append(place * len(Trump) + trump)
        masks.append(mask)
        counts.append(np.stack([table[name].to_numpy() for name in columns], axis=1))
    key, mask, both = np.concatenate(keys), np.concatenate(masks), np.concatenate(counts)
    del masks, counts
    if (key[1:] <= key[:-1]).any():  # the deals of a hand are in several shards
        order = np.argsort(key, kind="stable")
        first = np.flatnonzero(np.diff(key[order], prepend=-1))
        both = np.add.reduceat(both[order], first, dtype=np.int32)
        key, mask = key[order][first], mask[order][first]
    frame = pd.DataFrame(both, columns=columns)
    frame.insert(0, "mask", mask)
    frame.insert(1, "hand", hand_texts(mask).to_pandas())
    frame.insert(2, "trump", _categories(key % len(Trump)))
    told = len(count_columns(run.study.floor))
    frame.insert(3, "deals", both[:, :told].sum(axis=1, dtype=np.int32))
    frame.attrs = {
        "seed": run.study.seed,
        "deals": run.study.deals,
        "floor": run.study.floor,
        "rules": run.study.rules.as_dict(),
        "selection": _selection(run.study, frame["mask"].nunique()),
        "given": None if run.study.known is None else run.study.known.text,
        "playing": None if run.study.played is None else run.study.played.as_dict(),
        "version": ", ".join(run.versions),
        "schema": schema_of(run.study),
    }
    return frame


def _selection(study: Study, done: int) -> str:
    """How the hands of a study that are done were chosen; only random ones tell of all hands."""
    if isinstance(study.hands, int):
        return "random"
    if isinstance(study.hands, range):
        return "every" if done == HANDS else "numbered"
    return "listed"


def _categories(trump: NDArray[np.int64]) -> "pd.Series[str]":
    """Trump ids as a categorical of names in the order of trumps."""
    return pd.Series(pd.Categorical.from_codes(trump, pd.Index(TRUMP_NAMES), ordered=True))


def check_run(frame: object, what: str = "run", facts: Sequence[str] = ()) -> None:
    """Raise `RequestError` unless this is a frame of counts, as `load_run` and `add_runs` give it.

    >>> check_run([])
    Traceback (most recent call last):
    ...
    sim42.errors.RequestError: run []: give a frame as load_run does
    """
    check_frame(frame, what, "load_run", KEYS, ("seed", "deals", "floor", "rules", *facts))


def of_trumps(frame: pd.DataFrame, trumps: Sequence[Trump | str] | str) -> pd.DataFrame:
    """The rows of some trumps; ``.attrs`` name them as `trumps`.

    Raises
    ------
    RunError
        When there are none.

    >>> from sim42 import Study, run_study
    >>> frame = run_study(Study(hands=2, deals=4, seed=1, trumps=["fives", "doubles"], floor=42))
    >>> of_trumps(frame, [Trump.FIVES, Trump.SIXES])["trump"].tolist()
    ['fives', 'fives']
    """
    check_run(frame)
    names = [str(trump) for trump in choose_trumps(trumps)]
    rows = frame[frame["trump"].isin(names)].reset_index(drop=True)
    if rows.empty:
        raise RunError(f"trumps {', '.join(names)}: the run has none of them")
    rows.attrs = {**frame.attrs, "trumps": names}
    return rows


def load_games(path: str | os.PathLike[str]) -> pd.DataFrame:
    """The games of an arena so far, a row for each pair of players and deal.

    Returns
    -------
    DataFrame
        Columns `first`, `second` (the players), `deal` (its number), `trump` (id), `bid`; and for
        each of the two as declarer `first_points` (of the declarer's side, when it was decided),
        `first_plays` (tiles in the order played, as bytes) and `first_made`; pair by pair, in the
        order of the deals. Deals that were passed out are not there. In `attrs` the question, as
        `sim42.runs.matches.Arena.as_dict` gives it.

    Raises
    ------
    RunError
        When there is no such run, or a file of it is missing or damaged.
    """
    run = Run.open(path)
    places = {pair: place for place, pair in enumerate(run.arena.pairs)}
    tables = [table.to_pandas() for _, table in run.read()]
    found = pd.concat([GAME_SCHEMA.empty_table().to_pandas(), *tables], ignore_index=True)
    pair = [places[key] for key in zip(found["first"], found["second"], strict=True)]
    games: pd.DataFrame = found.assign(pair=pair).sort_values(["pair", "deal"], ignore_index=True)
    needed = games["bid"].map(bid_points)
    for who in ("first", "second"):
        games[f"{who}_made"] = games[f"{who}_points"] >= needed
    games = games.drop(columns="pair")
    games.attrs |= run.arena.as_dict()
    return games


def add_runs(*frames: pd.DataFrame) -> pd.DataFrame:
    """One frame of several runs: counts of a hand that is in more than one are added.

    Raises
    ------
    RunError
        When there are none, rules, floor, schema or what is given differ, or a hand is there twice
        with deals of the same seed.

    >>> from sim42 import Study, run_study
    >>> question = {"hands": range(2), "deals": 4, "trumps": ["fives"], "floor": 42}
    >>> runs = [run_study(Study(seed=seed, **question)) for seed in (1, 2)]
    >>> both = add_runs(*runs)
    >>> both.deals.tolist(), both.attrs["seed"]
    ([8, 8], [1, 2])
    """
    if not frames:
        raise RunError("no runs to add: give one at least")
    for number, frame in enumerate(frames, start=1):
        check_run(frame, f"run {number}", (*_ALIKE, "selection", "version"))
    first, *others = frames
    if not others:
        return first
    for other in others:
        before, after = (
            flat({name: frame.attrs[name] for name in _ALIKE}) for frame in (first, other)
        )
        if texts := [
            f"{name} {short(old)} and {short(after[name])}"
            for name, old in before.items()
            if old != after[name] and not (name == "schema" and before["floor"] != after["floor"])
        ]:
            raise RunError(f"runs that do not add: {', '.join(texts)}")
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
    versions = dict.fromkeys(
        version for frame in frames for version in frame.attrs["version"].split(", ")
    )
    selections = {frame.attrs["selection"] for frame in frames}
    result.attrs = {
        **first.attrs,
        "seed": list(hands_of),
        "deals": int(result["deals"].max()),
        "version": ", ".join(versions),
        "selection": selections.pop() if len(selections) == 1 else "mixed",
    }
    return result
