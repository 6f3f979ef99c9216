"""The answer of ``sim42 odds`` for a terminal."""

from typing import Any

import pandas as pd

from sim42.tables.words import every_words, number_words, percent

PLACES = 3
"""Decimals of per cent of what was counted; what was sampled has one."""


def odds_text(table: pd.DataFrame) -> str:
    """The question, how it was answered, and the chances."""
    attrs = table.attrs
    lines = [attrs["question"]]
    if attrs["hand"]:
        lines.append(f"around {attrs['hand']}")
    if attrs["given"]:
        lines.append(f"given that {attrs['given']}")
    total = table["of"].iloc[0]
    if attrs["exact"]:
        lines.append(
            f"Counted exactly, over {every_words(total, attrs['cases'].removesuffix('s'))}."
        )
    else:
        deals = number_words(total, "random deal")
        lines.append(f"Too many to count: asked of {deals}, seed {attrs['seed']}.")
    lines.append("")
    if attrs["truth"]:
        lines += _truth_lines(table)
    else:
        lines += _value_lines(table)
    return "\n".join(lines) + "\n"


def _truth_lines(table: pd.DataFrame) -> list[str]:
    yes = table[table["value"] == 1].to_dict("records")
    # Where it is never true, there is the row of the false alone.
    row: dict[Any, Any] = yes[0] if yes else {**table.iloc[0], "cases": 0, "chance": 0.0}
    places = PLACES if table.attrs["exact"] else 1
    lines = [f"true in {row['cases']:,} of {row['of']:,}: {percent(row['chance'], places)} %"]
    if not table.attrs["exact"]:
        low, high = (row["low"], row["high"]) if yes else (0.0, 1 - row["low"])
        lines.append(f"95 % interval {percent(low)} to {percent(high)} % (Wilson).")
    return lines


def _value_lines(table: pd.DataFrame) -> list[str]:
    """A row a value; of each seat two columns."""
    exact = table.attrs["exact"]
    seats = list(dict.fromkeys(table["seat"]))
    values = sorted(set(table["value"]))
    cells = {(row["seat"], row["value"]): row for row in table.to_dict("records")}
    width = max(13, *(len(f"{cases:,}") + 2 for cases in table["cases"]))
    lines = []
    if seats != [""]:
        lines.append(f"{'':5}" + "".join(f"{seat:>{width + 9}}" for seat in seats))
    heads = (
        f"{'of ' + table.attrs['cases'] if exact else 'chance':>{width}}{'%' if exact else '±':>9}"
    )
    lines.append(f"{'value':5}" + heads * len(seats))
    for value in values:
        line = f"{value:>5}"
        for seat in seats:
            row = cells.get((seat, value))
            if row is None:
                line += f"{0:>{width}}{0:>9}" if exact else " " * (width + 9)
            elif exact:
                line += f"{row['cases']:>{width},}{percent(row['chance'], PLACES):>9}"
            else:
                half = 50 * (row["high"] - row["low"])
                line += (
                    f"{percent(row['chance'], 2):>{width}}{f'{half:.2f}' if half else 'exact':>9}"
                )
        lines.append(line)
    return lines
