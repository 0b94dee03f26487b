"""Kill every part of the product under load: nothing accepted is lost, nothing ends twice, all of it ends."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import boto3
import httpx
import psutil
import pytest
import redis
from boto3.s3.transfer import TransferConfig
from botocore.config import Config

from cluster.task import CLAIMS
from tests import make_office, make_sheets, make_slides
from tests.make import text
from tests.make_scans import page
from tests.stack import ENDED, ROOT, Person, Stack, started, wait_for

SUCCESS, ABNORMAL, PROCESSING = 3, 6, 2
ROTATE, IMAGE_TO_TEXT = 16, 24
#: Word, Excel, PPT to PDF, and a document for each.
OFFICE = {6: make_office.chapters, 7: make_sheets.table, 8: make_slides.deck}
SLOTS = {"quick": 2, "heavy": 1, "office": 1, "ocr": 1}


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    """A stack of our own: what is killed here must not disturb other tests."""
    lanes = ",".join(f"{lane}={count}" for lane, count in SLOTS.items())
    with started(tmp_path_factory.mktemp("faults"), PAPERCRANE_SLOTS=lanes, PAPERCRANE_RECYCLE="1000") as running:
        yield running


@pytest.fixture
def person(stack):
    return Person(stack.address)


@pytest.fixture(scope="module")
def long_work(tmp_path_factory):
    """A picture that keeps the OCR lane busy for seconds."""
    words = ["文字识别需要一些时间 reading takes a while"] * 300
    return page(words, size=(2480, 14000)).save(tmp_path_factory.mktemp("made") / "page.png")


@pytest.fixture(scope="module")
def pdf(tmp_path_factory):
    return text(tmp_path_factory.mktemp("made") / "合同.pdf", 3)


def burst(person: Person, pdf: Path, count: int) -> list[str]:
    """`count` accepted tasks."""
    (file,) = person.upload(pdf)
    answers = [person.create(ROTATE, [file], turn=2) for _ in range(count)]
    assert [answer["code"] for answer in answers] == [200] * count
    return [answer["data"]["taskId"] for answer in answers]


@contextmanager
def held(stack: Stack, *words: str) -> Iterator[None]:
    """What `Stack.processes` finds stands still, so that what it works on is surely not done meanwhile."""
    with still(wait_for(lambda: stack.processes(*words))):
        yield


@contextmanager
def still(processes: list[psutil.Process]) -> Iterator[None]:
    """They do nothing meanwhile."""
    tell(signal.SIGSTOP, processes)
    try:
        yield
    finally:
        tell(signal.SIGCONT, processes)


def tell(number: int, processes: list[psutil.Process]) -> None:
    for process in processes:
        with suppress(psutil.NoSuchProcess):
            process.send_signal(number)


def statuses(person: Person, tasks: list[str]) -> list[int]:
    return [person.task(task)["status"] for task in tasks]


def under_way(person: Person, tasks: list[str], count: int) -> None:
    """Wait until slots hold `count` of the tasks, of which none has ended."""
    wait_for(lambda: statuses(person, tasks).count(PROCESSING) >= count)
    assert not ENDED & set(statuses(person, tasks))


def all_end_well(person: Person, tasks: list[str], seconds: float = 150) -> None:
    for task in tasks:
        state = person.follow(task, seconds=seconds)
        assert state["status"] == SUCCESS, state
        assert len(state["outputs"]) == 1


def begun(person: Person, file: dict, tool: int = IMAGE_TO_TEXT) -> str:
    """A task that is being worked on just now."""
    task = person.create(tool, [file])["data"]["taskId"]
    person.follow(task, until=lambda state: state["status"] == PROCESSING)
    return task


@pytest.mark.parametrize(
    "words",
    [("ray::Slot",), ("bwrap", "scratch"), ("redis-server",), ("-m api",)],
    ids=["slots", "sandboxes", "redis", "the api"],
)
def test_killed_under_load(stack, person, pdf, words):
    """Two parts are being worked on and eight wait when it dies."""
    with loaded(stack, person, pdf) as tasks:
        stack.kill(*words)
    all_end_well(person, tasks)


def test_the_lanes_keeper_killed(stack, person, pdf):
    with loaded(stack, person, pdf) as tasks:
        (keeper,) = [each for each in stack.processes("cluster.worker") if each.cmdline()[-1] == "cluster.worker"]
        keeper.kill()
    all_end_well(person, tasks)


@contextmanager
def loaded(stack: Stack, person: Person, pdf: Path) -> Iterator[list[str]]:
    """Ten tasks, two of which the slots have begun; none ends in here."""
    ready(person)
    with held(stack, "cluster.worker.inside", "quick"):
        tasks = burst(person, pdf, 10)
        under_way(person, tasks, SLOTS["quick"])
        yield tasks


def test_libreoffice_killed(stack, person, tmp_path):
    """It dies under the first of three documents, one of each kind: none of them is lost."""
    suffixes = {6: ".docx", 7: ".csv", 8: ".pptx"}
    files = {tool: person.upload(draw(tmp_path / f"合同{suffixes[tool]}"))[0] for tool, draw in OFFICE.items()}
    ready(person)
    with held(stack, "soffice.bin"):
        tasks = [person.create(tool, [file])["data"]["taskId"] for tool, file in files.items()]
        under_way(person, tasks, SLOTS["office"])
        wait_for(lambda: at_work(stack, "office"))
        stack.kill("soffice.bin")
    all_end_well(person, tasks)


def test_a_poison_file_runs_three_times_at_most(stack, person, long_work):
    (file,) = person.upload(long_work)
    task = person.create(IMAGE_TO_TEXT, [file])["data"]["taskId"]
    record = redis.Redis.from_url(stack.environment["PAPERCRANE_REDIS"], decode_responses=True)
    for claim in range(1, CLAIMS + 1):
        wait_for(lambda claim=claim: record.hget(f"task:{task}", "p0.fence") == str(claim))
        (child,) = wait_for(lambda: at_work(stack, "ocr"))
        child.kill()
    state = person.follow(task)
    assert state["status"] == ABNORMAL
    assert state["error"]["reason"] == "internal"
    assert person.perform(IMAGE_TO_TEXT, long_work)["status"] == SUCCESS


def test_deleting_stops_the_work_within_seconds(stack, person, long_work):
    (file,) = person.upload(long_work)
    task = begun(person, file)
    working = wait_for(lambda: at_work(stack, "ocr"))
    person.get("/api/task/task/deleteTask", taskId=task)
    _, alive = psutil.wait_procs(working, timeout=5)
    assert not alive
    wait_for(lambda: not [path for path in (stack.data / "scratch").glob("ocr-*/**/*") if path.is_file()])
    assert not list((stack.data / "store" / "results").glob(f"*/{task}"))


def test_a_second_node_works_and_may_leave_or_die(stack, person, pdf):
    """Its slots take work; drained it ends what it has and takes no more; SIGKILL under load loses nothing."""
    ready(person)
    node = join(stack)
    try:
        ready(person, quick=2)
        tasks = burst(person, pdf, 20)
        drain(stack)
        took = psutil.Process(node.pid).children(recursive=True)
        with still([each for each in took if inside(each)]):  # it is not needed any more
            all_end_well(person, tasks + burst(person, pdf, 4))
        drain(stack, "--undo")
        ours = stack.processes("cluster.worker.inside", "quick")
        with held(stack, "cluster.worker.inside", "quick"):  # all the work is the other node's
            tasks = burst(person, pdf, 10)
            wait_for(lambda: statuses(person, tasks).count(SUCCESS) >= 10 - SLOTS["quick"])
            theirs = [each for each in psutil.Process(node.pid).children(recursive=True) if inside(each)]
            assert theirs and not set(theirs) & set(ours)
            tell(signal.SIGSTOP, theirs)
            tasks += burst(person, pdf, 4)
            wait_for(lambda: statuses(person, tasks).count(PROCESSING) == SLOTS["quick"] + 2)
            kill_tree(node)
        all_end_well(person, tasks)
        ready(person)
    finally:
        kill_tree(node)


def test_an_upload_goes_on_when_the_api_is_killed(stack, person, tmp_path):
    """boto3 retries its parts as the browser does; the object arrives whole."""
    path = tmp_path / "big.pdf"
    path.write_bytes(text(tmp_path / "seed.pdf", 2).read_bytes() + b"\n%" + os.urandom(40 << 20))
    grant = person.get("/api/file/upload/getStsCredentials", files=1, bytes=path.stat().st_size)
    key, killed = f"{grant['prefix']}0123456789abcdef", []

    def kill_once(sent: int) -> None:
        if not killed:
            killed.append(sent)
            stack.kill("-m api")

    steps = TransferConfig(max_concurrency=1)
    bucket(person, grant).upload_file(str(path), grant["bucket"], key, Callback=kill_once, Config=steps)
    assert 0 < killed[0] < path.stat().st_size
    assert (stack.data / "store" / key).read_bytes() == path.read_bytes()
    file = {"key": key, "name": "big.pdf"}
    all_end_well(person, [person.create(ROTATE, [file])["data"]["taskId"]])


def bucket(person: Person, grant: dict) -> Any:
    """A foreign S3 client that does not give up while the API starts again."""
    keys = grant["credentials"]
    return boto3.client(
        "s3",
        endpoint_url=str(httpx.URL(person.address).join(grant["endpoint"])),
        region_name=grant["region"],
        aws_access_key_id=keys["accessKeyId"],
        aws_secret_access_key=keys["secretAccessKey"],
        aws_session_token=keys["sessionToken"],
        config=Config(s3={"addressing_style": "path"}, retries={"mode": "standard", "max_attempts": 20}),
    )


def at_work(stack: Stack, lane: str) -> list[psutil.Process]:
    """The forked children that do a part of this lane just now, inside their sandboxes."""
    found = [each for each in stack.processes("cluster.worker.inside", lane) if inside(each)]
    above = {each.pid for each in found}
    return [each for each in found if parent(each) in above]


def inside(process: psutil.Process) -> bool:
    """Whether it is Python in a sandbox: the warm parent, or its child for a part."""
    try:
        return process.name() != "bwrap" and "cluster.worker.inside" in process.cmdline()
    except psutil.Error:
        return False  # it ended while we looked


def parent(process: psutil.Process) -> int:
    try:
        return process.ppid()
    except psutil.Error:
        return 0


def ready(person: Person, **more: int) -> None:
    """Wait until every slot is there (`more` of some lanes), and those that were killed are forgotten."""
    wanted = {lane: SLOTS[lane] + more.get(lane, 0) for lane in SLOTS}
    wait_for(lambda: answers(person) and slots(person) == wanted, 150)


def slots(person: Person) -> dict[str, int]:
    """Slots of each lane that are alive, as the operator's probe tells."""
    return dict(person.call("GET", "/readyz")["data"]["slots"])


def answers(person: Person) -> bool:
    try:
        return person.http.get("/healthz").status_code == 200
    except httpx.HTTPError:  # it starts again
        return False


def drain(stack: Stack, *more: str) -> None:
    """As the operator does before a machine leaves."""
    command = [sys.executable, "-m", "cluster.worker.drain", "second", *more]
    subprocess.run(command, env=os.environ | stack.environment, cwd=ROOT, check=True, timeout=120)


def join(stack: Stack) -> subprocess.Popen:
    """A second node on this machine, as an operator joins another one."""
    environment = os.environ | stack.environment | {"PAPERCRANE_NODE": "second", "PAPERCRANE_SLOTS": "quick=2"}
    command = [sys.executable, "-m", "deploy.up", "join", "127.0.0.1"]
    return subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)


def kill_tree(process: subprocess.Popen) -> None:
    if process.poll() is None:
        below = psutil.Process(process.pid).children(recursive=True)
        for each in [*below, psutil.Process(process.pid)]:
            with suppress(psutil.NoSuchProcess):
                each.send_signal(signal.SIGKILL)
        process.wait()
        psutil.wait_procs(below, timeout=10)
