"""The API as a process of its own, a small built site, and visitors who speak HTTP to it."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

import boto3
import httpx
import pytest
from botocore.config import Config
from mypy_boto3_s3 import S3Client

from api.__main__ import main
from cluster import queue
from cluster.queue import Claim
from cluster.store import store
from cluster.task import Made, Outcome, Status
from tests import postgres
from tests.api.forked import fork
from tests.conftest import free_port, wait_until
from tests.signing_in import code_for, new_account

PDF = b"%PDF-1.4\n%a small one\n%%EOF\n"
INLINE = "console.log('inline')"
#: For what is the same over either database, and whichever keys WeChat is trusted by.
ONE_SERVER = pytest.mark.parametrize("each_server", ["sqlite"], indirect=True)
ONE_SHOP = pytest.mark.parametrize("shop", ["sqlite"], indirect=True)


@dataclass
class Server:
    """The API on a port of its own, started by `main` in a fork of the warm process."""

    address: str
    environment: dict[str, str]
    log: Path
    process: ForkServerProcess | None = None
    main: Callable[[], None] = main

    @property
    def database(self) -> str:
        """SQLAlchemy's URL of its database."""
        own = self.environment.get("PAPERCRANE_API_DATABASE")
        return own or f"sqlite+aiosqlite:///{self.environment['PAPERCRANE_DATA']}/papercrane.db"

    def start(self) -> None:
        self.process = fork(self.main, self.environment, self.log)
        wait_until(self._alive, seconds=90, what="the API")

    def _alive(self) -> bool:
        assert self.process and self.process.is_alive(), self.log.read_text()
        try:
            return httpx.get(f"{self.address}/healthz").status_code == 200
        except httpx.HTTPError:
            return False

    def stop(self) -> None:
        """As an operator does; it must not take long."""
        assert self.process
        self.process.terminate()
        self.process.join(20)
        assert not self.process.is_alive()

    def kill(self) -> None:
        assert self.process
        self.process.kill()
        self.process.join()


@contextmanager
def serving(folder: Path, *, cluster: Mapping[str, str] | None = None, **settings: str) -> Iterator[Server]:
    """A server with these PAPERCRANE_API_* settings, and with PAPERCRANE_* settings of the cluster's.

    Nothing is set in this process, whose own settings are read once and stay.
    """
    port = int(settings.get("PORT") or free_port())
    own = {f"PAPERCRANE_API_{name}": value for name, value in settings.items()}
    own |= {f"PAPERCRANE_{name}": value for name, value in (cluster or {}).items()}
    # All tests come from one address.
    bounds = ["TRIES", "CODES", "GUESSES", "TICKETS", "VISITORS", "GRANTS"]
    many = {f"PAPERCRANE_API_ADDRESS_{what}": "100000" for what in bounds}
    environment = {**os.environ, "PAPERCRANE_API_PORT": str(port), **many}
    server = Server(f"http://127.0.0.1:{port}", {**environment, **own}, folder / f"api-{port}.log")
    try:
        server.start()
        yield server
    finally:
        server.kill()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, redis_server: str) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("api")
    settings = {"SITE": str(built_site(folder / "site")), "CORS": "https://other.example"}
    with serving(folder, **settings) as running:
        yield running


@pytest.fixture(scope="session")
def new_postgres() -> Iterator[Callable[[], str]]:
    """Makes an empty PostgreSQL database at every call, for two servers that share one would do each other's work."""
    where = postgres.required()
    with postgres.running(where) as url:
        yield partial(postgres.new_database, where, url)


@pytest.fixture(scope="session")
def postgres_server(
    tmp_path_factory: pytest.TempPathFactory, redis_server: str, new_postgres: Callable[[], str]
) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("api-postgres")
    with serving(folder, DATABASE=new_postgres()) as running:
        yield running


@pytest.fixture(scope="session", params=["sqlite", "postgresql"])
def each_server(request: pytest.FixtureRequest) -> Server:
    """The same API over either database."""
    found: Server = request.getfixturevalue("server" if request.param == "sqlite" else "postgres_server")
    return found


@pytest.fixture(scope="session")
def sqlite_shop(tmp_path_factory: pytest.TempPathFactory, redis_server: str) -> Iterator[Any]:
    from tests.gateways.shop import opened

    folder = tmp_path_factory.mktemp("shop")
    with opened(folder, f"sqlite+aiosqlite:///{folder / 'shop.db'}", "public key") as running:
        yield running


@pytest.fixture(scope="session")
def postgres_shop(
    tmp_path_factory: pytest.TempPathFactory, redis_server: str, new_postgres: Callable[[], str]
) -> Iterator[Any]:
    from tests.gateways.shop import opened

    with opened(tmp_path_factory.mktemp("shop-postgres"), new_postgres(), "certificates") as running:
        yield running


@pytest.fixture(params=["sqlite", "postgresql"])
def shop(request: pytest.FixtureRequest) -> Any:
    """The API as a merchant of the simulated gateways (tests.gateways.shop.Shop), over either database."""
    return request.getfixturevalue("sqlite_shop" if request.param == "sqlite" else "postgres_shop")


@pytest.fixture(autouse=True)
def empty_lanes(redis_server: str) -> None:
    """No worker empties the lanes here, so earlier tests' tasks must not fill them."""
    if streams := list(queue.connect().scan_iter("lane:*")):
        queue.connect().delete(*streams)


@dataclass
class Visitor:
    """A browser: its cookies, and the header that goes with them."""

    address: str
    http: httpx.Client = field(init=False)

    def __post_init__(self) -> None:
        limits = httpx.Limits(max_connections=None)
        self.http = httpx.Client(base_url=self.address, headers={"Web-Tag": "papercrane"}, timeout=20, limits=limits)

    def ask(self, method: str, path: str, **more: Any) -> httpx.Response:
        token = self.http.cookies.get("access_token")
        headers = {**({"Access-Token": token} if token else {}), **more.pop("headers", {})}
        return self.http.request(method, path, headers=headers, **more)

    def data(self, path: str, **query: Any) -> Any:
        answer = self.ask("GET", path, params=query)
        assert answer.status_code == 200, answer.text
        return answer.json()["data"]

    def grant(self, **query: Any) -> dict[str, Any]:
        return dict(self.data("/api/file/upload/getStsCredentials", **query))

    def upload(self, name: str = "a.pdf", body: bytes = PDF) -> str:
        """Store `body` as a foreign S3 client does; the key."""
        grant = self.grant(files=1, bytes=max(1, len(body)))
        key = f"{grant['prefix']}{name}"
        s3_client(grant).put_object(Bucket=grant["bucket"], Key=key, Body=body)
        return key

    def create(self, *keys: str, tool: int = 16, options: dict[str, Any] | None = None, **more: Any) -> httpx.Response:
        """createTask; `password` and `name` go to every file, other keywords are headers."""
        own = {name: more.pop(name) for name in ("password", "name") if name in more}
        files = [{"key": key, "name": key.rsplit("/", 1)[-1], **own} for key in keys]
        body = {"toolId": tool, "files": files, "options": options or {}}
        return self.ask("POST", "/api/task/task/createTask", json=body, headers=more)

    def task(self, *keys: str, **more: Any) -> str:
        """The id of a new task that must have been taken."""
        answer = self.create(*keys or (self.upload(),), **more)
        assert answer.status_code == 200, answer.text
        return str(answer.json()["data"]["taskId"])

    def sign_in(self, log: Path, account: str = "") -> dict[str, Any]:
        """Sign in with the code from the server's log; the user."""
        name = account or new_account()
        self.data("/api/user/user/sendDynamicPwd", account=name)
        return dict(self.data("/api/user/user/dynamicPwdLogin", account=name, pwd=code_for(log, name))["user"])

    def view(self, task: str) -> dict[str, Any]:
        (found,) = self.data("/api/task/task/getUserTasks", taskId=task)["items"]
        return dict(found)


@pytest.fixture
def someone(each_server: Server) -> Visitor:
    """A visitor of `each_server`."""
    return Visitor(each_server.address)


def s3_client(grant: dict[str, Any], **config: Any) -> S3Client:
    """boto3 with the keys of a grant."""
    keys = grant["credentials"]
    return boto3.client(
        "s3",
        endpoint_url=grant["endpoint"],
        region_name=grant["region"],
        aws_access_key_id=keys["accessKeyId"],
        aws_secret_access_key=keys["secretAccessKey"],
        aws_session_token=keys["sessionToken"] or None,
        config=Config(
            signature_version="s3v4", s3={"addressing_style": "path"}, retries={"total_max_attempts": 1}, **config
        ),
    )


@pytest.fixture
def visitor(server: Server) -> Visitor:
    return Visitor(server.address)


def claim_of(task: str) -> Claim:
    """The part of `task`, claimed through the real queue as a slot does; other tasks' parts are put aside."""
    found = queue.find(task)
    assert found
    for _ in range(1000):
        held = queue.claim(found.lane, "test-slot")
        if held and held.task == task:
            return held
    raise AssertionError("the lane does not hold the task")


def end_task(
    task: str, folder: Path, *results: tuple[str, bytes], status: Status = Status.SUCCESS, **more: Any
) -> None:
    """End a task of one part with these results (name, bytes) in the store, as a slot does."""
    held, found = claim_of(task), queue.find(task)
    assert found
    made = []
    for number, (name, body) in enumerate(results):
        path = folder / f"{task}-{number}"
        path.write_bytes(body)
        stat = store().put(f"{found.results}0.{held.fence}/{number}.pdf", path)
        made.append(Made(stat.key, name, stat.size, "pdf", 1, 0))
    queue.done(held, Outcome(status, made, **more))


def built_site(folder: Path) -> Path:
    """A site as Astro builds it, in little."""
    page = '<!doctype html><title>{0}</title><script>{1}</script><script type="application/ld+json">{{}}</script>{0}'
    for path, name in (
        ("index.html", "home"),
        ("PdfMerge/index.html", "merge"),
        ("en/PdfMerge/index.html", "merge in English"),
        ("404.html", "missing"),
        ("en/404.html", "missing in English"),
        ("sub/compress/index.html", "compress site"),
        ("sub/pdf/index.html", "pdf site"),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(page.format(name, INLINE))
    for path, text in (
        ("assets/page.Ab12Cd34.js", "let a = 1;" * 200),
        ("favicon.svg", "<svg/>"),
        ("_payload.json", "{}"),
        ("PdfRotate/_payload.json", '{"content": {"toolTitle": "旋转 PDF", "summary": "转"}}'),
        ("sub/compress/_payload.json", '{"sub": 1}'),
    ):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    return folder
