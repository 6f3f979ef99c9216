"""How often intervals of few observations hold the truth: results/coverage_groups.md.

    sim42 survey RUN --hands 20000 --deals 100 --seed 42
    nice python scripts/coverage_groups.py RUN LAB

RUN is a finished survey of many hands. LAB is a directory for deals that are solved here, half a
million; what is there already is not solved again.
"""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from sim42 import Hand, Trump, load_run, solve_many
from sim42.deals.random import deals_around, random_hands
from sim42.files import write_file
from sim42.runs.leads import sample_leads
from sim42.tables.call import marks_of
from sim42.tables.counts import HALVES, counts_of, made_of
from sim42.tables.spread import (
    USUAL_POINTS,
    clustered,
    difference_interval,
    student_interval,
)
from sim42.tables.stats import score, student

PAGE = Path(__file__).parent.parent / "results" / "coverage_groups.md"
HANDS, DEALS, SEED_OF_HANDS, SEED = 40, 1_000, 12, 1
TRIES = 2_000
BIDS = (30, 42, 84)
TEXT = """# How often intervals of few observations hold the truth

Made by `python scripts/coverage_groups.py RUN LAB`. An interval of 95 % should hold the truth in 95
of 100 cases; here is how often it does. Where solved deals stand for the truth, the error of their
mean is allowed for.

## Differences deal by deal: the call is ahead by, a lead is behind by

{hands} random hands, {deals:,} deals around each. Marks: the best call against that of the second
trump, both chosen on the sample itself ("chosen"), and two calls that are given beforehand. Leads:
those of each hand's best trump against the best of them, chosen on the sample, in the chance of 30
and in points. "Before" is the mean and 1.96 standard errors, as sim42 once gave, and "Student" the
same with Student's quantile; both say of deals that happen to be alike that all are ("no width").

{differences}

## Rates of few hands

Hands drawn at random from the survey of {survey:,} hands, with all their deals, or with 1 to 100 of
them, which makes them very unequal. "Before" is a cluster-robust variance with the normal quantile;
"plain" the same with Student's and one degree of freedom less than there are hands. A miss "below"
is a truth below the interval.

{survey_rates}

## Rates of few hands that are simulated

Hands differ as much as a beta distribution with an intra-class correlation of 0.15 says (0.30 in
the last column), 40 deals each or 1 to 99.

{simulated}
"""

Cells = NDArray[np.float64]


def main() -> None:
    """Solve what lacks, and write the page."""
    run, lab = load_run(sys.argv[1]), Path(sys.argv[2])
    lab.mkdir(exist_ok=True)
    masks = random_hands(HANDS, SEED_OF_HANDS).tolist()
    page = TEXT.format(
        hands=HANDS,
        deals=DEALS,
        survey=run["mask"].nunique(),
        differences=_table(
            ["what", "deals", "before", "Student", "now", "no width"], differences(lab, masks)
        ),
        survey_rates=_table(
            ["trump", "bid", "truth", "hands", "deals", "before", "plain", "now", "below", "above"],
            survey_rates(run),
        ),
        simulated=_table(
            ["truth", "hands", "deals", "before", "plain", "now", "below", "above", "0.30"],
            simulated(),
        ),
    )
    write_file(PAGE, page.encode())


def _table(head: list[str], rows: Iterator[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def _kept(file: Path, make: Callable[[], dict[str, Any]]) -> dict[str, NDArray[Any]]:
    """The arrays of a file, made first where it is not there."""
    if not file.exists():
        np.savez(file, **make())
        print(file, file=sys.stderr)
    return dict(np.load(file))


def differences(lab: Path, masks: list[int]) -> Iterator[list[str]]:
    """Coverage of differences deal by deal."""
    held: dict[tuple[str, int], list[tuple[bool, ...]]] = {}
    for place, mask in enumerate(masks):
        deals = deals_around(mask, DEALS, SEED)
        points = _kept(
            lab / f"hand-{place}.npz",
            lambda deals=deals: {"points": solve_many(deals, floor=30)},
        )["points"]
        made = (points[..., np.newaxis] >= np.arange(30, 43)).astype(np.int64)
        marks = marks_of(made, np.ones(points.shape, dtype=np.int64), BIDS)
        trump = Trump(int((points >= 30).sum(axis=0).argmax()))
        leads = _kept(
            lab / f"leads-{place}.npz",
            lambda mask=mask, trump=trump: {
                "points": sample_leads(Hand(mask), DEALS, SEED, trump).points[:, 0]
            },
        )["points"].astype(np.int64)
        for n in (10, 20, 50, 100):
            for first in range(0, DEALS - n + 1, max(n, 50)):
                part = slice(first, first + n)
                for what, values, most, usual in _compared(marks, leads, part, place + first):
                    held.setdefault((what, n), []).append(
                        _held(values[part], np.delete(values, part), most, usual)
                    )
    for (what, n), told in sorted(held.items()):
        yield [what, str(n), *(f"{share:.1%}" for share in np.mean(told, axis=0))]


def _compared(
    marks: Cells, leads: Cells, part: slice, which: int
) -> Iterator[tuple[str, Cells, float, float | None]]:
    """Differences of all deals, (deals,), chosen on a part; how large they can be, or usually are.

    Marks are (deals, 9, bids), points after each lead (deals, tiles).
    """
    worth = marks[part].sum(axis=0)
    order = np.lexsort((-worth[:, 0], -worth.max(axis=1)))
    pairs = {"marks, chosen": order[:2], "marks, given": [which % 9, (which + 1 + which % 7) % 9]}
    for name, two in pairs.items():
        by = worth if name.endswith("chosen") else marks.sum(axis=0)
        calls = [(trump, int(by[trump].argmax())) for trump in two]
        (a, bid), (b, other) = calls
        yield name, marks[:, a, bid] - marks[:, b, other], (1, 1, 2)[bid] + (1, 1, 2)[other], None
    made = (leads >= 30).astype(np.int64)
    best = int(np.lexsort((-leads[part].sum(axis=0), -made[part].sum(axis=0)))[0])
    other = (best + 1 + which % (leads.shape[1] - 1)) % leads.shape[1]
    yield "lead, chance of 30", made[:, best] - made[:, other], 1, None
    yield "lead, points", leads[:, best] - leads[:, other], 42, USUAL_POINTS


def _held(values: Cells, rest: Cells, most: float, usual: float | None) -> tuple[bool, ...]:
    """Whether the old interval, Student's, and the one in use hold the mean of the rest."""
    n, mean = len(values), values.mean()
    error = values.std(ddof=1) / n**0.5
    own = rest.var(ddof=1) / len(rest)
    if usual is None:
        low, high = difference_interval(mean, error**2, n, most)
    else:
        _, low, high = student_interval(values, usual, -most, most)

    def holds(low: float, high: float, error: float) -> bool:
        half = (high - low) / 2 * (1 + own / max(error, 1e-9) ** 2) ** 0.5
        return bool(abs(rest.mean() - (low + high) / 2) <= half)

    plain = [
        holds(mean - z * error, mean + z * error, error) if error else not own
        for z in (1.96, student(0.95, n - 1))
    ]
    wide = max(error, (high - low) / 2 / student(0.95, n + 1))
    return (*plain, holds(low, high, wide), not error)


def survey_rates(run: pd.DataFrame) -> Iterator[list[str]]:
    """Coverage of rates over few hands of a survey."""
    rng = np.random.default_rng(5)
    for trump in ("fives", "doubles"):
        rows = run[run["trump"] == trump]
        made, deals = made_of(counts_of(rows, *HALVES)), rows["deals"].to_numpy()
        for bid in (30, 42):
            hits = made[:, bid - 30]
            truth = hits.sum() / deals.sum()
            for hands in (2, 5, 10, 20, 100):
                for some in (False, True):
                    told = []
                    for _ in range(TRIES):
                        chosen = rng.choice(len(rows), hands, replace=False)
                        h, n = hits[chosen], deals[chosen]
                        if some:
                            n = (n ** rng.random(hands)).astype(np.int64)
                            h = rng.hypergeometric(h, deals[chosen] - h, n)
                        told.append(_rates_held(h, n, truth))
                    shares = [f"{share:.1%}" for share in np.mean(told, axis=0)]
                    word = "1-100" if some else "100"
                    yield [trump, str(bid), f"{truth:.1%}", str(hands), word, *shares]


def simulated() -> Iterator[list[str]]:
    """Coverage of rates over few hands that are simulated."""
    rng = np.random.default_rng(5)
    for rate in (0.5, 0.2, 0.05):
        for hands in (2, 5, 10, 20, 100):
            for unequal in (False, True):
                shares = []
                for likeness in (0.15, 0.30):
                    strength = 1 / likeness - 1
                    told = []
                    for _ in range(TRIES):
                        n = rng.integers(1, 100, hands) if unequal else np.full(hands, 40)
                        chance = rng.beta(rate * strength, (1 - rate) * strength, hands)
                        told.append(_rates_held(rng.binomial(n, chance), n, rate))
                    shares.append([f"{share:.1%}" for share in np.mean(told, axis=0)])
                word = "1-99" if unequal else "40"
                yield [f"{rate:.0%}", str(hands), word, *shares[0], shares[1][2]]


def _rates_held(hits: NDArray[np.int64], n: NDArray[np.int64], truth: float) -> tuple[bool, ...]:
    """Whether the old interval, the plain one and `clustered` hold; the truth below, above."""
    hands, rate = len(n), hits.sum() / n.sum()
    variance = ((hits - rate * n) ** 2).sum() * hands / (hands - 1) / n.sum() ** 2
    worth = hands if rate in (0, 1) else min(rate * (1 - rate) / max(variance, 1e-12), n.sum())
    half = 1.96 * variance**0.5
    low, high = score(np.float64(rate), np.float64(worth), student(0.95, hands - 1))
    before, plain = abs(rate - truth) <= half, low <= truth <= high
    _, low, high = clustered(hits, n)
    return bool(before), bool(plain), bool(low <= truth <= high), truth < low, truth > high


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main()
