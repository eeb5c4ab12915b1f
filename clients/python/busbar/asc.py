"""Frames as an ASC trace, in the format of Busbar logging."""

from __future__ import annotations

from datetime import datetime
from typing import Callable, Iterable, Iterator, Set, Union

from .frames import (
    CHECKSUM_ERROR,
    ENHANCED,
    NO_RESPONSE,
    SLEEP,
    SYNC_BREAK,
    WAKE_UP,
    Frame,
    Gap,
)

_DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_DEVICE_NOTICES = {8: "was lost", 9: "is back"}


def _date(time_us: int) -> str:
    when = datetime.fromtimestamp(time_us // 1000 / 1000)
    half = "am" if when.hour < 12 else "pm"
    return (
        f"{_DAYS[when.weekday()]} {_MONTHS[when.month - 1]} {when.day:02} "
        f"{(when.hour + 11) % 12 + 1:02}:{when:%M:%S}.{when.microsecond // 1000:03} {half} {when.year}"
    )


def _bytes(data: bytes) -> str:
    return "".join(f" {byte:02X}" for byte in data)


def _can(frame: Frame, time: str, number: int) -> Iterator[str]:
    way = "Rx" if frame.is_rx else "Tx"
    mark = "x" if frame.is_extended else ""
    if frame.is_error:
        if frame.count == 0:
            yield f"// {time} The controller of channel {number} reports class {frame.id:X}"
            return
        if (frame.count or 1) > 1:
            yield f"// {time} The next error frame stands for {frame.count} of them"
        yield f"{time} {number}  ErrorFrame"
    elif frame.is_fd:
        flags = 0x1000 | (0x2000 if frame.bitrate_switch else 0) | (0x4000 if frame.error_state else 0)
        yield (
            f"{time} CANFD {number:3} {way}   {frame.id:8X}{mark}{'':35}"
            f"{int(frame.bitrate_switch)} {int(frame.error_state)} {frame.dlc:x} {len(frame.data):2}"
            f"{_bytes(frame.data)} {0:8} {0:4} {flags:8X}" + f" {0:8}" * 5
        )
    else:
        shown = f"r {frame.dlc:X}" if frame.is_remote else f"d {frame.dlc:X}{_bytes(frame.data)}"
        yield f"{time} {number}  {f'{frame.id:X}{mark}':16}{way}   {shown}"


def _lin(frame: Frame, time: str, number: int) -> str:
    start = f"{time} {'Li' if number == 1 else f'L{number}'}"
    way = "Rx" if frame.is_rx else "Tx"
    if frame.flags & SYNC_BREAK:
        return f"// {start} sync break"
    if frame.flags & WAKE_UP:
        return f"{start} WakeupFrame {way}{_bytes(frame.data or bytes(1))}"
    if frame.flags & SLEEP:
        return f"{start} SleepModeEvent 0 entering sleep mode"
    if frame.flags & NO_RESPONSE:
        return f"{start} {frame.id:X} TransmErr"
    if frame.is_error:
        return f"{start} {frame.id:X} {frame.dlc} RcvError: unidentified error"
    failed = "CSErr " if frame.flags & CHECKSUM_ERROR else ""
    model = "enhanced" if frame.flags & ENHANCED else "classic"
    return (
        f"{start} {frame.id:<16X}{failed}{way}     {len(frame.data)}{_bytes(frame.data)}"
        f"  checksum = {frame.checksum:02X}  CSM = {model}"
    )


def _rows(frame: Frame, time: str, number: int) -> Iterator[str]:
    notice = _DEVICE_NOTICES.get(frame.status)
    if notice is not None:
        yield f"// {time} The device of channel {number} {notice}"
    elif frame.bus == "lin":
        yield _lin(frame, time, number)
    else:
        yield from _can(frame, time, number)


def asc_lines(
    items: Iterable[Union[Frame, Gap]], *, start_us: int, name: Callable[[Frame], str]
) -> Iterator[str]:
    """Lines of a trace. Channel numbers are slots, counted from 1.

    :param start_us: Start of the trace as Unix time in microseconds
    :param name: Name of the channel of a frame, for comments
    """
    # The date has milliseconds; the remainder is added to the timestamps.
    start_us -= start_us % 1000
    date = _date(start_us)
    yield f"date {date}"
    yield "base hex  timestamps absolute"
    yield "internal events logged"
    yield f"Begin TriggerBlock {date}"
    yield "   0.000000 Start of measurement"
    named: Set[int] = set()
    time = f"{0:11.6f}"
    for item in items:
        if isinstance(item, Gap):
            missed = "Events" if item.missed is None else f"{item.missed} events"
            yield f"// {time} {missed} are missing here"
            continue
        since = max(item.timestamp_us - start_us, 0)
        time = f"{since // 1_000_000:4}.{since % 1_000_000:06}"
        number = item.channel + 1
        if number not in named:
            named.add(number)
            yield f"// channel {number} = {' '.join(name(item).split())}"
        yield from _rows(item, time, number)
    yield "End TriggerBlock"
