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
    # Exact physical value; null if there is none
    value: Optional[str]
    # Exact raw value
    raw: str
    # Value description from the database
    label: Optional[str]
    unit: str
    # Whether the value is within the limits of the signal
    valid: bool
    # Unix time in microseconds
    timestamp_us: int
    # Event that it was decoded from
    event_id: int
