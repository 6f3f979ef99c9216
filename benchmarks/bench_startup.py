"""Start-up, each in a fresh interpreter: what needs no compiled code, and a small bid with it.

The first round of each is not counted: after it the compiled code is in the cache.
"""

import subprocess
import sys

import pytest

COMMANDS = {
    "version": ["-m", "sim42", "--version"],
    "help": ["-m", "sim42", "--help"],
    "import": ["-c", "import sim42.solver.values"],
    "bid": ["-m", "sim42", "bid", "6-4 5-5 4-2 3-1 2-0 1-1 0-0", "--deals", "10", "--seed", "42"],
}


@pytest.mark.parametrize("name", COMMANDS)
def bench_command(benchmark, name):
    command = [sys.executable, *COMMANDS[name]]
    benchmark.pedantic(
        subprocess.run,
        (command,),
        {"check": True, "stdout": subprocess.DEVNULL},
        rounds=3,
        warmup_rounds=1,
    )
