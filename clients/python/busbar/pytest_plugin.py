"""Fixtures for bench tests, and a trace of every failed test."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import ExitStack, contextmanager
from functools import partial
from itertools import groupby
from operator import attrgetter
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Literal, Optional, Tuple, Union, cast

import pytest

from .asc import asc_lines
from .bench import Bench
from .channel import Channel
from .checks import CheckFailed
from .daemon import OwnDaemon
from .ecu import Ecu
from .errors import BusbarError
from .expect import MarkingBench
from .expect import expect_frame as _expect_frame
from .expect import expect_message as _expect_message
from .expect import expect_signal as _expect_signal
from .frames import Frame, Gap, Sample
from .task import Task

_SHOWN_FRAMES = 20
_LONGEST_NAME = 200
_BENCH = pytest.StashKey[MarkingBench]()
_HAS_TRACE = pytest.StashKey[bool]()
_DAEMON = pytest.StashKey[OwnDaemon]()
_OPENED = pytest.StashKey[List[Channel]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Adds command-line options and settings."""
    group = parser.getgroup("busbar")
    group.addoption(
        "--busbar-url", help="service to test with, instead of one that is started (BUSBAR_URL)"
    )
    group.addoption(
        "--busbar-bench",
        choices=["demo", "virtual"],
        help="what to start: the demonstration vehicle, or the bare virtual bench",
    )
    parser.addini("busbar_bench", "what to start: demo or virtual", default="demo")
    parser.addini("busbar_channel", "port that the fixture channel opens", default="SIM00001/0")
    parser.addini("busbar_ecu", "ECU of the fixture ecu", default="engine")
    parser.addini("busbar_traces", "directory of traces of failed tests", default="busbar-traces")


def pytest_configure(config: pytest.Config) -> None:
    """Registers the markers."""
    config.addinivalue_line(
        "markers", "busbar_channel(port, **settings): what the fixture channel opens"
    )
    config.addinivalue_line("markers", "busbar_ecu(name, **link): ECU of the fixture ecu")


def pytest_unconfigure(config: pytest.Config) -> None:
    """Stops the daemon. The last test may need it for its trace."""
    _close_channels(config)
    daemon = config.stash.get(_DAEMON, None)
    if daemon is not None:
        daemon.close()


@pytest.fixture(scope="session")
def busbar_url(request: pytest.FixtureRequest) -> str:
    """Address of the service: BUSBAR_URL, or a daemon started for the tests."""
    url = request.config.getoption("--busbar-url") or os.environ.get("BUSBAR_URL")
    if url:
        return url
    kind = request.config.getoption("--busbar-bench") or request.config.getini("busbar_bench")
    if kind not in ("demo", "virtual"):
        raise pytest.UsageError(f"busbar_bench must be demo or virtual, not {kind}")
    program = os.environ.get("BUSBAR_PROGRAM", "busbar")
    daemon = OwnDaemon(cast(Literal["demo", "virtual"], kind), program=program)
    request.config.stash[_DAEMON] = daemon
    return daemon.url


@pytest.fixture
def bench(request: pytest.FixtureRequest, busbar_url: str) -> Iterator[MarkingBench]:
    """Bench, with the token from BUSBAR_TOKEN if set."""
    with MarkingBench(busbar_url, os.environ.get("BUSBAR_TOKEN")) as bench:
        request.node.stash[_BENCH] = bench
        # Some plugins run a test again.
        request.node.stash[_HAS_TRACE] = False
        yield bench


def _close_channels(config: pytest.Config) -> Optional[BusbarError]:
    """Closes the channels of the test; returns an error, if any."""
    opened = config.stash.get(_OPENED, [])
    failure: Optional[BusbarError] = None
    while opened:
        try:
            opened.pop().close()
        except BusbarError as error:
            failure = failure or error
    return failure


@pytest.fixture
def open_channel(
    request: pytest.FixtureRequest, bench: MarkingBench
) -> Callable[..., Channel]:
    """Opens ports for the test. A port that is already open stays open."""
    # Close after the teardown report: the service forgets the events of closed channels.
    opened = request.config.stash.setdefault(_OPENED, [])

    def open_port(port: str, **settings: Any) -> Channel:
        try:
            opened.append(bench.open(port, **settings))
            return opened[-1]
        except BusbarError as error:
            if error.code != "already_exists" or settings:
                raise
            return Channel(bench, bench.channel_show(port))

    return open_port


@pytest.fixture
def channel(
    request: pytest.FixtureRequest, open_channel: Callable[..., Channel]
) -> Channel:
    """Open channel for the test, from the marker busbar_channel or the configuration."""
    marker = request.node.get_closest_marker("busbar_channel")
    if marker is None:
        return open_channel(request.config.getini("busbar_channel"))
    return open_channel(*marker.args, **marker.kwargs)


@pytest.fixture
def expect_frame(bench: MarkingBench) -> Callable[..., Frame]:
    """Waits for a frame; see :func:`busbar.expect.expect_frame`."""
    return partial(_expect_frame, bench)


@pytest.fixture
def expect_message(bench: MarkingBench) -> Callable[..., Frame]:
    """Waits for a message with signal values; see :func:`busbar.expect.expect_message`."""
    return partial(_expect_message, bench)


@pytest.fixture
def cyclic(bench: MarkingBench) -> Iterator[Callable[..., Task]]:
    """Sends cyclically until the test ends; see :meth:`busbar.Bench.cyclic`."""
    with ExitStack() as tasks:

        def start(*arguments: Any, **fields: Any) -> Task:
            return tasks.enter_context(bench.cyclic(*arguments, **fields))

        yield start


@contextmanager
def _as_before(ecu: Ecu) -> Iterator[Ecu]:
    """Restores session, security and TesterPresent of an ECU."""
    before = ecu.record()
    yield ecu
    after = ecu.record()
    if after["state"] != "open":
        return
    period = before["tester_present_ms"]
    if after["tester_present_ms"] != period:
        ecu.bench.uds_tester_present(ecu.name, enabled=period is not None, period_ms=period)
    kept = ("session", "security_level")
    if any(after[field] != before[field] for field in kept):
        # Entering a session locks security.
        ecu.session(before["session"])


@pytest.fixture
def open_ecu(bench: MarkingBench) -> Iterator[Callable[..., Ecu]]:
    """ECUs by name, as they were before the test when it ends.

    With settings, such as ``channel="tester", request_id=0x7E0, response_id=0x7E8``, a link is opened for the test.
    """
    with ExitStack() as ecus:

        def open_link(name: str, channel: Optional[str] = None, **settings: Any) -> Ecu:
            if channel is not None:
                bench.isotp_open(channel, name, **settings)
                ecus.callback(bench.isotp_close, name)
            elif settings:
                raise TypeError("A link with settings needs a channel")
            return ecus.enter_context(_as_before(bench.ecu(name)))

        yield open_link


@pytest.fixture
def ecu(request: pytest.FixtureRequest, open_ecu: Callable[..., Ecu]) -> Ecu:
    """ECU for the test, from the marker busbar_ecu or the configuration."""
    marker = request.node.get_closest_marker("busbar_ecu")
    if marker is None:
        return open_ecu(request.config.getini("busbar_ecu"))
    return open_ecu(*marker.args, **marker.kwargs)


@pytest.fixture
def expect_signal(bench: MarkingBench) -> Callable[..., Sample]:
    """Waits for a signal value; see :func:`busbar.expect.expect_signal`."""
    return partial(_expect_signal, bench)


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: "pytest.CallInfo[Any]"
) -> Iterator[None]:
    """Attaches a trace to the first failure report of a test, then closes its channels."""
    outcome = yield
    report = outcome.get_result()  # type: ignore[attr-defined]
    failed = call.excinfo.value if call.excinfo is not None else None
    if isinstance(failed, CheckFailed):
        report.sections.append(("Busbar check", failed.cut))
    bench = item.stash.get(_BENCH, None)
    if bench is not None and report.failed and not item.stash.get(_HAS_TRACE, False):
        item.stash[_HAS_TRACE] = True
        _attach_trace(item, report, bench)
    failure = _close_channels(item.config) if report.when == "teardown" else None
    if failure is not None and report.passed:
        report.outcome = "failed"
        report.longrepr = f"A channel could not be closed: {failure}"


def _attach_trace(item: pytest.Item, report: pytest.TestReport, bench: MarkingBench) -> None:
    try:
        text, path = _save_trace(item, bench)
        # The last report, of a failed teardown, was already copied.
        for properties in (item.user_properties, report.user_properties):
            properties.append(("busbar_trace", str(path)))
    except (BusbarError, OSError) as error:
        text = f"The trace could not be saved: {error}"
    report.sections.append(("Busbar trace", text))


def _file_name(nodeid: str) -> str:
    """Unique file name per test, also for long parameters or parameters with special characters."""
    name = re.sub(r"[^\w.-]+", "-", nodeid).strip("-")
    parameters = nodeid.partition("[")[2]
    if len(name) <= _LONGEST_NAME and re.fullmatch(r"[\w.-]*\]?", parameters):
        return f"{name}.asc"
    digest = hashlib.sha256(nodeid.encode("utf-8", "replace")).hexdigest()
    return f"{name[:_LONGEST_NAME]}-{digest[:8]}.asc"


def _save_trace(item: pytest.Item, bench: MarkingBench) -> Tuple[str, Path]:
    frames = _by_time(_events_since(bench, bench.began_at))
    names = _channel_names(bench)

    def name(frame: Frame) -> str:
        return names.get(frame.channel, frame.selector or f"slot {frame.channel}")

    folder = Path(item.config.rootpath, item.config.getini("busbar_traces"))
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _file_name(item.nodeid)
    real = [frame for frame in frames if isinstance(frame, Frame)]
    start = real[0].timestamp_us if real else 0
    lines = asc_lines(frames, start_us=start, name=name)
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    shown = [
        f"{(frame.timestamp_us - start) / 1e6:11.6f}  {name(frame)}  {str(frame).split('  ', 1)[1]}"
        for frame in real[-_SHOWN_FRAMES:]
    ]
    gaps = len(frames) - len(real)
    summary = f"{len(real)} events since the test began" + (
        f", with {gaps} gaps (events lost)" if gaps else ""
    )
    return "\n".join([f"{path}: {summary}; the last ones:", *shown]), path


def _events_since(bench: Bench, after: int) -> List[Union[Frame, Gap]]:
    """Stored events of the bench, with gaps for missing ones."""
    items: List[Union[Frame, Gap]] = []
    end = bench.newest_event_id()
    while after < end:
        try:
            page = bench.message_history(after=after, limit=4096)
        except BusbarError as error:
            if error.code != "cursor_expired" or "oldest_available" not in error.details:
                raise
            oldest, newest = error.details["oldest_available"], error.details["newest_available"]
            items.append(Gap("lost", None, oldest, newest))
            after = oldest - 1
            continue
        items += (
            Frame.from_record(event) for event in page["events"] if event["event_id"] <= end
        )
        if page["next_after"] <= after:
            break
        after = page["next_after"]
    return items


def _by_time(items: List[Union[Frame, Gap]]) -> List[Union[Frame, Gap]]:
    """Sorts events of all channels by time, but never across a gap."""
    return [
        item
        for is_frame, group in groupby(items, lambda item: isinstance(item, Frame))
        for item in (sorted(group, key=attrgetter("timestamp_us")) if is_frame else group)
    ]


def _channel_names(bench: Bench) -> Dict[int, str]:
    return {
        record["slot"]: record["name"] or record["selector"]
        for record in bench.channel_list()["channels"]
    }
