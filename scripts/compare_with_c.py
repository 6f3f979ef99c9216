"""Compare sim42 with a double-dummy solver in C: same values, and CPU time on one thread each.

    python scripts/compare_with_c.py SOLVER.c [--deals 1000] [--seed 42] [--floors 30 0]

The C program is built with ``gcc -O3 -march=native``. It takes the floor as argument, reads lines
of four masks, and writes for each the nine values of seats 0 and 2 with seat 0 leading (below the
floor: floor - 1); on standard error, last, its CPU seconds. 11,112 deals are 100,008 values.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sim42.deals.random import random_deals
from sim42.game.trumps import Trump
from sim42.solver.kernels.blocks import solve_block
from sim42.solver.kernels.bounds import ALL_BOUNDS
from sim42.solver.lookups import stacked
from sim42.solver.values import warm_up

BLOCK = 50


def build(source, folder):
    """Compile the C solver; returns the program."""
    program = Path(folder) / "solver"
    subprocess.run(["gcc", "-O3", "-march=native", "-o", program, source], check=True)
    return program


def run_c(program, deals, floor):
    """Values (n, 9) and CPU seconds of the C solver."""
    lines = "".join(" ".join(map(str, deal)) + "\n" for deal in deals.tolist())
    run = subprocess.run(
        [program, str(floor)], input=lines, capture_output=True, text=True, check=True
    )
    values = np.array([line.split() for line in run.stdout.splitlines()], dtype=np.int64)
    return values, float(run.stderr.split()[0])


def run_sim42(deals, floor):
    """Values (n, 9) and CPU seconds of sim42."""
    leaders = np.zeros((len(deals), 1), dtype=np.int64)
    arrays = stacked(Trump)
    begin = time.process_time()
    points, _ = solve_block(deals, *arrays, leaders, floor, ALL_BOUNDS)
    return points[:, :, 0].astype(np.int64), time.process_time() - begin


def compare(program, deals, floor):
    """Blocks in turn, so that both meet the same noise; then deal by deal for the tail."""
    seconds = np.zeros(2)
    different = 0
    for start in range(0, len(deals), BLOCK):
        block = deals[start : start + BLOCK]
        expected, c_seconds = run_c(program, block, floor)
        values, our_seconds = run_sim42(block, floor)
        different += int((values != expected.clip(floor - 1)).sum())
        seconds += our_seconds, c_seconds
    tail = np.array(
        [
            (run_sim42(deal, floor)[1], run_c(program, deal, floor)[1])
            for deal in np.split(deals[:1000], len(deals[:1000]))
        ]
    )
    print(f"floor {floor}: {different} of {9 * len(deals):,} values differ")
    rows = [("mean of a value", seconds / len(deals) / 9)]
    for name, rank in (("median deal", 50), ("99 % deal", 99), ("worst deal", 100)):
        rows.append((name, np.percentile(tail, rank, axis=0)))
    for name, (ours, theirs) in rows:
        milliseconds = f"sim42 {1e3 * ours:8.3f} ms, C {1e3 * theirs:8.3f} ms"
        print(f"  {name:16} {milliseconds}, ratio {ours / theirs:.2f}")
    return different


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--floors", type=int, nargs="+", default=[30, 0])
    arguments = parser.parse_args()
    warm_up()
    deals = random_deals(arguments.deals, arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        program = build(arguments.source, folder)
        different = sum(compare(program, deals, floor) for floor in arguments.floors)
    sys.exit(1 if different else 0)


if __name__ == "__main__":
    main()
