"""HTTP with the standard library: one connection per request."""

from __future__ import annotations

import http.client
import json
import socket
import ssl
from typing import Any, Dict, Optional
from urllib.parse import urlsplit

from .errors import BusbarError, RequestTimeout, Unreachable


class Address:
    """Address and credentials of a service."""

    def __init__(
        self, url: str, token: Optional[str] = None, *, cafile: Optional[str] = None
    ) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is not an address such as http://127.0.0.1:8080/")
        self.url = url
        self.is_secure = parts.scheme == "https"
        self.host: str = parts.hostname
        self.port: int = parts.port or (443 if self.is_secure else 80)
        self.prefix = parts.path.rstrip("/")
        self.token = token
        self._context = ssl.create_default_context(cafile=cafile) if self.is_secure else None

    def headers(self) -> Dict[str, str]:
        """Headers of every request."""
        return {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def connection(self, timeout: float) -> http.client.HTTPConnection:
        """Connection that is not connected yet."""
        if self._context is not None:
            return http.client.HTTPSConnection(
                self.host, self.port, timeout=timeout, context=self._context
            )
        return http.client.HTTPConnection(self.host, self.port, timeout=timeout)

    def socket(self, timeout: float) -> socket.socket:
        """Connected socket, with TLS for https addresses."""
        try:
            plain = socket.create_connection((self.host, self.port), timeout)
            if self._context is None:
                return plain
            return self._context.wrap_socket(plain, server_hostname=self.host)
        except OSError as error:
            raise Unreachable(f"{self.url} cannot be reached: {error}") from error


def error_of(status: int, body: bytes) -> BusbarError:
    """Error of a failed response."""
    try:
        envelope = json.loads(body)
        return BusbarError.from_record(envelope["error"], status, envelope.get("request_id"))
    except (ValueError, KeyError, TypeError):
        start = body[:200].decode("utf-8", "replace")
        return Unreachable(f"The server is not Busbar: status {status}, {start!r}")


def call(
    address: Address, method: str, target: str, body: Optional[Dict[str, Any]], timeout: float
) -> Any:
    """Sends one request and returns its answer: parsed JSON, bytes of a file, or text."""
    headers = address.headers()
    content: Optional[bytes] = None
    if body is not None:
        headers["Content-Type"] = "application/json"
        content = json.dumps(body).encode()
    connection = address.connection(timeout)
    try:
        connection.request(method, address.prefix + target, content, headers)
        response = connection.getresponse()
        answer = response.read()
    except socket.timeout as error:
        raise RequestTimeout(f"{method} {target} was not answered within {timeout:g} s") from error
    except (OSError, http.client.HTTPException) as error:
        raise Unreachable(f"{address.url} cannot be reached: {error}") from error
    finally:
        connection.close()
    if response.status >= 300:
        raise error_of(response.status, answer)
    if response.headers.get_content_type() == "application/json":
        return json.loads(answer)
    if response.headers.get_content_type() == "application/octet-stream":
        return answer
    return answer.decode()
