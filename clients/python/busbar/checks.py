"""Checks of traffic with a verdict: of a bench while frames arrive, and of trace files."""

from __future__ import annotations

import json
import os
import re
from typing import Any, Callable, List, Mapping, Optional, Sequence, Union, cast

from . import records
from .errors import BusbarError
from .local import failure, finish
from .task import micros

Texts = Union[str, Sequence[str]]


class CheckFailed(AssertionError):
    """A check failed, or what it is about was not observed. ``report`` is the whole report."""

    def __init__(self, report: records.CheckReport) -> None:
        super().__init__("\n".join(map(_words, _not_passed(report))))
        self.report = report

    @property
    def cut(self) -> str:
        """Events around each violation."""
        lines: List[str] = []
        for result in _not_passed(self.report):
            lines.append(_words(result))
            for violation in result["violations"]:
                lines.append(f"{violation['time_us'] / 1e6:.6f}  {violation['message']}")
                lines += map(_row, violation["excerpt"])
        return "\n".join(lines)


def _not_passed(report: records.CheckReport) -> "List[records.CheckResult]":
    return [result for result in report["checks"] if result["verdict"] != "passed"]


def _words(result: records.CheckResult) -> str:
    verdict = "failed" if result["verdict"] == "failed" else "was not observed"
    return f"{result['check']} {verdict}: {result['reason']}"


def _row(row: Any) -> str:
    mark = ">" if row["is_violation"] else " "
    return f"  {mark} {row['time_us'] / 1e6:.6f}  {row['channel']}  {row['text']}"


def _time(seconds: float) -> str:
    return f"{micros(seconds)}us"


def _message(message: Union[str, int]) -> str:
    if isinstance(message, str):
        return message
    return f"{message:08X}" if message > 0x7FF else f"{message:03X}"


def _on(channel: Optional[str]) -> str:
    if channel is None:
        return ""
    return f" on {channel}" if re.fullmatch(r"[^\s()\"<>=!]+", channel) else f" on {json.dumps(channel)}"


class Expectations:
    """Checks as methods. A check that has not passed raises :class:`CheckFailed`."""

    def _checked(self, check: str, channel: Optional[str], how: Mapping[str, Any]) -> records.CheckReport:
        raise NotImplementedError

    def expect(self, check: str, *, channel: Optional[str] = None, **how: Any) -> records.CheckReport:
        """Any check, such as ``value Engine.Temperature in -40..150``.

        :param channel: Where the check is about, if several channels match
        :param how: On a bench ``seconds`` and ``since``
        :return: The report, with the figures of the check
        """
        __tracebackhide__ = True
        report = self._checked(check + _on(channel), channel, how)
        if report["verdict"] != "passed":
            raise CheckFailed(report)
        return report

    def expect_cycle(
        self,
        message: Union[str, int],
        period: float,
        *,
        tolerance: float = 0.1,
        channel: Optional[str] = None,
        **how: Any,
    ) -> records.CheckReport:
        """Each frame of a message comes one period after the frame before.

        :param message: Name or identifier
        :param period: Cycle time in seconds
        :param tolerance: Share of the period
        """
        __tracebackhide__ = True
        percent = f"{tolerance * 100:.4f}".rstrip("0").rstrip(".")
        check = f"cycle {_message(message)} {_time(period)} +-{percent}%"
        return self.expect(check, channel=channel, **how)

    def expect_answer(
        self,
        request: str,
        answer: str,
        *,
        within: float,
        channel: Optional[str] = None,
        **how: Any,
    ) -> records.CheckReport:
        """Each request is answered in time.

        :param request: Identifier and first bytes, such as ``7E0#0322F190``; ``?`` is any digit
        :param within: Seconds
        """
        __tracebackhide__ = True
        return self.expect(
            f"answer {request} with {answer} within {_time(within)}", channel=channel, **how
        )

    def expect_never(self, condition: str, **how: Any) -> records.CheckReport:
        """A condition does not become true, such as ``error on powertrain``."""
        __tracebackhide__ = True
        return self.expect(f"never {condition}", **how)


class Trace(Expectations):
    """A trace file, checked by the command line.

    :param file: Path of an ASC, BLF, MF4 or candump file
    :param database: Paths of databases, such as ``vehicle.dbc``, or ``vehicle.dbc@1`` for a channel
    :param bitrate: Bit rates for load checks, such as ``500k/2M``
    :param program: Path of the ``busbar`` program; default: BUSBAR_PROGRAM, or ``busbar`` on the PATH
    """

    def __init__(
        self,
        file: "Union[str, os.PathLike[str]]",
        *,
        database: Texts = (),
        bitrate: Texts = (),
        program: Optional[str] = None,
    ) -> None:
        self.file = os.fspath(file)
        self._program = program or os.environ.get("BUSBAR_PROGRAM", "busbar")
        self._options = [
            *(f"--database={each}" for each in _list(database)),
            *(f"--bitrate={each}" for each in _list(bitrate)),
        ]

    def check(self, *checks: str) -> records.CheckReport:
        """Report of any number of checks. Does not raise on a failed check."""
        arguments = [f"--check={check}" for check in checks]
        done = finish(
            self._program, ["check", "run", f"--trace={self.file}", *arguments, *self._options]
        )
        if done.stdout:
            return cast(records.CheckReport, json.loads(done.stdout))
        raise failure(self._program, done)

    def _checked(self, check: str, channel: Optional[str], how: Mapping[str, Any]) -> records.CheckReport:
        if how:
            raise TypeError(f"A trace has no {', '.join(how)}")
        return self.check(check)


def _list(texts: Texts) -> Sequence[str]:
    return [texts] if isinstance(texts, str) else texts


def report_of(job: records.Job) -> records.CheckReport:
    """Report of a job that has ended."""
    error = job["error"]
    if error is not None:
        raise BusbarError.from_record(cast(Mapping[str, Any], error))
    return cast(records.CheckReport, job["result"])


def await_job(
    job: records.Job, show: Callable[[str], records.Job], pause: Callable[[], None]
) -> records.Job:
    """The job when it has ended."""
    while job["finished_at_us"] is None:
        pause()
        job = show(job["job_id"])
    return job
