"""Random numbers that depend on their place alone: Philox4x32-10, a counter under a key.

Whoever asks for draw n of a place gets the same number, whatever was drawn before and by whom.
Words are of 32 bits in int64; products go by halves of 16 bits, so that nothing overflows and the
code gives the same numbers compiled and not.
"""

from sim42.solver.kernels._jit import kernel

LOW = (1 << 32) - 1


@kernel
def high_product(word, by):
    """High 32 bits of the product of two words."""
    middle = (word >> 16) * by + ((word & 0xFFFF) * by >> 16)
    return middle >> 16


@kernel
def low_product(word, by):
    """Low 32 bits of the product of two words."""
    return ((word >> 16) * by << 16 & LOW) + (word & 0xFFFF) * by & LOW


@kernel
def philox(key, counter):
    """Four words of a place: key is two words, counter four."""
    k0, k1 = key
    a, b, c, d = counter
    for _ in range(10):
        high_a = high_product(a, 0xD2511F53)
        low_a = low_product(a, 0xD2511F53)
        high_c = high_product(c, 0xCD9E8D57)
        low_c = low_product(c, 0xCD9E8D57)
        a = high_c ^ b ^ k0
        b = low_c
        c = high_a ^ d ^ k1
        d = low_a
        k0 = k0 + 0x9E3779B9 & LOW
        k1 = k1 + 0xBB67AE85 & LOW
    return a, b, c, d


@kernel
def number_below(bound, key, counter):
    """A number from 0 to bound - 1, all equally likely; bound is at most 2**30.

    Of the four words of a place two make a number of 58 bits. One in the incomplete last stretch of
    `bound` is passed over for the other two, which serve whatever they are: both fail in fewer than
    one place of 2**56.
    """
    a, b, c, d = philox(key, counter)
    number = a << 26 | b >> 6
    if number >= (1 << 58) // bound * bound:
        number = c << 26 | d >> 6
    return number % bound
