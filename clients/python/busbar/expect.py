"""Expectations of tests, with their failure messages."""

from __future__ import annotations

import re
import time
from collections import Counter
from decimal import Decimal
from typing import Any, Callable, Dict, List, Literal, Mapping, Optional, Tuple, Union

from .bench import Bench, Payload, Texts
from .errors import BusbarError
from .frames import Frame, Gap, Sample
from .streams import Stream, StreamTimeout
from .values import Value, value_text

Number = Union[int, float, Decimal]


class ExpectationFailed(AssertionError):
    """The expected frame or value did not arrive in time."""


class MarkingBench(Bench):
    """Bench that remembers the newest event before the last action of the test."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.began_at = self.marked_at = self.newest_event_id()

    def mark(self) -> int:
        """Sets the current time as the start of expectations. Every request that changes something does the same."""
        self.marked_at = self.newest_event_id()
        return self.marked_at

    def check(self, *checks: str, since: Optional[int] = None, **how: Any) -> Any:
        """Report of checks since the last action of the test; see :meth:`Bench.check`."""
        return super().check(*checks, since=self.marked_at if since is None else since, **how)

    def _call(self, method: str, path: str, **rest: Any) -> Any:
        # A check only observes.
        if method != "GET" and path != "/api/v1/checks":
            self.mark()
        return super()._call(method, path, **rest)


def _pattern(data: Payload) -> "re.Pattern[str]":
    """Data in hex, with a dot for each ignored digit."""
    text = data if isinstance(data, str) else bytes(data).hex()
    digits = re.sub(r"[\s:_-]", "", text)
    if not re.fullmatch(r"(?:[0-9A-Fa-f.]{2})*", digits):
        raise ValueError(f"{data!r} is not hex data with dots for ignored digits")
    return re.compile(digits, re.IGNORECASE)


def _id_text(id: int, extended: Optional[bool]) -> str:
    return f"{id:08X}" if extended or id > 0x7FF else f"{id:03X}"


def _first(
    stream: "Stream[Any]",
    kind: Any,
    within: float,
    matches: Callable[[Any], bool],
    tell: Callable[[Any], str],
    what: str,
) -> Any:
    __tracebackhide__ = True
    deadline = time.monotonic() + within
    seen: "Counter[str]" = Counter()
    gaps: List[Gap] = []
    with stream:
        while True:
            try:
                item = stream.next(max(deadline - time.monotonic(), 0))
            except (StreamTimeout, StopIteration):
                break
            if isinstance(item, Gap):
                gaps.append(item)
            elif isinstance(item, kind):
                if matches(item):
                    return item
                seen[tell(item)] += 1
            if time.monotonic() > deadline:
                break
    raise ExpectationFailed(_failure(what, within, seen, gaps))


def _failure(what: str, within: float, seen: "Counter[str]", gaps: List[Gap]) -> str:
    lines = [f"{what} did not arrive within {within:g} s"]
    if seen:
        lines.append("Received instead:")
        lines += [f"  {text}" + (f"  ×{n}" if n > 1 else "") for text, n in list(seen.items())[-8:]]
    else:
        lines.append("Nothing else was received.")
    if gaps:
        lines.append(f"Events were lost ({len(gaps)} gaps), so it may have been missed.")
    return "\n".join(lines)


def expect_frame(
    bench: MarkingBench,
    id: Optional[int] = None,
    data: Optional[Payload] = None,
    *,
    channel: Optional[Texts] = None,
    within: float = 1.0,
    direction: str = "rx",
    extended: Optional[bool] = None,
    matching: Optional[Callable[[Frame], bool]] = None,
    since: Optional[int] = None,
) -> Frame:
    """First matching frame since the last action of the test.

    :param data: Bytes, or hex with a dot for each ignored digit
    :param within: Seconds from now
    :param matching: Further condition
    :param since: Event ID to start after, instead of the last action
    """
    __tracebackhide__ = True
    pattern = None if data is None else _pattern(data)
    stream = bench.frames(
        channel,
        after=bench.marked_at if since is None else since,
        id=None if id is None else _id_text(id, extended),
        direction=direction,  # type: ignore[arg-type]
    )
    wanted = "A frame" if id is None else f"Frame {_id_text(id, extended)}"
    shown = "" if data is None else f" with {data if isinstance(data, str) else bytes(data).hex(' ')}"
    return _first(
        stream,
        Frame,
        within,
        lambda frame: not frame.is_error
        and (pattern is None or pattern.fullmatch(frame.data.hex()) is not None)
        and (matching is None or matching(frame)),
        str,
        f"{wanted}{shown}" + (f" on {channel}" if channel else ""),
    )


def expect_message(
    bench: MarkingBench,
    message: str,
    *,
    channel: Optional[Texts] = None,
    within: float = 1.0,
    direction: Optional[Literal["rx", "tx"]] = "rx",
    matching: Optional[Callable[[Frame], bool]] = None,
    since: Optional[int] = None,
    signals: Optional[Mapping[str, Value]] = None,
    **named: Value,
) -> Frame:
    """First matching message since the last action of the test, by the databases attached to its channel.

    :param within: Seconds from now
    :param matching: Further condition
    :param since: Event ID to start after, instead of the last action
    :param signals: Signals whose names are those of parameters
    :param named: Numbers or labels by signal name
    """
    __tracebackhide__ = True
    wanted = {**(signals or {}), **named}
    stream = bench.frames(
        channel,
        after=bench.marked_at if since is None else since,
        direction=direction,
        decode=True,
    )
    shown = ", ".join(f"{name}: {value}" for name, value in wanted.items())
    return _first(
        stream,
        Frame,
        within,
        lambda frame: frame.message == message
        and all(_has_value(frame, name, value) for name, value in wanted.items())
        and (matching is None or matching(frame)),
        str,
        f"{message}({shown})" + (f" on {channel}" if channel else ""),
    )


def _has_value(frame: Frame, name: str, value: Value) -> bool:
    signal = frame.signals.get(name)
    if signal is None:
        return False
    if isinstance(value, str):
        return value in (signal.label, signal.value)
    return signal.number == Decimal(value_text(value))


def expect_signal(
    bench: MarkingBench,
    signal: str,
    value: Union[Number, str, None] = None,
    *,
    within: float = 1.0,
    tolerance: Number = 0,
    between: Optional[Tuple[Number, Number]] = None,
    matching: Optional[Callable[[Sample], bool]] = None,
    plan: Optional[str] = None,
    channel: Optional[str] = None,
    since: Optional[int] = None,
) -> Sample:
    """First matching sample since the last action of the test.

    :param value: Number, or label of a value
    :param tolerance: Allowed deviation
    :param between: Lowest and highest number, instead of a value
    :param plan: Signal plan; default: all plans with this signal
    :param channel: Only plans of this channel, by its name when they were created
    """
    __tracebackhide__ = True
    mark = bench.marked_at if since is None else since
    plans = [plan] if plan else _plans(bench, signal, channel)
    stream = bench.samples(
        signal, plan=plans, after=min(_sequence_at(bench, each, signal, mark) for each in plans)
    )
    low_high = between if between else _limits(value, tolerance)
    wanted = "" if value is None else f" = {value}"
    return _first(
        stream,
        Sample,
        within,
        lambda sample: sample.event_id > mark
        and _is_wanted(sample, value, low_high)
        and (matching is None or matching(sample)),
        lambda sample: f"{sample.signal} = {sample.value} {sample.unit}"
        + (f' "{sample.label}"' if sample.label else ""),
        f"{signal}{wanted}" + (f" between {between[0]} and {between[1]}" if between else ""),
    )


def _limits(
    value: Union[Number, str, None], tolerance: Number
) -> Optional[Tuple[Decimal, Decimal]]:
    if value is None or isinstance(value, str):
        return None
    middle, off = Decimal(str(value)), Decimal(str(tolerance))
    return middle - off, middle + off


def _is_wanted(
    sample: Sample, value: Union[Number, str, None], limits: Optional[Tuple[Any, Any]]
) -> bool:
    if limits is not None:
        number = sample.number
        return number is not None and Decimal(str(limits[0])) <= number <= Decimal(str(limits[1]))
    return value is None or value in (sample.label, sample.value)


def _plans(bench: Bench, signal: str, channel: Optional[str]) -> List[str]:
    __tracebackhide__ = True
    plans: List[str] = []
    offset, total = 0, 1
    while offset < total:
        page: Any = bench.signal_list(offset=offset)
        total = page["plan_total"]
        for each in page["plans"]:
            if signal in each["signals"] and channel in (None, each["channel"], each["selector"]):
                plans.append(each["plan_id"])
        if page["plan_next_offset"] <= offset:
            break
        offset = page["plan_next_offset"]
    if plans:
        return plans
    where = f" of {channel}" if channel else ""
    raise BusbarError(
        "signal_not_found",
        f"No signal plan{where} decodes {signal}",
        details={"signal": signal},
        hint="bench.signal_plan_create makes one.",
    )


def _sequence_at(bench: Bench, plan: str, signal: str, event_id: int) -> int:
    """Start position that includes all samples of later events, found by binary search."""
    try:
        page: Dict[str, Any] = dict(bench.signal_history(plan, signal, limit=1))
    except BusbarError as error:
        if error.code == "no_sample":
            return 0
        raise
    low, high = page["oldest_available"] - 1, page["newest_available"]
    while low < high:
        middle = (low + high) // 2
        samples = bench.signal_history(plan, signal, after=middle, limit=1)["samples"]
        if samples and samples[0]["event_id"] <= event_id:
            low = samples[0]["sequence"]
        else:
            high = middle
    return low
