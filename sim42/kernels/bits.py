"""Bit counting on masks: one machine instruction each when compiled, plain Python when not."""

from typing import Any

from numba import types
from numba.core import config
from numba.extending import intrinsic

from sim42.kernels._jit import kernel

if config.DISABLE_JIT:

    def popcount(mask: Any) -> Any:
        """Number of tiles in a mask."""
        return int(mask).bit_count()

    def lowest(mask: Any) -> Any:
        """Lowest tile id of a mask that is not empty."""
        return (int(mask) & -int(mask)).bit_length() - 1

else:

    @intrinsic
    def popcount(typing: Any, mask: Any) -> Any:
        """Number of tiles in a mask."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            return builder.ctpop(arguments[0])

        return types.int64(types.int64), build

    @intrinsic
    def lowest(typing: Any, mask: Any) -> Any:
        """Lowest tile id of a mask that is not empty."""

        def build(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
            flag = context.get_constant(types.boolean, True)
            return builder.cttz(arguments[0], flag)

        return types.int64(types.int64), build


COUNT = 1 << 20 | 1 << 25 | 1 << 15 | 1 << 11 | 1 << 8
"""The count tiles: 5-5, 6-4, 5-0, 4-1 and 3-2 (T2)."""
TENS = 1 << 20 | 1 << 25
"""Those of ten points."""


@kernel
def count_of(mask):
    """Points of the count tiles in a mask."""
    return 5 * (popcount(mask & COUNT) + popcount(mask & TENS))
