"""What passing is worth over many hands, and how far the model's short cut is off.

    python scripts/passing.py RUN [--hands 2000] [--deals 100] [--checked 300] [--layouts 100]

RUN is a survey of random hands (sim42 survey RUN --hands 20000 --deals 100 --seed 42). Passing is
priced on the run's own deals around its first hands. Then, on single deals, the others' chances
come from solved layouts around each hand in place of the outlook of its tiles. results/passing.md
is written.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sim42.deals.random import deals_around_hands
from sim42.files import write_file
from sim42.game.rules import Rules
from sim42.runs.frames import load_run
from sim42.solver.values import solve_many
from sim42.tables import in_play
from sim42.tables.call import MUST_BID, call_bids, choose
from sim42.tables.counts import BIDS, bids_of, by_hand
from sim42.tables.passing import WHO, chances_after, contracts_after, scores_played
from sim42.tables.rates import PARTS, whole
from sim42.tables.spread import mean_interval

PAGE = Path(__file__).resolve().parent.parent / "results" / "passing.md"
RULES = Rules()
BLOCK = 200
"""Hands at a time."""
LAYOUT_SEED = 7
"""Of the layouts that check the outlook; another seed than the run's."""


def priced(hands, deals, seed, bold):
    """Scores of passing and declarers, (hands, deals), and share of openings of 30 left alone."""
    scores, declarers, left = [], [], []
    for start in range(0, len(hands), BLOCK):
        some = hands[start : start + BLOCK]
        index = np.tile(np.arange(deals, dtype=np.int64), len(some))
        dealt = deals_around_hands(np.repeat(some, deals), index, seed)
        chances = chances_after(dealt)
        if bold:
            contracts = contracts_after(chances, RULES)
            won = scores_played(dealt, contracts, RULES)
        else:
            chances = in_play.estimates_of(chances).rate
            contracts = contracts_after(chances, RULES)
            won = in_play._scores(contracts, chances)
        scores.append(won.reshape(-1, deals))
        declarers.append(contracts.declarer.reshape(-1, deals))
        left.append((contracts_after(chances, RULES, 0, 30).declarer == 0).mean())
    return np.concatenate(scores), np.concatenate(declarers), float(np.mean(left))


def by_layouts(hands, layouts):
    """Chances of each bid with each trump, (hands, 9, 13), in layouts around each hand."""
    found = []
    for start in range(0, len(hands), BLOCK):
        some = hands[start : start + BLOCK]
        index = np.tile(np.arange(layouts, dtype=np.int64), len(some))
        dealt = deals_around_hands(np.repeat(some, layouts), index, LAYOUT_SEED)
        points = solve_many(dealt, floor=30).reshape(len(some), layouts, 9)
        found.append((points[..., np.newaxis] >= np.array(BIDS)).mean(axis=1))
    return np.concatenate(found)


def checked(hands, seed, layouts):
    """Scores of passing (deals, 2) by the outlook and by layouts; how often contracts agree."""
    dealt = deals_around_hands(hands, np.zeros(len(hands), dtype=np.int64), seed)
    solved = by_layouts(dealt[:, 1:].ravel(), layouts).reshape(len(hands), 3, 9, len(BIDS))
    both = [contracts_after(chances, RULES) for chances in (chances_after(dealt), solved)]
    scores = np.stack([scores_played(dealt, contracts, RULES) for contracts in both], axis=1)
    return scores, [(a == b).mean() for a, b in zip(*both, strict=True)]


def best_marks(frame, hands, bold):
    """Marks of the best bid of each hand on the run's deals, double dummy or in play."""
    found = []
    for counted in by_hand(frame[frame["mask"].isin(hands)], bids_of(frame)):
        made, deals = counted.made.sum(axis=2), counted.deals.sum(axis=2)
        if not bold:
            rates = in_play.estimates_of(made / deals[..., np.newaxis]).rate
            made, deals = whole(rates), np.full(deals.shape, PARTS)
        calls = choose(made, deals, call_bids(RULES), passing=MUST_BID)
        found.append(calls.marks / calls.deals)
    return np.concatenate(found)


def shown(figures):
    mean, low, high = figures
    return f"{mean:+.3f} ({low:+.3f} to {high:+.3f})"


def page_of(frame, hands, arguments):
    deals, seed = arguments.deals, frame.attrs["seed"]
    names = " | ".join(WHO)
    lines = [
        "# What passing is worth",
        "",
        f"The first {len(hands):,} random hands of seed {seed}, {deals} deals each; the hand",
        "speaks first and passes. Marks a deal for its side by the model of",
        "`sim42/tables/passing.py`. Intervals are of 95 %.",
        "",
        "    python scripts/passing.py RUN   # makes this page anew",
        "",
        f"| | mean | 5 % | half | 95 % | {names} | leave a 30 | told to bid |",
        "| --- | --- |" + " ---: |" * 9,
    ]
    free = {}
    for name, bold in (("double dummy", True), ("in play", False)):
        marks = best_marks(frame, hands, bold)
        free[bold] = 100 * (marks >= 0).mean()
        scores, declarers, left = priced(hands, deals, seed, bold)
        worth = scores.mean(axis=1)
        told = (marks >= worth).mean()
        spread = " | ".join(f"{x:+.2f}" for x in np.percentile(worth, [5, 50, 95]))
        who = np.bincount(declarers.ravel(), minlength=4) / declarers.size
        lines.append(
            f"| {name} | {shown(mean_interval(worth, -2, 2))} | {spread} | "
            + " | ".join(f"{100 * share:.1f} %" for share in who)
            + f" | {100 * left:.1f} % | {100 * told:.1f} % |"
        )
    lines += [
        "",
        "In play all bid, and make what they bid, by the chances of players who do not see",
        "(`sim42/tables/in_play.py`). Leave a 30: deals in which nobody bids over an opening",
        "bid of 30. Told to bid: hands whose best bid, if it holds, is worth no less than",
        f"passing; against a pass worth nothing {free[True]:.1f} % double dummy and",
        f"{free[False]:.1f} % in play.",
        "",
    ]
    few, layouts = hands[: arguments.checked], arguments.layouts
    scores, same = checked(few, seed, layouts)
    names = ("declarer", "trump", "bid")
    agree = ", ".join(f"{n} in {100 * s:.0f} %" for n, s in zip(names, same, strict=True))
    by_tiles, by_deals = (shown(mean_interval(column, -2, 2)) for column in scores.T)
    lines += [
        "## The outlook of tiles in place of solved layouts",
        "",
        f"On one deal of each of {len(few)} hands the others' chances came from {layouts} solved",
        f"layouts each, too. The contract has the same {agree}.",
        f"Passing is worth {by_tiles} by the outlook, {by_deals} by layouts;",
        f"on the same deals {shown(mean_interval(scores[:, 0] - scores[:, 1], -4, 4))} apart.",
    ]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--hands", type=int, default=2000)
    parser.add_argument("--deals", type=int, default=100)
    parser.add_argument("--checked", type=int, default=300)
    parser.add_argument("--layouts", type=int, default=100)
    arguments = parser.parse_args()
    frame = load_run(arguments.run)
    hands = frame["mask"].drop_duplicates().to_numpy()[: arguments.hands]
    write_file(PAGE, page_of(frame, hands, arguments).encode())


if __name__ == "__main__":
    main()
