"""Signal values as decimal text, and payloads as hex."""

from __future__ import annotations

from decimal import Decimal
from enum import Enum
from math import isfinite
from numbers import Integral, Real
from typing import Any, Dict, Mapping, Optional, Union

Value = Union[int, float, Decimal, str]
"""Number, or label of a value table."""
Payload = Union[str, bytes, bytearray]
"""Bytes, or hex."""


def hex_text(data: Payload) -> str:
    """Payload as hex."""
    return data if isinstance(data, str) else bytes(data).hex().upper()


def value_text(value: Any) -> str:
    """Value as exact text: decimal digits of a number, or the label itself.

    A float becomes the shortest decimal number that reads back as the same float: 0.1 is ``0.1``.
    """
    if isinstance(value, Enum):
        return value_text(value.value)
    if isinstance(value, str):
        return value
    if isinstance(value, Integral):
        return str(int(value))
    if isinstance(value, Decimal) and value.is_finite():
        return format(value, "f")
    # Other real numbers, such as those of NumPy, convert to float without loss.
    if isinstance(value, Real) and isfinite(value):
        return format(Decimal(repr(float(value))), "f")
    raise ValueError(f"{value!r} is not a number or a label")


def signal_texts(
    signals: Optional[Mapping[str, Value]], named: Mapping[str, Value]
) -> Dict[str, str]:
    """Values by signal name, from a mapping and from keyword arguments."""
    repeated = (signals or {}).keys() & named.keys()
    if repeated:
        raise TypeError(f"Signal {min(repeated)} has two values")
    return {name: value_text(value) for name, value in {**(signals or {}), **named}.items()}
