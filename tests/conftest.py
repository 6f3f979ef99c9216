"""The same surroundings for every test, whatever the shell and the machine."""

import os
import signal

from hypothesis import settings

for name in list(os.environ):
    if name.startswith("SIM42_") or name == "PYTHONUNBUFFERED":
        del os.environ[name]
os.environ.update(MPLBACKEND="Agg", COLUMNS="80", TERM="dumb", NO_COLOR="1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # as the command does, before numpy is there

# Begun in the background of a script, the tests would ignore Ctrl-C, and so would what they start.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The first example may wait for a compiler; CI tries the same examples every time.
settings.register_profile("dev", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, database=None, print_blob=True)
settings.load_profile("ci" if os.environ.get("CI") else "dev")
