"""Run the command line: ``python -m sim42``."""

from sim42.cli import main

main()
