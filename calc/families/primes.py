"""Prime numbers in order from a given one on."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice
from math import isqrt

STRETCH = 1 << 14
"""Numbers sieved at once: some 800 primes near 20 million."""


@lru_cache(maxsize=16)
def primes_from(first: int, number: int) -> tuple[int, ...]:
    """The smallest `number` primes that are at least `first`, by the sieve of Eratosthenes, a stretch at a time.

    >>> primes_from(90, 4), primes_from(20_000_000, 2)
    ((97, 101, 103, 107), (20000003, 20000023))
    """
    found: list[int] = []
    start = max(first, 2)
    while len(found) < number:
        is_prime = bytearray(b"\x01") * STRETCH
        for divisor in primes_below(isqrt(start + STRETCH) + 1):
            begin = max(divisor * divisor, -(-start // divisor) * divisor) - start
            is_prime[begin::divisor] = bytes(len(range(begin, STRETCH, divisor)))
        found += islice((start + offset for offset, prime in enumerate(is_prime) if prime), number - len(found))
        start += STRETCH
    return tuple(found)


@lru_cache(maxsize=16)
def primes_below(limit: int) -> tuple[int, ...]:
    """All primes smaller than `limit`.

    >>> primes_below(12)
    (2, 3, 5, 7, 11)
    """
    is_prime = bytearray(b"\x01") * max(limit, 2)
    is_prime[:2] = b"\x00\x00"
    for divisor in range(2, isqrt(max(limit, 2)) + 1):
        if is_prime[divisor]:
            is_prime[divisor * divisor :: divisor] = bytes(len(range(divisor * divisor, len(is_prime), divisor)))
    return tuple(number for number, prime in enumerate(is_prime) if prime)
