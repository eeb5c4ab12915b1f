"""Separate daemon for a test, with its own home."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
from typing import Literal, Optional

from .errors import Unreachable
from .local import run

Kind = Literal["demo", "virtual"]


class OwnDaemon:
    """Runs the demonstration vehicle or the empty virtual bench until closed."""

    def __init__(self, kind: Kind = "demo", *, program: str = "busbar") -> None:
        self._program = program
        self._process: Optional["subprocess.Popen[str]"] = None
        self.directory = os.path.realpath(tempfile.mkdtemp(prefix="busbar-"))
        """Project root of the daemon, for files that it reads."""
        self._environment = {
            **os.environ,
            "BUSBAR_HOME": os.path.join(self.directory, ".home"),
            "XDG_CONFIG_HOME": os.path.join(self.directory, ".config"),
        }
        self._log = os.path.join(self.directory, "daemon.log")
        # Do not pass on the token of another service.
        self._environment.pop("BUSBAR_TOKEN", None)
        try:
            self.url = self._run_vehicle() if kind == "demo" else self._run_bench()
        except BaseException:
            self.close()
            raise

    def _run_bench(self) -> str:
        status = run(
            self._program,
            ["web", "start", "--listen=127.0.0.1:0", "--history-capacity=65536"],
            env=self._environment,
            cwd=self.directory,
        )
        return str(status["url"])

    def _run_vehicle(self) -> str:
        try:
            with open(self._log, "w", encoding="utf-8") as log:
                self._process = subprocess.Popen(
                    [self._program, "demo", "--port=0"],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                    env=self._environment,
                    cwd=self.directory,
                    # Ctrl-C is for the tests, which stop the daemon themselves.
                    start_new_session=True,
                )
        except OSError as error:
            raise Unreachable(
                f"{self._program} cannot be run: {error}",
                hint="Put busbar on the path, or set BUSBAR_PROGRAM.",
            ) from error
        assert self._process.stdout is not None
        url = None
        for line in self._process.stdout:
            if line.startswith("Console"):
                url = line.split()[-1]
            if line.startswith("Press Ctrl-C") and url:
                return url
        with open(self._log, encoding="utf-8") as log:
            output = log.read()
        raise Unreachable(f"{self._program} demo ended with {self._process.wait()}: {output[-500:]}")

    def close(self) -> None:
        """Stops the daemon and deletes its directory."""
        if self._process is not None:
            self._process.send_signal(signal.SIGINT)
            self._process.wait()
            if self._process.stdout is not None:
                self._process.stdout.close()
        elif os.path.exists(self._environment["BUSBAR_HOME"]):
            run(self._program, ["daemon", "stop"], env=self._environment, cwd=self.directory)
        shutil.rmtree(self.directory, ignore_errors=True)
