"""Bus events of streams."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, List, Mapping, Optional

from ._fields import SampleFields

_HEADER = struct.Struct(">4s4BH2B3I4QH2BI")
_BUSES = {1: "can", 2: "canfd", 3: "lin"}
_KINDS = {1: "rx_frame", 2: "tx_complete"}
_EXTENDED, _REMOTE, _FD, _BRS, _ESI, _ERROR = (1 << bit for bit in range(6))
ENHANCED, CHECKSUM_ERROR, NO_RESPONSE, SYNC_BREAK, WAKE_UP, SLEEP = (
    1 << bit for bit in range(8, 14)
)
_ERROR_ID = 1 << 29
"""Prefix of an error class, as in candump."""
_CLASSIC_LENGTH = 8
_SIGNAL_FIELDS = ("signal", "value", "raw", "unit", "label")

_FLAG_MARKS = {
    _BRS: "BRS",
    _ESI: "ESI",
    CHECKSUM_ERROR: "CHECKSUM-ERROR",
    NO_RESPONSE: "NO-RESPONSE",
    SYNC_BREAK: "SYNC-BREAK",
    WAKE_UP: "WAKE-UP",
    SLEEP: "SLEEP",
}
_STATUS_MARKS = {
    1: "BUS-ERROR",
    2: "NO-ACKNOWLEDGE",
    3: "STATE-CHANGE",
    4: "NO-RESPONSE",
    5: "CHECKSUM-ERROR",
    6: "COLLISION",
    7: "SYNC-ERROR",
    8: "DEVICE-LOST",
    9: "DEVICE-RETURNED",
    10: "OVERRUN",
}


@dataclass(frozen=True)
class SignalValue:
    """Value of a signal in a frame."""

    signal: str
    value: Optional[str]
    """Exact physical value as text, or None."""
    raw: str
    """Exact raw value as text."""
    unit: str
    label: Optional[str]
    """Text of this raw value in the database."""

    @property
    def number(self) -> Optional[Decimal]:
        """Physical value as an exact Decimal."""
        return None if self.value is None else Decimal(self.value)

    def __str__(self) -> str:
        """Text as printed by the command line."""
        value = "-" if self.value is None else self.value
        shown = self.label if self.label is not None else f"{value} {self.unit}".rstrip()
        return f"{self.signal}: {shown}"


@dataclass(frozen=True)
class Frame:
    """Received or sent frame, or a bus error."""

    event_id: int
    kind: str
    bus: str
    channel: int
    """Slot of the channel."""
    id: int
    dlc: int
    data: bytes
    timestamp_us: int
    flags: int = 0
    status: int = 0
    source_sequence: int = 0
    stream_epoch: int = 0
    hardware_sequence: int = 0
    filter_hit: int = 0
    checksum: int = 0
    selector: Optional[str] = None
    """Port of the channel; None in the binary stream."""
    count: Optional[int] = None
    """Number of error frames in this event."""
    message: Optional[str] = None
    """Name of the message, if decoded."""
    signals: Mapping[str, SignalValue] = field(default_factory=dict, hash=False)
    """Values by signal name, if decoded."""

    @property
    def is_rx(self) -> bool:
        """Whether the frame was received, not sent."""
        return self.kind == "rx_frame"

    @property
    def is_extended(self) -> bool:
        """Whether the identifier has 29 bits."""
        return bool(self.flags & _EXTENDED)

    @property
    def is_remote(self) -> bool:
        """Whether it is a remote frame."""
        return bool(self.flags & _REMOTE)

    @property
    def is_fd(self) -> bool:
        """Whether it is a CAN FD frame."""
        return bool(self.flags & _FD)

    @property
    def bitrate_switch(self) -> bool:
        """Whether the data was sent at the data bit rate (BRS)."""
        return bool(self.flags & _BRS)

    @property
    def error_state(self) -> bool:
        """Whether the sender was error passive (ESI)."""
        return bool(self.flags & _ESI)

    @property
    def is_error(self) -> bool:
        """Whether it is a bus error, not a frame."""
        return bool(self.flags & _ERROR)

    @property
    def timestamp(self) -> float:
        """Unix time in seconds."""
        return self.timestamp_us / 1e6

    def __str__(self) -> str:
        """Text as printed by the command line, similar to candump."""
        way = "RX" if self.is_rx else "TX"
        where = self.selector or f"slot {self.channel}"
        shown = f"{where}  {way}  {self._id_text()}  {self._length_text()}  {self._data_text()}"
        marks = " ".join(self._marks())
        return (f"{shown.rstrip()}  {marks}" if marks else shown.rstrip()) + self._decoded_text()

    def _decoded_text(self) -> str:
        if self.message is None:
            return ""
        return f" :: {self.message}({', '.join(map(str, self.signals.values()))})"

    def _id_text(self) -> str:
        if self.bus == "lin":
            return f"{self.id:02X}"
        if self.is_error:
            return f"{_ERROR_ID + self.id:08X}"
        return f"{self.id:08X}" if self.is_extended else f"{self.id:03X}"

    def _length_text(self) -> str:
        if self.is_fd:
            return f"[{len(self.data):02}]"
        return f"[{min(self.dlc, _CLASSIC_LENGTH) if self.is_remote else len(self.data)}]"

    def _data_text(self) -> str:
        if self.is_remote:
            return "remote request"
        data = self.data.hex(" ").upper()
        if not self.is_error:
            return data
        count = self.count or 0
        return f"{data:{3 * _CLASSIC_LENGTH - 1}}   ERRORFRAME" + (f" ×{count}" if count > 1 else "")

    def _marks(self) -> List[str]:
        """Details that the rest of the line does not show."""
        marks = [mark for bit, mark in _FLAG_MARKS.items() if self.flags & bit]
        if self.status:
            mark = _STATUS_MARKS.get(self.status, f"STATUS-{self.status}")
            # Some statuses repeat a flag.
            if mark not in marks:
                marks.append(mark)
        return marks

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Frame":
        """Frame from JSON of history and server-sent events."""
        return cls(
            event_id=record["event_id"],
            kind=record["kind"],
            bus=record["bus"],
            channel=record["channel"],
            id=record["id"],
            dlc=record["dlc"],
            data=bytes.fromhex(record["data"]),
            timestamp_us=record["timestamp_us"],
            flags=record["flags"],
            status=record["status"],
            source_sequence=record["source_sequence"],
            stream_epoch=record["stream_epoch"],
            hardware_sequence=record["hardware_sequence"],
            filter_hit=record["filter_hit"],
            checksum=record["checksum"],
            selector=record["selector"],
            count=record.get("count"),
            message=record.get("message"),
            signals={
                each["signal"]: SignalValue(**{name: each[name] for name in _SIGNAL_FIELDS})
                for each in record.get("signals", ())
            },
        )

    @classmethod
    def from_bytes(cls, record: bytes) -> "Frame":
        """Frame from a binary message, an FRM2 record."""
        if len(record) < _HEADER.size:
            raise ValueError(f"A record has {_HEADER.size} bytes at least, and not {len(record)}")
        (
            magic, version, header_length, bus, kind, channel, length, dlc, can_id, flags, status,
            event_id, sequence, epoch, timestamp, hardware, hit, checksum, _,
        ) = _HEADER.unpack_from(record)  # fmt: skip
        if magic != b"FRM2" or version != 2:
            raise ValueError(f"{magic!r}, version {version}, is no record of this format")
        data = record[header_length : header_length + length]
        if len(data) != length:
            raise ValueError(f"The record has {len(data)} of {length} bytes of data")
        # The number of error frames may follow the error details.
        has_count = flags & _ERROR and length == dlc + 4
        count = int.from_bytes(data[dlc:], "big") if has_count else 1
        return cls(
            event_id=event_id,
            kind=_KINDS[kind],
            bus=_BUSES[bus],
            channel=channel,
            id=can_id,
            dlc=dlc,
            data=data[:dlc] if has_count else data,
            timestamp_us=timestamp,
            flags=flags,
            status=status,
            source_sequence=sequence,
            stream_epoch=epoch,
            hardware_sequence=hardware,
            filter_hit=hit,
            checksum=checksum,
            count=None if status == 0 else count,
        )


class Sample(SampleFields):
    """Sample of a signal. ``value`` is the exact physical value, or None."""

    @property
    def number(self) -> Optional[Decimal]:
        """Physical value as an exact Decimal."""
        return None if self.value is None else Decimal(self.value)

    @classmethod
    def from_record(cls, record: Mapping[str, Any]) -> "Sample":
        """Sample from JSON of history and streams."""
        return cls(**{name: record[name] for name in cls.__dataclass_fields__})


@dataclass(frozen=True)
class Gap:
    """Replaces lost items in a stream."""

    reason: str
    """``lost``: overwritten before it was read. ``reconnected``: a state stream missed changes while disconnected.
    ``restarted``: a new daemon or web service, whose counters restart."""
    missed: Optional[int] = None
    """Number of lost events, or None if unknown."""
    oldest_available: Optional[int] = None
    newest_available: Optional[int] = None


@dataclass(frozen=True)
class StateEvent:
    """Event of a state stream, such as of a gateway instance or Modbus."""

    name: str
    data: Mapping[str, Any]
