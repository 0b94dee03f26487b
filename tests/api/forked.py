"""API servers as forks of one warm process, which has imported what each of them would import again.

A fork has the settings, the log and the end of a process of its own. `deploy.up`, which the stories stand on, starts
`python -m api` as an operator does.
"""

import ctypes
import multiprocessing
import os
import re
import runpy
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.metadata import packages_distributions
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

#: What the API imports when it starts, and what it would import at its first look into a database.
_WARM = (
    "api.__main__",
    "alembic.command",
    "sqlalchemy.dialects.sqlite.aiosqlite",
    "sqlalchemy.dialects.postgresql.asyncpg",
    "aiosqlite",
    "asyncpg",
    "uvloop",
)
_PR_SET_PDEATHSIG = 1


@cache
def _warm() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_WARM, __name__])
    return context


def fork(main: Callable[[], None], environment: Mapping[str, str], log: Path) -> ForkServerProcess:
    """Start `main` in a fork that has this environment and appends its words to `log`."""
    return _started(main, environment, log, log)


def ran(module: str, *arguments: str, environment: Mapping[str, str]) -> "subprocess.CompletedProcess[str]":
    """`python -m module arguments` to its end, within a minute, in a fork."""
    with tempfile.TemporaryDirectory() as folder:
        out, errors = Path(folder, "out"), Path(folder, "errors")
        process = _started(partial(_run, module, arguments), environment, out, errors)
        process.join(60)
        assert not process.is_alive(), f"{module} does not end"
        return subprocess.CompletedProcess(arguments, process.exitcode, out.read_text(), errors.read_text())


def _run(module: str, arguments: tuple[str, ...]) -> None:
    sys.argv[1:] = arguments
    for name in (module, f"{module}.__main__"):  # else runpy complains that it was imported before
        sys.modules.pop(name, None)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def _started(main: Callable[[], None], environment: Mapping[str, str], out: Path, errors: Path) -> ForkServerProcess:
    process = _warm().Process(target=_become, args=(main, dict(environment), out, errors), daemon=True)
    process.start()
    return process


def _become(main: Callable[[], None], environment: dict[str, str], out: Path, errors: Path) -> None:
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    for stream, path in ((1, out), (2, errors)):
        handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        os.dup2(handle, stream)
        os.close(handle)
    os.environ.clear()
    os.environ.update(environment)
    sys.meta_path.insert(0, NotInTheImage())
    main()


class NotInTheImage:
    """Refuses what only workers have: the API's image holds the packages of deploy/api-packages.txt alone."""

    def __init__(self) -> None:
        names = (Path(__file__).parents[2] / "deploy/api-packages.txt").read_text().split()
        self.there = {plain(name) for name in names}
        self.homes = packages_distributions()

    def find_spec(self, name: str, *_: object) -> None:
        homes = self.homes.get(name, ())
        if homes and not any(plain(home) in self.there for home in homes):
            raise ModuleNotFoundError(f"{name} is not in the API's image", name=name)


def plain(name: str) -> str:
    """A package's name as all its spellings are one."""
    return re.sub(r"[-_.]+", "-", name).lower()
