"""How often intervals of one hand hold the truth, and what adjusting saves: results/coverage.md.

    python scripts/coverage.py LAB

LAB is a directory for solved deals, some 2.5 million; what is there already is not solved again.
"""

import os
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy: its sums are small

import numpy as np
from numpy.typing import NDArray

from sim42 import Hand, Rules, Trump, solve_many
from sim42.deals.random import deals_around, random_hands
from sim42.files import write_file
from sim42.runs.adjust import Adjuster, Moments
from sim42.runs.looks import looks
from sim42.runs.sample import BIDS, HandSample
from sim42.runs.tally import HandTally, made_in, tally_of
from sim42.tables.rates import Rates, hand_rates
from sim42.tables.recommend import call_of
from sim42.tables.stats import wilson
from sim42.tables.stopping import Wanted, half_width

PAGE = Path(__file__).parent.parent / "results" / "coverage.md"
HANDS, SEED_OF_HANDS, SEED = 50, 12, 1
FIRST, DEALS = 1_000, 21_000
"""Deals with all trumps, to find the recommended one, and deals with two of them."""
AT = (0, 5, 12)
"""Places of the bids looked at: 30, 35 and 42."""
BOUND = 5_000
TEXT = """# How sure the figures of one hand are

Made by `python scripts/coverage.py LAB`, from {hands} random hands and {deals:,} deals around each,
solved with two trumps: the one that `sim42 bid` recommends, and another. An interval of 95 % should
hold the truth in 95 of 100 cases. "Truth" is the mean of the deals of the hand that are not in the
interval's own sample, and its own error is allowed for.

## Adjusted for what was dealt

"Fewer deals" is how many fewer give an interval as narrow as counting does; rates below 2 % and
above 98 % are left out of it.

{sharp}

## Asking for precision, not deals

Deals are solved up to the first look at which all intervals of the recommended trump are so narrow
to either side.

{precise}

## Asking which call is best

Deals are solved up to the first look at which `--until-sure` says that one of the two trumps is
better, or to {bound:,}. "Wrong" is a trump that is worth less in all {deals:,} deals.

{sure}
"""

Cells = NDArray[np.float64]


class Solved(NamedTuple):
    """A hand, two trumps, and the points of all its deals with them."""

    mask: int
    trumps: tuple[Trump, Trump]
    points: NDArray[np.int8]

    def tally(self, first: int, count: int, trumps: int = 2) -> HandTally:
        """What `sim42 bid` adds up of some of the deals, with the first or both of the trumps."""
        called, points = self.trumps[:trumps], self.points[first : first + count, :trumps]
        sample = HandSample(Hand(self.mask), called, SEED, Rules(), points)
        adjuster = Adjuster(self.mask, None, called, made_in)
        adjuster.add(points, deals_around(self.mask, count, SEED, first))
        return replace(tally_of(sample, plain=True), adjusted=adjuster.moments())


def main() -> None:
    """Solve what lacks, and write the page."""
    lab = Path(sys.argv[1])
    lab.mkdir(exist_ok=True)
    hands = random_hands(HANDS, SEED_OF_HANDS).tolist()
    solved = [_solved(lab, place, mask) for place, mask in enumerate(hands)]
    page = TEXT.format(
        hands=HANDS,
        deals=DEALS,
        bound=BOUND,
        sharp="\n".join(sharp(solved)),
        precise="\n".join(precise(solved)),
        sure="\n".join(sure(solved)),
    )
    write_file(PAGE, page.encode())


def _solved(lab: Path, place: int, mask: int) -> Solved:
    """A hand, from the lab if it is there."""
    file = lab / f"hand-{place}.npz"
    if not file.exists():
        every = solve_many(deals_around(mask, FIRST, SEED), floor=30)
        best = int(np.maximum((every >= 30).mean(0), 2 * (every >= 42).mean(0) - 0.5).argmax())
        two = [best, (best + 1 + place % 8) % 9]
        rest = deals_around(mask, DEALS - FIRST, SEED, FIRST)
        more = solve_many(rest, [Trump(trump) for trump in two], floor=30)
        np.savez(file, two=two, points=np.concatenate([every[:, two], more]))
        print(f"hand {place + 1} of {HANDS}", file=sys.stderr)
    stored = np.load(file)
    first, second = map(Trump, stored["two"].tolist())
    return Solved(mask, (first, second), stored["points"])


def sharp(solved: list[Solved]) -> Iterator[str]:
    """Savings and coverage of adjusted rates, by deals and bid."""
    yield (
        "| deals | bid | fewer deals, recommended trump | other trump | holds the truth |"
        " truth below | truth above | counting alone holds |"
    )
    yield "| --- | --- | --- | --- | --- | --- | --- | --- |"
    whole = [hand.tally(0, DEALS).adjusted for hand in solved]
    for n in (100, 1_000, 10_000):
        rows = [
            _held(hand.tally(first, n), truth)[:, AT]
            for hand, truth in zip(solved, whole, strict=True)
            for first in range(0, DEALS - n + 1, max(n, DEALS // 50))
        ]
        cells = np.array(rows)  # (samples, trumps, bids, figures)
        for place, at in enumerate(AT):
            told = cells[:, :, place]
            saved = [1 - np.nanmean(told[:, trump, 0]) for trump in range(2)]
            below, above, plain = (told[..., column].mean() for column in (1, 2, 3))
            yield (
                f"| {n:,} | {BIDS[at]} | {saved[0]:.0%} | {saved[1]:.0%} |"
                f" {1 - below - above:.1%} | {below:.1%} | {above:.1%} | {plain:.1%} |"
            )


def _held(tally: HandTally, whole: Moments) -> Cells:
    """For each trump and bid: deals needed against counting, truth below, above, plain holds."""
    part, n, rest = tally.adjusted, tally.deals, DEALS - tally.deals
    rates: Rates = hand_rates(tally)
    shape = rates.made.shape
    truth = ((whole.means * DEALS - part.means * n) / rest).reshape(shape)
    own = (whole.variances() * DEALS / rest).reshape(shape)
    low, high = rates.interval()
    half = _wider((high - low) / 2, rates.rate, rates.worth, own)
    middle = (low + high) / 2
    count = rates.made / n
    low_plain, high_plain = wilson(rates.made, n)
    half_plain = _wider((high_plain - low_plain) / 2, count, np.full(shape, n), own)
    plain = np.abs(truth - (low_plain + high_plain) / 2) <= half_plain
    told = (count > 0.02) & (count < 0.98)
    needed = np.where(told, ((high - low) / (high_plain - low_plain)) ** 2, np.nan)
    return np.stack([needed, truth < middle - half, truth > middle + half, plain], axis=-1)


def _wider(half: Cells, rate: Cells, n: Cells, own: Cells) -> Cells:
    """Half-widths that allow for the error of the truth too."""
    return half * np.sqrt(1 + own / np.maximum(rate * (1 - rate) / n, 1e-9))


def precise(solved: list[Solved]) -> Iterator[str]:
    """Coverage after stopping for precision."""
    yield "| asked for | deals at the end, middle hand | 30 | 35 | 42 |"
    yield "| --- | --- | --- | --- | --- |"
    whole = [hand.tally(0, DEALS, 1).adjusted for hand in solved]
    for points in (4.0, 2.0):
        held, used = [], []
        for hand, truth in zip(solved, whole, strict=True):
            first = 0
            while first + BOUND <= DEALS:
                for n in looks(BOUND):
                    tally = hand.tally(first, n, 1)
                    if half_width(tally) <= points / 100:
                        break
                told = _held(tally, truth)[0, AT]
                held.append(1 - told[:, 1] - told[:, 2])
                used.append(n)
                first += n
        cells = " | ".join(f"{share:.1%}" for share in np.mean(held, axis=0))
        yield f"| {points:g} points | {int(np.median(used)):,} | {cells} |"


def sure(solved: list[Solved]) -> Iterator[str]:
    """How often a wrong trump is named after stopping for being sure."""
    yield "| asked for | sure in the end | deals then, middle case | wrong of these |"
    yield "| --- | --- | --- | --- |"
    right = [_named(hand.tally(0, DEALS)) for hand in solved]
    for percent in (80.0, 95.0):
        asked, used, wrong, cases = Wanted(BOUND, until_sure=percent), [], 0, 0
        for hand, best in zip(solved, right, strict=True):
            for first in range(0, DEALS - BOUND + 1, BOUND):
                cases += 1
                for n in looks(BOUND):
                    tally = hand.tally(first, n)
                    if asked.reached(tally):
                        used.append(n)
                        wrong += _named(tally) != best
                        break
        share = len(used) / cases
        yield f"| {percent:g} % | {share:.0%} | {int(np.median(used)):,} | {wrong} of {len(used)} |"


def _named(tally: HandTally) -> str:
    """The best trump."""
    return str(call_of(tally)["trump"])


if __name__ == "__main__":
    main()
