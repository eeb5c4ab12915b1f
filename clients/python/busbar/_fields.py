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
    # Raw value of the multiplexer that selects the signal, nested ones joined by dots; null if it is always present
    mux: Optional[str]
    # J1939 source address of the frame; null for other messages
    source_address: Optional[int]
