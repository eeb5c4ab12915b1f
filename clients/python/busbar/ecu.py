"""ECU of a bench, for diagnostics."""

from __future__ import annotations

import time
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Callable, Dict, List, Optional, Tuple, Union

from . import records
from .errors import BusbarError, NegativeResponse
from .values import Payload, Value, hex_text, value_text

if TYPE_CHECKING:
    from .bench import Bench

Number = Union[int, str]
"""Number, hex digits, or a name."""
Key = Union[Payload, Callable[[bytes], Payload]]
"""Key, or a function that computes it from the seed."""

_MARGIN_S = 5.0
_POLL_S = 0.1


def _digits(given: Number, digits: int) -> str:
    return given if isinstance(given, str) else f"{given:0{digits}X}"


def _identifier(text: str) -> Optional[int]:
    try:
        return int(text, 16)
    except ValueError:
        return None


def _dtc(dtc: Union[Number, "Dtc"]) -> str:
    return dtc.dtc if isinstance(dtc, Dtc) else _digits(dtc, 6)


class DidValue(str):
    """Value of a data identifier: text by its codec, or hex without one."""

    did: str
    """Identifier, four hex digits."""
    name: Optional[str]
    """Name in ``dids`` of the ECU."""
    data: bytes
    quality: str
    """``good``, or why there is no value: the text is empty then."""
    label: Optional[str]

    @classmethod
    def from_record(cls, record: records.UdsDidValue) -> "DidValue":
        """Value of a response."""
        self = cls(record["value"] or "")
        self.did, self.name = record["did"], record["name"]
        self.data = bytes.fromhex(record["data"])
        self.quality, self.label = record["quality"], record["label"]
        return self

    @property
    def number(self) -> Decimal:
        """Value of a linear codec as an exact Decimal."""
        if self.quality != "good":
            raise ValueError(f"{self.name or self.did} has no value: {self.label or self.quality}")
        return Decimal(self)


@dataclass(frozen=True)
class Dtc:
    """Diagnostic trouble code of an ECU."""

    dtc: str
    """Six hex digits."""
    text: str
    """Code in its usual form, such as ``P0301-00``."""
    status: int
    """Status byte."""
    bits: Tuple[str, ...]
    """Status bits that are set, such as ``confirmed``."""

    def __str__(self) -> str:
        return f"{self.text} ({', '.join(self.bits)})" if self.bits else self.text


@dataclass(frozen=True)
class FunctionalResponse:
    """Response of one of the ECUs that a functional request addresses."""

    id: int
    """Identifier of its frames."""
    address: Optional[int]
    """Address byte before the payload, if it has one: several ECUs can then share an identifier."""
    data: bytes
    positive: Optional[bool]
    nrc: Optional[int]
    """Negative response code."""


@dataclass(frozen=True)
class Response:
    """Response of an ECU to a request."""

    data: Optional[bytes]
    """None if no response was wanted, or the suppress bit was set."""
    positive: Optional[bool]
    """None without a response."""
    nrc: Optional[int]
    """Negative response code."""
    nrc_name: Optional[str]
    pending: int
    """Responses 0x78 before this one."""
    duration_us: int
    """Time from the start of the request."""
    responses: Tuple[FunctionalResponse, ...]
    """Responses of all ECUs to a functional request."""

    def hex(self) -> str:
        """Response as uppercase hex."""
        return (self.data or b"").hex().upper()


class TesterPresent:
    """TesterPresent that the service sends. The end of a ``with`` statement stops it."""

    def __init__(self, ecu: "Ecu", period_ms: int) -> None:
        self.ecu = ecu
        self._before = ecu.record()
        self.record = ecu.bench.uds_tester_present(ecu.name, enabled=True, period_ms=period_ms)
        """Link of the ECU."""

    def stop(self) -> None:
        """Stops sending, or continues with the period before."""
        period = self._before["tester_present_ms"] if self._before["tester_present"] else None
        try:
            self.record = self.ecu.bench.uds_tester_present(
                self.ecu.name, enabled=period is not None, period_ms=period
            )
        except BusbarError as error:
            # It ends with the link and its channel.
            if error.code not in ("ecu_not_found", "channel_not_open"):
                raise

    def __enter__(self) -> "TesterPresent":
        return self

    def __exit__(self, *_: Any) -> None:
        self.stop()


class Ecu:
    """ECU of the bench file, or of a link that was opened.

    The link, its session and TesterPresent belong to the service: they outlive the script. A negative response raises
    :class:`~busbar.NegativeResponse`, silence :class:`~busbar.EcuTimeout`.

    :param timeout: Seconds for a whole request, with all its pending responses
    """

    def __init__(self, bench: "Bench", name: str, timeout: float = 60.0) -> None:
        self.bench = bench
        self.name = name
        self.timeout = timeout

    def record(self) -> records.DiagnosticLink:
        """Link with its settings, session and counters."""
        return self.bench.isotp_show(self.name)

    def request(
        self,
        data: Payload,
        *,
        wait: bool = True,
        functional: bool = False,
        check: bool = True,
        timeout: Optional[float] = None,
    ) -> Response:
        """Sends a request, such as ``22F190``, and returns its response.

        :param wait: Await the response; otherwise return when the request was sent
        :param functional: Send to all ECUs and collect their responses
        :param check: Raise negative responses; otherwise return them
        """
        limit = self.timeout if timeout is None else timeout
        record = self.bench.uds_request(
            self.name,
            data=hex_text(data),
            wait=wait,
            functional=functional,
            timeout_ms=max(1, round(limit * 1000)),
            timeout=limit + _MARGIN_S,
        )
        if check and not functional:
            self._check(record)
        response = record["response"]
        return Response(
            data=None if response is None else bytes.fromhex(response),
            positive=record["positive"],
            nrc=record["nrc"],
            nrc_name=record["nrc_name"],
            pending=record["pending"],
            duration_us=record["duration_us"],
            responses=tuple(
                FunctionalResponse(
                    id=each["id"],
                    address=each["address"],
                    data=bytes.fromhex(each["data"]),
                    positive=each["positive"],
                    nrc=each["nrc"],
                )
                for each in record.get("responses", [])
            ),
        )

    def read(self, did: Number) -> DidValue:
        """Reads a data identifier: ``read("vin")``."""
        return self.read_many(did)[_digits(did, 4)]

    def read_many(self, *dids: Number) -> Dict[str, DidValue]:
        """Reads several data identifiers in one request, by name or identifier as given.

        An ECU omits those that it does not have.
        """
        names = [_digits(did, 4) for did in dids]
        known: Dict[Union[str, int, None], Any] = {}
        for value in self._result(self.bench.uds_read, dids=names)["values"]:
            known[int(value["did"], 16)] = value
            known[value["name"]] = value
        found = {name: known.get(name) or known.get(_identifier(name)) for name in names}
        return {name: DidValue.from_record(value) for name, value in found.items() if value}

    def write(self, did: Number, value: Union[Value, bytes, bytearray]) -> None:
        """Writes a data identifier: text or a number by its codec; bytes if it has none."""
        text = hex_text(value) if isinstance(value, (bytes, bytearray)) else value_text(value)
        self._result(self.bench.uds_write, did=_digits(did, 4), value=text)

    def dtcs(self, mask: Optional[int] = None, *, supported: bool = False) -> List[Dtc]:
        """Trouble codes with any of the status bits, default all.

        :param supported: All codes that the ECU knows
        """
        result = self._result(self.bench.uds_dtc, mask=mask, supported=supported or None)
        return [
            Dtc(each["dtc"], each["text"], each["status"], tuple(each["status_bits"]))
            for each in result["dtcs"]
        ]

    def dtc_count(self, mask: Optional[int] = None) -> int:
        """Number of trouble codes with any of the status bits."""
        count: int = self._result(self.bench.uds_dtc, mask=mask, count=True)["count"]
        return count

    def snapshot(
        self, dtc: Union[Number, Dtc], record: Optional[int] = None
    ) -> records.UdsDtcs:
        """Snapshot records of a trouble code."""
        return self._result(self.bench.uds_dtc, snapshot=_dtc(dtc), record=record)

    def extended_data(
        self, dtc: Union[Number, Dtc], record: Optional[int] = None
    ) -> records.UdsDtcs:
        """Extended data records of a trouble code."""
        return self._result(self.bench.uds_dtc, extended=_dtc(dtc), record=record)

    def clear(self, group: Union[Number, Dtc, None] = None) -> None:
        """Clears trouble codes, default all."""
        self._result(self.bench.uds_clear, group=None if group is None else _dtc(group))

    def session(self, session: Number) -> Optional[records.UdsSession]:
        """Changes the session: ``default``, ``programming``, ``extended`` or a number."""
        return self._result(self.bench.uds_session, session=session)

    def reset(self, kind: Number = "hard") -> None:
        """Resets the ECU: ``hard``, ``key`` or ``soft``."""
        self._result(self.bench.uds_reset, reset=kind)

    def security(self, level: int = 1, key: Optional[Key] = None) -> None:
        """Unlocks a security level.

        :param level: Odd sub-function that requests the seed
        :param key: Key, or a function that computes it from the seed; default: ``seed_key`` of the bench file
        """
        if not callable(key):
            given = None if key is None else hex_text(key)
            result = self._result(self.bench.uds_security, level=level, key=given)
            if not result["unlocked"]:
                raise ValueError("The ECU wants a key: pass key=, or set seed_key in the bench file")
            return
        result = self._result(self.bench.uds_security, level=level)
        if not result["unlocked"]:
            answer = hex_text(key(bytes.fromhex(result["seed"])))
            self._result(self.bench.uds_security, level=level, key=answer)

    def start_routine(self, routine: Number, data: Payload = b"") -> bytes:
        """Starts a routine and returns the bytes after its identifier."""
        return self._routine("start", routine, data)

    def stop_routine(self, routine: Number, data: Payload = b"") -> bytes:
        """Stops a routine."""
        return self._routine("stop", routine, data)

    def routine_result(self, routine: Number, data: Payload = b"") -> bytes:
        """Result of a routine."""
        return self._routine("result", routine, data)

    def _routine(self, action: str, routine: Number, data: Payload) -> bytes:
        result = self._result(
            self.bench.uds_routine,
            action=action,
            routine=_digits(routine, 4),
            data=hex_text(data) or None,
        )
        return bytes.fromhex(result["data"])

    def read_memory(self, address: int, size: int) -> bytes:
        """Reads memory by address."""
        return bytes.fromhex(
            self._result(self.bench.uds_memory_read, address=address, size=size)["data"]
        )

    def write_memory(self, address: int, data: Payload) -> None:
        """Writes memory by address."""
        self._result(self.bench.uds_memory_write, address=address, data=hex_text(data))

    def tester_present(self, period: float = 2.0) -> TesterPresent:
        """Sends TesterPresent, also while a request is pending.

        ``with ecu.tester_present():`` stops it at the end. Otherwise it continues after the script, until the link is
        closed.
        """
        return TesterPresent(self, round(period * 1000))

    def flash(
        self,
        file: str,
        sequence: str,
        *,
        address: Optional[int] = None,
        on_progress: Optional[Callable[[records.JobProgress], None]] = None,
    ) -> records.FlashReport:
        """Flashes the ECU with an image by a sequence of steps, and returns the report.

        The job belongs to the service: it continues if the script ends. ``bench.job_cancel`` cancels it.

        :param file: Image in the project: Intel HEX, S-records, or ``.bin`` with an address
        :param sequence: File of the project with the steps
        :param on_progress: Called with percent, bytes and step whenever they change
        """
        job = self.bench.uds_flash(self.name, file=file, sequence=sequence, address=address)
        shown = None
        while True:
            progress = job["progress"]
            if on_progress is not None and progress is not None and progress != shown:
                shown = progress
                on_progress(progress)
            if job["finished_at_us"] is not None:
                break
            time.sleep(_POLL_S)
            job = self.bench.job_show(job["job_id"])
        if job["error"] is not None:
            raise BusbarError.from_record(job["error"])
        return job["result"]

    def _result(self, call: Callable[..., Any], **parameters: Any) -> Any:
        """Result of a service; None if its response was suppressed."""
        record = call(
            self.name,
            timeout_ms=max(1, round(self.timeout * 1000)),
            timeout=self.timeout + _MARGIN_S,
            **parameters,
        )
        self._check(record)
        return record["result"]

    def _check(self, record: Any) -> None:
        if record["positive"] is False:
            raise NegativeResponse(
                self.name, record["request"], record["nrc"], record["nrc_name"], record["response"]
            )
