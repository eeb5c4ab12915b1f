"""Errors of requests and streams."""

from __future__ import annotations

from typing import Any, Dict, Mapping, Optional


class BusbarError(Exception):
    """Error of the service or the command line.

    Use ``code``, which is stable, and ``details``, which names the wrong field.
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        details: Optional[Mapping[str, Any]] = None,
        retryable: bool = False,
        hint: Optional[str] = None,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
    ) -> None:
        super().__init__(code, message)
        self.code = code
        self.message = message
        self.details: Dict[str, Any] = dict(details or {})
        self.retryable = retryable
        self.hint = hint
        self.status = status
        self.request_id = request_id

    def __str__(self) -> str:
        details = ", ".join(f"{name}={value!r}" for name, value in self.details.items())
        return (
            f"{self.code}: {self.message}"
            + (f" ({details})" if details else "")
            + (f". {self.hint}" if self.hint else "")
        )

    @classmethod
    def from_record(
        cls, error: Mapping[str, Any], status: Optional[int] = None, request_id: Optional[str] = None
    ) -> "BusbarError":
        """Error from a response, of the class of its code."""
        kind = _CLASSES.get(error["code"], BusbarError) if cls is BusbarError else cls
        return kind(
            error["code"],
            error["message"],
            details=error.get("details"),
            retryable=error.get("retryable", False),
            hint=error.get("hint"),
            status=status,
            request_id=request_id,
        )


class Unreachable(BusbarError):
    """No service answers at the address, or it is not Busbar."""

    def __init__(self, message: str, *, hint: Optional[str] = None) -> None:
        super().__init__("unreachable", message, retryable=True, hint=hint)


class RequestTimeout(BusbarError):
    """No answer in time. The request may or may not have been executed."""

    def __init__(self, message: str) -> None:
        super().__init__("timeout", message, retryable=True)


class EcuError(BusbarError):
    """An ECU did not answer, answered wrongly, or refused a request."""


class EcuTimeout(EcuError):
    """An ECU did not answer in time. The code says what was missing."""


class TransportError(EcuError):
    """An ECU violated the transport protocol, or answered something else."""


class NegativeResponse(EcuError):
    """An ECU refused a request."""

    def __init__(self, ecu: str, request: str, nrc: int, name: str, response: str) -> None:
        super().__init__(
            "negative_response",
            f"{ecu} refused {request}: 0x{nrc:02X} {name}",
            details={"ecu": ecu, "request": request, "nrc": nrc, "nrc_name": name},
        )
        self.nrc = nrc
        """Negative response code, such as 0x31."""
        self.name = name
        """Its name, such as ``request out of range``."""
        self.response = bytes.fromhex(response)

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"


_CLASSES = {
    "no_response": EcuTimeout,
    "response_pending_timeout": EcuTimeout,
    "flow_control_timeout": EcuTimeout,
    "consecutive_frame_timeout": EcuTimeout,
    "flow_control_overflow": TransportError,
    "sequence_error": TransportError,
    "response_too_long": TransportError,
    "unexpected_response": TransportError,
}
