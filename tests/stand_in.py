"""Quick false values in place of the solver, and a survey on them in a process that can be killed.

As a program: ``stand_in.py SECONDS ARGUMENT...`` runs ``sim42 ARGUMENT...``, each call of the
solver taking so long, after it said "ready" on stdout.
"""

import os
import sys
import time
from itertools import count
from pathlib import Path

import numpy as np


def points(deals, ranks, follows, wins, groups, leaders, floor, bounds):
    """Something from 29 to 42 for each deal and trump, always the same."""
    trump = (ranks * np.arange(3, 31)).sum(axis=1)
    mixed = (deals * np.array([3, 5, 7, 11])).sum(axis=1)[:, np.newaxis] * 40503 + trump * 9973
    values = 29 + (mixed ^ mixed >> 11) % 14
    clipped = np.maximum(values, floor - 1).astype(np.int8)[:, :, np.newaxis]
    return clipped, np.zeros(clipped.shape, dtype=np.int64)


def replace_solver(pause):
    import sim42.runs.blocks

    def slow_points(*arguments):
        time.sleep(pause)
        return points(*arguments)

    sim42.runs.blocks.solve_block = slow_points


def dask_setup(worker):
    """Called in a dask worker that preloads this file: its second block waits for a file."""
    import sim42.runs.blocks

    gate, begun, count_block = (
        Path(os.environ["SOLVER_GATE"]),
        count(),
        sim42.runs.blocks.count_block,
    )

    def gated_count(*arguments):
        waits = next(begun) > 0
        while waits and not gate.exists():
            time.sleep(0.02)
        return count_block(*arguments)

    replace_solver(0)
    sim42.runs.blocks.count_block = gated_count


def main():
    from sim42.cli import main

    replace_solver(float(sys.argv[1]))
    print("ready", flush=True)
    main(sys.argv[2:])


if __name__ == "__main__":
    main()
