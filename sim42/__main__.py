"""``python -m sim42`` is the ``sim42`` command."""

from sim42.cli import run

if __name__ == "__main__":
    run()
