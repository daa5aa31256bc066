"""What is taken for a slip is far above what any class takes of its own accord, at the top of a config and inside it."""

import pytest

from calc import ConfigError, Model
from calc.config import config_defaults, field_of
from calc.families import FAMILIES
from calc.families.primes import primes_from

INTEGERS = [
    (kind, field, value)
    for kind, known in config_defaults().items()
    for field, value in [
        *known["defaults"].items(),
        *(pair for absent in known.get("absent", {}).values() for pair in absent.items()),
    ]
    if isinstance(value, int) and not isinstance(value, bool)
]


def test_no_class_default_is_above_its_limit():
    above = [(kind, field, value) for kind, field, value in INTEGERS if value > field_of(field).largest]
    assert not above and len(INTEGERS) > 2000


def test_a_config_of_each_class_counts_or_names_the_field_it_lacks():
    """Defaults that a class declares for others of its fields never stand in each other's way."""
    refused = {}
    for model_type in FAMILIES:
        try:
            Model.of({"model_type": model_type})
        except ConfigError as refusal:
            refused[model_type] = (refusal.code, refusal.field)
    assert {code for code, _ in refused.values()} <= {"missing"}
    assert len(refused) <= 12


class TestPrimes:
    """Tables of n-grams have prime numbers of rows."""

    @pytest.mark.parametrize("first", [1, 2, 3, 90, 9_973, 65_536])
    def test_they_are_all_primes_and_none_is_left_out(self, first):
        def is_prime(number):
            return number > 1 and all(number % divisor for divisor in range(2, int(number**0.5) + 1))

        found = primes_from(first, 40)
        assert list(found) == [number for number in range(first, found[-1] + 1) if is_prime(number)]

    def test_a_known_one(self):
        """OEIS A006988: the millionth of all primes is 15,485,863."""
        assert primes_from(15_485_862, 2) == (15_485_863, 15_485_867)
