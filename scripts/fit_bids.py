"""How likely hands call a trump or pass: print the numbers of sim42/play/bids.py.

    python scripts/fit_bids.py

Each of the first hands of results/survey-best.parquet calls its best trump for a bid where it makes
it in half of its deals or more, double dummy, and passes else. The numbers are those
under which these calls are most likely, over five bids.
"""

import sys
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sim42.game.trumps import Trump
from sim42.play.bids import chances

HANDS = 4_000
"""The first so many were fitted to."""
SURVEY = Path(__file__).resolve().parent.parent / "results" / "survey-best.parquet"
BIDS = (30, 32, 35, 38, 42)


def main():
    hands = pd.read_parquet(SURVEY).head(HANDS)
    masks = hands["mask"].to_numpy()
    trumps = np.array([Trump(str(name)) for name in hands["best_trump"]])
    called = {bid: np.where(hands[f"best_rate_{bid}"] >= 0.5, trumps, len(Trump)) for bid in BIDS}

    def unlikely(pulls):
        logs = [
            np.log(chances(masks, bid, pulls)[np.arange(len(masks)), call]).sum()
            for bid, call in called.items()
        ]
        return -sum(logs) / len(masks) / len(BIDS)

    found = minimize(unlikely, np.array([1, 1, 1, 0, 1, 0, 1, 8, 0.1]))
    print("pulls:", ", ".join(f"{pull:.3f}" for pull in found.x))
    print(f"log likelihood of a call: {-found.fun:.3f}")
    for bid, call in called.items():
        told = chances(masks, bid, found.x)
        right = (told.argmax(axis=1) == call).mean()
        passes = (call == len(Trump)).mean()
        print(f"bid {bid}: {passes:.3f} pass, told {told[:, -1].mean():.3f}")
        print(f"the most likely call is the right one in {right:.3f}")


if __name__ == "__main__":
    main()
