"""A PostgreSQL server of the test run's own, from the distribution's package."""

import os
import pwd
import secrets
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.stack import free_port


def programs() -> Path | None:
    """Where Debian keeps the newest server's programs."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"), key=lambda path: int(path.parts[4]))
    return found[-1].parent if found else None


def required() -> Path:
    """The server's programs; without them the test is skipped, but never in CI."""
    where = programs()
    if where is None:
        assert not os.environ.get("CI"), "PostgreSQL is not installed"
        pytest.skip("PostgreSQL is not installed")
    return where


@contextmanager
def running(where: Path) -> Iterator[str]:
    """Start a server with an empty database; gives SQLAlchemy's URL."""
    data, port = Path(tempfile.mkdtemp(prefix="papercrane-postgres-")), free_port()
    options = [f"-p{port}", "-clisten_addresses=127.0.0.1", "-cunix_socket_directories=", "-cfsync=off"]
    prefix = _as_postgres(data)
    make = [*prefix, str(where / "initdb"), "-D", str(data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
    subprocess.run(make, check=True, stdout=subprocess.DEVNULL, cwd=data)
    server = subprocess.Popen(
        [*prefix, str(where / "postgres"), "-D", str(data), *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        cwd=data,
    )
    try:
        _wait(where, server, port)
        yield f"postgresql+asyncpg://postgres@127.0.0.1:{port}/postgres"
    finally:
        server.send_signal(signal.SIGINT)  # SIGTERM would wait for its clients
        server.wait()
        shutil.rmtree(data, ignore_errors=True)


def new_database(where: Path, url: str) -> str:
    """The URL of a new empty database beside that of `url`."""
    name = f"papercrane_{secrets.token_hex(6)}"
    port = url.rpartition(":")[2].partition("/")[0]
    subprocess.run([where / "createdb", "-h", "127.0.0.1", "-p", port, "-U", "postgres", name], check=True)
    return f"{url.rpartition('/')[0]}/{name}"


def _as_postgres(data: Path) -> list[str]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid():
        return []
    user = pwd.getpwnam("postgres")
    os.chown(data, user.pw_uid, user.pw_gid)
    return ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--pdeathsig=TERM", "--"]


def _wait(where: Path, server: "subprocess.Popen[bytes]", port: int) -> None:
    # Its port is open before it takes anybody in.
    ready = [where / "pg_isready", "-q", "-h", "127.0.0.1", "-p", str(port)]
    until = time.monotonic() + 30
    while subprocess.run(ready).returncode:
        assert server.poll() is None, "PostgreSQL did not start"
        assert time.monotonic() < until, "PostgreSQL does not answer"
        time.sleep(0.05)
