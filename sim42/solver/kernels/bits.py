"""Bits of masks and words of memory: one machine instruction each when compiled, plain when not.

Kernels reach their memory by its address. An array as argument would be seven values, counted
references and a test for negative indices; an address is one value, and a word is one load. But an
address does not keep its array alive, so one kernel alone asks for it: `search.ask`.
"""

from typing import Any

from numba import types
from numba.core import config
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from sim42.solver.kernels._jit import inlined

if config.DISABLE_JIT:

    def popcount(mask: Any) -> Any:
        """Number of tiles in a mask."""
        return int(mask).bit_count()

    def lowest(mask: Any) -> Any:
        """Place of the lowest bit of a mask that is not empty."""
        return (int(mask) & -int(mask)).bit_length() - 1

    def width(mask: Any) -> Any:
        """Place of the highest bit of a mask, plus one; 0 of an empty mask."""
        return int(mask).bit_length()

    def address(room: Any) -> Any:
        """Where an int64 array lies; the array must outlive it."""
        return room

    def word(memory: Any, index: Any) -> Any:
        """Word `index` of the array at an address; it must be within the array."""
        return int(memory[index])

    def put(memory: Any, index: Any, value: Any) -> None:
        """Write word `index` of the array at an address; it must be within the array."""
        memory[index] = value

else:

    @intrinsic
    def popcount(typing: Any, mask: Any) -> Any:
        """Number of tiles in a mask."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), build

    @intrinsic
    def lowest(typing: Any, mask: Any) -> Any:
        """Place of the lowest bit of a mask that is not empty."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.cttz(arguments[0], context.get_constant(types.boolean, True))

        return types.int64(types.int64), build

    @intrinsic
    def width(typing: Any, mask: Any) -> Any:
        """Place of the highest bit of a mask, plus one; 0 of an empty mask."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            zeros = builder.ctlz(arguments[0], context.get_constant(types.boolean, False))
            return builder.sub(context.get_constant(types.int64, 64), zeros)

        return types.int64(types.int64), build

    @intrinsic
    def address(typing: Any, room: Any) -> Any:
        """Where an int64 array lies; the array must outlive it."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return make_array(signature.args[0])(context, builder, arguments[0]).data

        return types.CPointer(types.int64)(room), build

    @intrinsic
    def word(typing: Any, memory: Any, index: Any) -> Any:
        """Word `index` of the array at an address; it must be within the array."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.load(builder.gep(arguments[0], [arguments[1]]))

        return types.int64(memory, types.int64), build

    @intrinsic
    def put(typing: Any, memory: Any, index: Any, value: Any) -> Any:
        """Write word `index` of the array at an address; it must be within the array."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            builder.store(arguments[2], builder.gep(arguments[0], [arguments[1]]))
            return context.get_dummy_value()

        return types.void(memory, types.int64, types.int64), build


@inlined
def highest(mask):
    """The highest bit of a mask that is not empty, as a mask."""
    return 1 << width(mask) - 1


@inlined
def above(mask):
    """All bits above the highest one of a mask; all bits there are when it is empty."""
    return -1 << width(mask)


@inlined
def count_of(mask, count, tens):
    """Points of all count tiles in a mask; `count` are the count tiles, `tens` those of ten."""
    return 5 * (popcount(mask & count) + popcount(mask & tens))


@inlined
def most(mask, count, tens):
    """Points of the best count tile in a mask; 0 when there is none."""
    return (10 if mask & tens else 5) if mask & count else 0


@inlined
def least(mask, count, tens):
    """Points of the tile of least count in a mask that is not empty."""
    return 0 if mask & ~count else 5 if mask & ~tens else 10
