"""``python -m sim42`` is the ``sim42`` command."""

from sim42.cli import main

if __name__ == "__main__":
    main(prog_name="sim42")
