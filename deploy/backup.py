"""Keep what must not be lost, and bring it back: `python -m deploy.backup save FILE`, `… restore FILE`.

The file is a tar, readable by its owner alone, of

    sql.sqlite | sql.pgdump   accounts, orders, memberships: one moment of the database (SQLite's or pg_dump's own copy)
    redis.rdb                 tasks, queues and sessions: one moment of Redis
    secret                    the key that is in the data folder where no setting gives one

Saving needs no stop. Restoring is for a place that holds nothing yet, with the API and the slots stopped. Users' files
are not in it: they live for hours, in a store with copies of its own.
"""

import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import redis
from sqlalchemy import make_url

from api.database import url
from cluster.queue import master
from cluster.settings import settings
from deploy.up import redis_command

_SQLITE, _POSTGRES, _REDIS, _SECRET = "sql.sqlite", "sql.pgdump", "redis.rdb", "secret"
#: Keys that go over at once.
_BATCH = 500


def save(file: Path) -> None:
    """Write the backup; a half one is never left under its name."""
    with tempfile.TemporaryDirectory(prefix="papercrane-backup-") as name:
        folder = Path(name)
        _save_sql(folder)
        _run("redis-cli", "-u", master.url(), "--no-auth-warning", "--rdb", str(folder / _REDIS))
        if _secret().exists():
            shutil.copy(_secret(), folder / _SECRET)
        draft = file.with_name(f".{file.name}.{os.getpid()}")
        os.close(os.open(draft, os.O_CREAT | os.O_WRONLY, 0o600))
        with tarfile.open(draft, "w") as packed:
            for each in sorted(folder.iterdir()):
                packed.add(each, each.name)
        draft.replace(file)


def restore(file: Path) -> None:
    """Bring a backup back. Raises SystemExit where something is already."""
    with tempfile.TemporaryDirectory(prefix="papercrane-restore-") as name, ExitStack() as stack:
        folder = Path(name)
        _unpack(file, folder)
        target = stack.enter_context(_redis_there())
        if target.dbsize():
            raise SystemExit("Redis holds keys already; restore into an empty one.")
        _restore_sql(folder)
        with _loaded(folder) as source:
            _copy(source, target)
        if (folder / _SECRET).exists() and not _secret().exists():
            shutil.copy(folder / _SECRET, _secret())


def _unpack(file: Path, folder: Path) -> None:
    try:
        with tarfile.open(file) as packed:
            packed.extractall(folder, filter="data")
    except (OSError, tarfile.TarError) as error:
        raise SystemExit(f"{file} is no backup that can be read: {error}") from None


def _save_sql(folder: Path) -> None:
    where = make_url(url())
    if where.get_backend_name() == "sqlite":
        if not Path(str(where.database)).exists():
            raise SystemExit(f"{where.database} is not there: PAPERCRANE_DATA names another folder?")
        with (
            closing(sqlite3.connect(f"file:{where.database}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(folder / _SQLITE)) as copy,
        ):
            source.backup(copy)
    else:
        _run("pg_dump", "--format=custom", f"--file={folder / _POSTGRES}", _libpq())


def _restore_sql(folder: Path) -> None:
    where = make_url(url())
    if where.get_backend_name() != "sqlite":
        # One transaction: an object that is there already stops it whole.
        _run("pg_restore", "--single-transaction", "--no-owner", f"--dbname={_libpq()}", str(folder / _POSTGRES))
        return
    database = Path(str(where.database))
    if database.exists():
        raise SystemExit(f"{database} is there already; move it away first.")
    database.parent.mkdir(parents=True, exist_ok=True)
    shutil.copy(folder / _SQLITE, database)
    database.chmod(0o600)


def _libpq() -> str:
    """The database as libpq is told of it, without its password: command lines are everybody's to read."""
    where = make_url(url())
    return where.set(drivername="postgresql", password=None).render_as_string()


def _secret() -> Path:
    return settings().data / "secret"


@contextmanager
def _redis_there() -> Iterator[Any]:
    """The Redis of the settings; this machine's own is started for the time where it is stopped."""
    where = urlsplit(settings().redis)
    port, own = where.port or 6379, where.hostname in ("127.0.0.1", "localhost") and not settings().sentinels
    with ExitStack() as stack:
        if own and not _answers(port):
            (settings().data / "redis").mkdir(parents=True, exist_ok=True)
            stack.enter_context(_running(redis_command(port)))
        client = stack.enter_context(closing(master.client()))
        _wait(client)
        yield client


@contextmanager
def _loaded(folder: Path) -> Iterator[Any]:
    """The backup's keys, in a Redis that nobody else can reach."""
    reach = folder / "redis.sock"
    command = ["redis-server", "--port", "0", "--unixsocket", str(reach), "--dir", str(folder)]
    command += ["--dbfilename", _REDIS, "--appendonly", "no", "--save", ""]
    with _running(command), closing(redis.Redis(unix_socket_path=str(reach))) as client:
        _wait(client)
        yield client


@contextmanager
def _running(command: list[str]) -> Iterator[None]:
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


def _wait(client: Any, seconds: float = 60) -> None:
    """Until it has read its files."""
    until = time.monotonic() + seconds
    while True:
        try:
            client.ping()
            return
        except (redis.ConnectionError, redis.BusyLoadingError):
            if time.monotonic() > until:
                raise SystemExit("Redis does not answer.") from None
            time.sleep(0.05)


def _copy(source: Any, target: Any) -> None:
    """Every key with its type, its consumer groups, and the moment it ends."""
    batch: list[bytes] = []
    for key in source.scan_iter(count=_BATCH):
        batch.append(key)
        if len(batch) == _BATCH:
            _copy_batch(source, target, batch)
            batch = []
    _copy_batch(source, target, batch)


def _copy_batch(source: Any, target: Any, keys: list[bytes]) -> None:
    asked = source.pipeline(transaction=False)
    for key in keys:
        asked.dump(key).pexpiretime(key)
    told = asked.execute()
    put = target.pipeline(transaction=False)
    for key, value, ends in zip(keys, told[::2], told[1::2], strict=True):
        if value is not None:  # it ended just now
            put.restore(key, max(ends, 0), value, absttl=ends > 0)
    put.execute()


def _answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(0.2)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def _run(*command: str) -> None:
    """Run a program. Its own words say what is wrong, the command may hold a password."""
    password = make_url(url()).password
    environment = {**os.environ, **({"PGPASSWORD": str(password)} if password else {})}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ran.returncode:
        raise SystemExit(f"{command[0]} did not work: {ran.stderr.strip()}")


if __name__ == "__main__":
    if len(sys.argv) != 3 or sys.argv[1] not in ("save", "restore"):
        raise SystemExit("usage: python -m deploy.backup save|restore FILE")
    {"save": save, "restore": restore}[sys.argv[1]](Path(sys.argv[2]))
