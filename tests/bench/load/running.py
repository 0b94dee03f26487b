"""What is measured: processes with their CPU and memory, and a bare Sanic handler beside them."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import redis

from deploy.up import redis_command
from tests.api.conftest import Server, serving
from tests.api.forked import fork
from tests.conftest import free_port, wait_until
from tests.stack import ROOT

CONNECTIONS = int(os.environ.get("PAPERCRANE_BENCH_CONNECTIONS", "16"))


@dataclass(frozen=True)
class Load:
    """One turn: answers a second, the server's CPU seconds an answer, the slowest hundredth in ms, and refusals."""

    rate: float
    cpu: float
    slow: float
    refused: int


def load(address: str, pid: int, requests: Sequence[bytes], seconds: float, connections: int = CONNECTIONS) -> Load:
    """Ask the server at `address`, whose process is `pid`."""
    where, before = urlsplit(address), cpu_of(pid)
    client = [sys.executable, "-m", "tests.bench.load.client", str(where.hostname), str(where.port)]
    command = [*client, str(connections), str(seconds)]
    told = subprocess.run(command, input=b"\0".join(requests), stdout=subprocess.PIPE, check=True, cwd=ROOT)
    found = json.loads(told.stdout)
    spent = (cpu_of(pid) - before) / found["answers"]
    return Load(found["answers"] / found["seconds"], spent, found["slow_ms"], found["refused"])


def cpu_of(pid: int) -> float:
    """Seconds that a process and its children have computed."""
    top = psutil.Process(pid)
    return sum(sum(each.cpu_times()[:2]) for each in (top, *top.children(recursive=True)))


def asking(path: str, *, cookies: dict[str, str] | None = None, body: bytes = b"", **headers: str) -> bytes:
    """A request as a browser of ours sends it."""
    jar = "; ".join(f"{name}={value}" for name, value in (cookies or {}).items())
    own = {
        "Host": "127.0.0.1",
        "Web-Tag": "papercrane",
        "Accept-Language": "zh",
        "Accept": "*/*",
        "Accept-Encoding": "gzip, deflate, br",
        "User-Agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
        **({"Cookie": jar, "Access-Token": (cookies or {})["access_token"]} if cookies else {}),
        **({"Content-Type": "application/json", "Content-Length": str(len(body))} if body else {}),
        **headers,
    }
    first = f"{'POST' if body else 'GET'} {path} HTTP/1.1"
    return "\r\n".join([first, *(f"{name}: {value}" for name, value in own.items()), "", ""]).encode() + body


def bare() -> None:
    """A Sanic server that does nothing but answer, served as ours is."""
    from sanic import Request, Sanic
    from sanic.response import HTTPResponse, json

    app: Sanic = Sanic("bare", configure_logging=False)

    async def answer(request: Request) -> HTTPResponse:
        return json({"code": 200, "msg": "", "data": {}})

    app.add_route(answer, "/healthz", methods=["GET", "POST"])
    port = int(os.environ["PAPERCRANE_API_PORT"])
    app.prepare(host="127.0.0.1", port=port, single_process=True, motd=False, access_log=False)
    Sanic.serve_single(primary=app)


@contextmanager
def bare_server(folder: Path) -> Iterator[Server]:
    """It, in a fork of its own."""
    port = free_port()
    server = Server(f"http://127.0.0.1:{port}", {**os.environ, "PAPERCRANE_API_PORT": str(port)}, folder / "bare.log")
    server.main = bare
    try:
        server.start()
        yield server
    finally:
        server.kill()


@contextmanager
def own_redis() -> Iterator[None]:
    """A Redis as this machine's own one runs, where tests.conftest says that it is."""
    data = Path(os.environ["PAPERCRANE_DATA"])
    (data / "redis").mkdir(parents=True, exist_ok=True)
    port = urlsplit(os.environ["PAPERCRANE_REDIS"]).port or 0
    with subprocess.Popen(redis_command(port), stdout=subprocess.DEVNULL) as process, redis.Redis(port=port) as client:
        try:
            wait_until(lambda: _answers(client), what="Redis")
            yield
        finally:
            process.terminate()


def _answers(client: redis.Redis) -> bool:
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False


@contextmanager
def our_server(cluster: dict[str, str] | None = None, **settings: str) -> Iterator[Server]:
    """The API over a Redis of its own, in a folder that goes."""
    many = dict.fromkeys(
        ("ADDRESS_VISITORS", "ADDRESS_STREAMS", "ADDRESS_CONNECTIONS", "ADDRESS_GRANTS", "ADDRESS_TRIES"), "10000000"
    )
    with (
        tempfile.TemporaryDirectory() as name,
        own_redis(),
        serving(Path(name), cluster=cluster, **many, **settings) as server,
    ):
        yield server


__all__ = ["Load", "Server", "asking", "bare_server", "cpu_of", "fork", "load", "our_server", "own_redis"]
