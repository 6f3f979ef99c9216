"""Fit sim42/tables/outlook.csv, by which a hand's chances are told without dealing, on a survey.

    python scripts/outlook.py RUN     # sim42 survey RUN --hands 20000 --deals 100 --seed 42

The numbers shipped are fitted on all hands. What is printed is measured on the odd hands with
numbers fitted on the even ones: how far the chance of a trump and bid is off once the noise of the
survey's own deals is taken away, and what the call is worth that the chances choose.
"""

import argparse
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sim42.files import write_file
from sim42.runs.frames import load_run
from sim42.tables import outlook
from sim42.tables.counts import BIDS, HALVES, counts_of, made_of
from sim42.tables.features import kinds_of

RIDGE = 1e-2
"""Keeps weights of terms that say the same thing, or nothing, from running away."""


def fitted(terms, made, deals):
    """Weights (terms,) of a logistic regression of how many of the deals were made, by Newton."""
    weights = np.zeros(terms.shape[1])
    for _ in range(50):
        chance = 1 / (1 + np.exp(-terms @ weights))
        spread = deals * chance * (1 - chance)
        slope = terms.T @ (made - deals * chance) - RIDGE * weights
        bend = (terms.T * spread) @ terms + RIDGE * np.eye(len(weights))
        step = np.linalg.solve(bend, slope)
        weights += step
        if abs(step).max() < 1e-7:
            return weights
    raise ArithmeticError("the weights did not settle")


def all_weights(masks, trumps, made, deals):
    """Weights (kinds, terms, bids)."""
    weights = []
    for kind in range(len(outlook.KINDS)):
        of_kind = kinds_of(trumps) == kind
        terms = outlook.terms_of(masks[of_kind], trumps[of_kind])
        columns = made[of_kind].T
        weights.append(np.stack([fitted(terms, m, deals[of_kind]) for m in columns], axis=1))
    return np.array(weights)


def report(masks, trumps, made, deals, weights):
    """Print how far weights are off on hands that did not make them."""
    for kind, name in enumerate(outlook.KINDS):
        of_kind = kinds_of(trumps) == kind
        odds = outlook.terms_of(masks[of_kind], trumps[of_kind]) @ weights[kind]
        chance, n = 1 / (1 + np.exp(-odds)), deals[of_kind, np.newaxis]
        rate = made[of_kind] / n
        noise = (rate * (1 - rate) / (n - 1)).mean(axis=0)
        error = ((rate - chance) ** 2).mean(axis=0) - noise
        share = 1 - error / (rate.var(axis=0) - noise)
        for bid in (30, 36, 42):
            place = BIDS.index(bid)
            print(
                f"{name:10} {bid}: off by {100 * error[place] ** 0.5:.1f} points, "
                f"explains {100 * share[place]:.1f} % of the variance"
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    frame = load_run(parser.parse_args().run)
    masks, trumps = frame["mask"].to_numpy(), frame["trump"].cat.codes.to_numpy().astype(np.int64)
    made, deals = made_of(counts_of(frame, *HALVES)), frame["deals"].to_numpy()
    hands = np.unique(masks, return_inverse=True)[1]
    even, odd = hands % 2 == 0, hands % 2 == 1
    half = all_weights(masks[even], trumps[even], made[even], deals[even])
    report(masks[odd], trumps[odd], made[odd], deals[odd], half)
    weights = all_weights(masks, trumps, made, deals)
    lines = [",".join(("kind", "term", *map(str, BIDS)))]
    for kind, rows in zip(outlook.KINDS, weights, strict=True):
        for term, row in zip(outlook.TERMS, rows, strict=True):
            lines.append(",".join((kind, term, *(f"{weight:.4f}" for weight in row))))
    write_file(outlook.NUMBERS, "".join(f"{line}\n" for line in lines).encode())


if __name__ == "__main__":
    main()
