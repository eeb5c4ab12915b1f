# Generated from the OpenAPI document by npm run generate. Do not edit.
"""Fields of stream records, for handwritten classes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional


@dataclass(frozen=True)
class SampleFields:
    """Fields of :class:`~busbar.records.SignalSample`."""

    # One counter over all plans
    sequence: int
    plan_id: str
    signal: str
    # Physical value, exact; null if there is none
    value: Optional[str]
    # Raw value, exact
    raw: str
    # What the database calls this raw value
    label: Optional[str]
    unit: str
    # Whether it is a number within the limits of the signal
    valid: bool
    # Unix time in microseconds
    timestamp_us: int
    # The raw event it was decoded from
    event_id: int
