"""This user's daemon, through the command line."""

from __future__ import annotations

import json
import subprocess
from os import PathLike
from typing import Any, Mapping, Optional, Sequence, Union

from .errors import BusbarError, Unreachable


def run(
    program: str,
    arguments: Sequence[str],
    *,
    env: Optional[Mapping[str, str]] = None,
    cwd: Optional[Union[str, "PathLike[str]"]] = None,
) -> Any:
    """Result of a command. Raises its error, with the hint."""
    done = finish(program, arguments, env=env, cwd=cwd)
    if done.returncode == 0:
        return json.loads(done.stdout)
    raise failure(program, done)


def finish(
    program: str,
    arguments: Sequence[str],
    *,
    env: Optional[Mapping[str, str]] = None,
    cwd: Optional[Union[str, "PathLike[str]"]] = None,
) -> "subprocess.CompletedProcess[str]":
    """Runs a command to its end, with a JSON result."""
    try:
        return subprocess.run(
            [program, *arguments, "--format=json"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=None if env is None else dict(env),
            cwd=cwd,
            check=False,
        )
    except OSError as error:
        raise Unreachable(
            f"{program} cannot be run: {error}", hint="Add busbar to the PATH, or pass its path."
        ) from error


def failure(program: str, done: "subprocess.CompletedProcess[str]") -> BusbarError:
    """Error of a command that failed."""
    try:
        return BusbarError.from_record(json.loads(done.stderr)["error"])
    except (ValueError, KeyError, TypeError):
        return Unreachable(f"{program} ended with {done.returncode}: {done.stderr}")


def web_address(program: str) -> str:
    """Address of the web service of this user's daemon."""
    status = run(program, ["web", "status"])
    url: Optional[str] = status.get("url")
    if status["state"] != "running" or url is None:
        raise BusbarError(
            "web_not_running",
            "The Web service is not running",
            hint="busbar web start starts it.",
        )
    return url
