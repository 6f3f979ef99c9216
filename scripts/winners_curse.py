"""What a call shows, and what it is worth on other deals: results/winners_curse.md.

    sim42 survey RUN --hands 20000 --deals 100 --seed 42
    nice python scripts/winners_curse.py RUN LAB

RUN is that finished survey. Its first thousand hands are solved on 50 other deals; and on their own
again, for figures that want the deals one by one. LAB is a directory that keeps what was solved.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42 import load_run, solve_many
from sim42.deals.random import deals_around
from sim42.files import write_file
from sim42.game.rules import PASS
from sim42.runs.shards import count_columns
from sim42.tables.call import choose, mean, rate
from sim42.tables.counts import BIDS
from sim42.tables.hands import fair_calls

PAGE = Path(__file__).parent.parent / "results" / "winners_curse.md"
HANDS, OTHER_DEALS, OTHER_SEED = 1_000, 200, 43
CALL_BIDS = (30, 42, 84)
TOP = 20
"""A twentieth of the hands is picked for looking good."""
TEXT = """# The winner's curse

Made by `python scripts/winners_curse.py RUN LAB`, from the survey of {survey:,} hands x {deals}
deals, seed {seed}. The calls of its first {hands:,} hands, which show the most marks on their own
deals, were rated on {other} other deals each. Marks a deal; a pass is worth 0. "Too high" is the
mean of the figure less that of the other deals; "at the top" the same of the {top} hands that the
figure itself ranks highest; "error" the root of the mean squared error, that of the other deals
taken off.

- *shown*: on the deals that chose the call.
- *2 folds*, *10 folds*: the deals in so many parts; a call chosen on all others rates each.
- *fair*: the shown call's, drawn towards what hands like it make (`sim42 table RUN --best`),
  learned from the whole survey, or from these {hands:,} hands alone.

{table}

The 95 % interval of the fair figure holds the mark of the other deals, whose own error is allowed
for, in {held:.1%} of the hands that bid ({held_alone:.1%} when learned from {hands:,} hands),
and in {held_top:.1%} of those that it ranks highest. Its middle half-width is {half:.2f} marks.

So the fair figure is the one to rank by. Folds need the deals one by one, rate calls that were
chosen on fewer deals, and do not protect hands that are picked for looking good.
"""

Cells = NDArray[np.float64]
Whole = NDArray[np.int64]


def main() -> None:
    """Solve what lacks, and write the page."""
    run, lab = load_run(sys.argv[1]), Path(sys.argv[2])
    lab.mkdir(exist_ok=True)
    masks = run["mask"].drop_duplicates().head(HANDS).tolist()
    deals, seed = run.attrs["deals"], run.attrs["seed"]
    own = np.stack([_solved(lab, mask, deals, seed) for mask in masks])
    other = np.stack([_solved(lab, mask, OTHER_DEALS, OTHER_SEED) for mask in masks])
    _same_deals(run, own)
    made, n = _made(own, slice(None)), np.full((len(masks), 9), deals)
    calls = choose(made, n, CALL_BIDS)
    rated = rate(calls, _made(other, slice(None)), np.full((len(masks), 9), OTHER_DEALS), CALL_BIDS)
    truth = mean(rated.marks, rated.deals)
    stake = np.select([calls.bid == PASS, calls.bid == 84], [0, 2], 1)
    noise = (stake**2 - truth**2) / (OTHER_DEALS - 1)
    noise = np.where(stake > 0, noise, 0)
    fair, alone = (fair_calls(frame).head(HANDS) for frame in (run, run[run["mask"].isin(masks)]))
    figures = {
        "shown": mean(calls.marks, calls.deals),
        "2 folds": _folds(own, 2),
        "10 folds": _folds(own, 10),
        "fair": fair["fair"].to_numpy(),
        f"fair, learned from {HANDS:,}": alone["fair"].to_numpy(),
    }
    held = [_held(calls, truth, noise) for calls in (fair, alone)]
    top = np.argsort(-figures["fair"], kind="stable")[: HANDS // TOP]
    page = TEXT.format(
        survey=run["mask"].nunique(),
        deals=deals,
        seed=seed,
        hands=HANDS,
        other=OTHER_DEALS,
        top=HANDS // TOP,
        table=_table(figures, truth, noise),
        held=np.nanmean(held[0]),
        held_alone=np.nanmean(held[1]),
        held_top=np.nanmean(held[0][top]),
        half=((fair["fair_high"] - fair["fair_low"]) / 2).median(),
    )
    write_file(PAGE, page.encode())


def _solved(lab: Path, mask: int, deals: int, seed: int) -> NDArray[np.int8]:
    """Points of the first deals around a hand, (deals, 9)."""
    file = lab / f"{mask}-{deals}-{seed}.npy"
    if not file.exists():
        np.save(file, solve_many(deals_around(mask, deals, seed), floor=30))
    return np.load(file)


def _same_deals(run: pd.DataFrame, points: NDArray[np.int8]) -> None:
    """Make sure that the deals are those of the survey."""
    half = run.head(9 * HANDS)[count_columns(30)[:14]].to_numpy()
    even = np.stack([(points[:, ::2] == value).sum(axis=1) for value in range(29, 43)], axis=-1)
    if (half.reshape(even.shape) != even).any():
        sys.exit("the survey has other deals")


def _made(points: NDArray[np.int8], deals: slice) -> Whole:
    """Deals that make each bid, (hands, 9, bids), from points (hands, deals, 9)."""
    part = points[:, deals]
    return np.stack([(part >= bid).sum(axis=1) for bid in BIDS], axis=-1)


def _folds(points: NDArray[np.int8], folds: int) -> Cells:
    """Marks of calls chosen on all folds but one, and rated on that one."""
    hands, deals, _ = points.shape
    every = _made(points, slice(None))
    total: Cells = np.zeros(hands)
    for fold in range(folds):
        part = _made(points, slice(fold, None, folds))
        n = len(range(fold, deals, folds))
        calls = choose(every - part, np.full((hands, 9), deals - n), CALL_BIDS)
        total += rate(calls, part, np.full((hands, 9), n), CALL_BIDS).marks
    return total / deals


def _held(calls: pd.DataFrame, truth: Cells, noise: Cells) -> Cells:
    """Whether the interval of each call holds its other deals; nan for a pass."""
    half = ((calls["fair_high"] - calls["fair_low"]) / 2).to_numpy()
    middle = ((calls["fair_high"] + calls["fair_low"]) / 2).to_numpy()
    # What the other deals may be off is that of the fair rate: of few deals their own may be 0.
    stake = np.where(calls["best_bid"].fillna(PASS) == 84, 2, 1)
    own = np.maximum(noise, (stake**2 - calls["fair"].to_numpy() ** 2) / OTHER_DEALS)
    held = np.abs(truth - middle) <= np.sqrt(half**2 + 1.96**2 * own)
    return np.where(calls["best_bid"].isna(), np.nan, held)


def _table(figures: dict[str, Cells], truth: Cells, noise: Cells) -> str:
    rows = ["| figure | mean | too high | at the top | error |", "| --- | --- | --- | --- | --- |"]
    for name, values in figures.items():
        off = values - truth
        top = np.argsort(-values, kind="stable")[: HANDS // TOP]
        error = np.sqrt(max((off**2).mean() - noise.mean(), 0))
        rows.append(
            f"| {name} | {values.mean():.3f} | {off.mean():+.3f} | {off[top].mean():+.3f} |"
            f" {error:.3f} |"
        )
    return "\n".join([*rows, f"| the other deals | {truth.mean():.3f} | | | |"])


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
