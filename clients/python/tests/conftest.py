"""A separate daemon for the tests, with its own home."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any, Iterator, Optional

import pytest

from busbar import Bench
from busbar.local import run

TOKEN = "letmein-7"


class Service:
    """A daemon with its command line."""

    def __init__(self, directory: Path) -> None:
        self.program = os.environ.get("BUSBAR_PROGRAM", "busbar")
        self.directory = directory
        self.environment = {**os.environ, "BUSBAR_HOME": str(directory / "home")}
        self.port = 0

    def run(self, *arguments: str) -> Any:
        return run(self.program, arguments, env=self.environment, cwd=self.directory)

    def start_web(self, *options: str) -> None:
        """Uses the same port as before."""
        status = self.run("web", "start", f"--listen=127.0.0.1:{self.port}", *options)
        self.port = int(status["listen"].rsplit(":", 1)[1])

    def bench(self, token: Optional[str] = TOKEN, **options: Any) -> Bench:
        return Bench(f"http://127.0.0.1:{self.port}/", token, **options)


@pytest.fixture(scope="session")
def service() -> Iterator[Service]:
    with tempfile.TemporaryDirectory(prefix="busbar-python-") as directory:
        service = Service(Path(directory).resolve())
        try:
            service.start_web(f"--token={TOKEN}")
            yield service
        finally:
            service.run("daemon", "stop")


@pytest.fixture
def client(service: Service) -> Iterator[Bench]:
    with service.bench() as bench:
        yield bench
        for record in bench.channel_list()["channels"]:
            bench.channel_close(record["selector"])
