"""The table of bounds: probe and store, a word an entry, and any later entry replaces ("always").

An entry holds one bound only: reading the other one back to keep it costs more than it saves. The
search is mostly in endings, and 128 kB stay in the second-level cache.
"""

from sim42.solver.kernels._jit import inlined
from sim42.solver.kernels.bits import put, word
from sim42.solver.kernels.layout import (
    GAME,
    NO_BOUNDS,
    NO_LIMIT,
    bounds_of,
    entry_of,
    is_entry_of,
    key_of,
    slot_of,
)


@inlined
def probe(memory, tiles, leader):
    """Bounds on what the leader's side takes with these tiles to come: low and high, packed."""
    key = key_of(tiles, leader)
    entry = word(memory, slot_of(key))
    bounds = NO_BOUNDS
    if is_entry_of(entry, key, word(memory, GAME)):
        bounds = bounds_of(entry)
    return bounds


@inlined
def store(memory, tiles, leader, points, is_low):
    """Enter a low or a high bound."""
    key = key_of(tiles, leader)
    low = points if is_low else 0
    high = NO_LIMIT if is_low else points
    put(memory, slot_of(key), entry_of(key, low, high, word(memory, GAME)))
