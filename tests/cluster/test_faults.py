"""Kill every part of the product under load: nothing accepted is lost, nothing ends twice, all of it ends."""

import os
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
import redis

from cluster.task import CLAIMS
from tests.make import text
from tests.make_scans import page
from tests.stack import ROOT, Person, Stack, started, wait_for

SUCCESS, ABNORMAL, PROCESSING = 3, 6, 2
ROTATE, IMAGE_TO_TEXT = 16, 24
SLOTS = {"quick": 2, "heavy": 1, "office": 1, "ocr": 1}


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    """A stack of our own: what is killed here must not disturb other tests."""
    lanes = ",".join(f"{lane}={count}" for lane, count in SLOTS.items())
    with started(tmp_path_factory.mktemp("faults"), PAPERCRANE_SLOTS=lanes) as running:
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


def all_end_well(person: Person, tasks: list[str], seconds: float = 90) -> None:
    for task in tasks:
        state = person.follow(task, seconds=seconds)
        assert state["status"] == SUCCESS, state
        assert len(state["outputs"]) == 1


def begun(person: Person, file: dict, tool: int = IMAGE_TO_TEXT) -> str:
    """A task that is being worked on just now."""
    task = person.create(tool, [file])["data"]["taskId"]
    person.follow(task, until=lambda state: state["status"] == PROCESSING)
    return task


def test_slots_killed_under_load(stack, person, pdf):
    tasks = burst(person, pdf, 20)
    stack.kill("ray::Slot")
    all_end_well(person, tasks)


def test_sandboxes_killed_under_load(stack, person, pdf):
    tasks = burst(person, pdf, 20)
    stack.kill("bwrap", "scratch")
    all_end_well(person, tasks)


def test_the_lanes_keeper_killed(stack, person, pdf):
    tasks = burst(person, pdf, 10)
    stack.kill("cluster.worker")
    all_end_well(person, tasks)


def test_redis_killed(stack, person, pdf):
    tasks = burst(person, pdf, 10)
    stack.kill("redis-server")
    all_end_well(person, tasks)


def test_the_api_killed(stack, person, pdf):
    tasks = burst(person, pdf, 10)
    stack.kill("-m api")
    all_end_well(person, tasks)


def test_libreoffice_killed(stack, person, tmp_path):
    document = tmp_path / "合同.txt"
    document.write_text("第一条 甲方\n" * 200)
    (file,) = person.upload(document)
    tasks = [person.create(6, [file])["data"]["taskId"] for _ in range(3)]
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
    assert not list((stack.data / "store" / "results").glob(f"*/{task}/**/*.*"))


def test_a_second_node_works_and_may_die(stack, person, pdf):
    """Its slots take work; SIGKILL under load loses nothing."""
    node = join(stack)
    try:
        wait_for(lambda: slots(person) > SLOTS["quick"])
        tasks = burst(person, pdf, 30)
        names = {process.pid for process in psutil.Process(node.pid).children(recursive=True)}
        assert names
        kill_tree(node)
        all_end_well(person, tasks)
        wait_for(lambda: slots(person) == SLOTS["quick"])
    finally:
        kill_tree(node)


def test_an_upload_goes_on_after_the_api_was_killed(stack, person, tmp_path):
    """boto3 retries its parts as the browser does; the object arrives whole."""
    path = tmp_path / "big.pdf"
    source = text(tmp_path / "seed.pdf", 2)
    path.write_bytes(source.read_bytes() + b"\n%" + os.urandom(40 << 20))
    stack.kill("-m api")
    wait_for(lambda: answers(person))
    (file,) = person.upload(path)
    state = person.follow(person.create(ROTATE, [file])["data"]["taskId"])
    assert state["inputs"][0]["size"] == path.stat().st_size


def at_work(stack: Stack, lane: str) -> list[psutil.Process]:
    """The forked children that do a part of this lane just now, inside their sandboxes."""
    inside = [each for each in stack.processes("cluster.worker.inside", lane) if each.name() != "bwrap"]
    return [each for each in inside if each.ppid() in {other.pid for other in inside}]


def slots(person: Person) -> int:
    """Slots of the quick lane that are alive, as the operator's probe tells."""
    return int(person.call("GET", "/readyz")["data"]["slots"]["quick"])


def answers(person: Person) -> bool:
    try:
        return person.http.get("/healthz").status_code == 200
    except OSError:
        return False
    except Exception:  # httpx while the API starts again
        return False


def join(stack: Stack) -> subprocess.Popen:
    """A second Ray node on this machine, as `ray start --address` on another one."""
    environment = os.environ | stack.environment
    environment |= {"RAY_AUTH_MODE": "token", "RAY_AUTH_TOKEN_PATH": str(stack.data / "ray.token")}
    environment |= {"PYTHONPATH": str(ROOT), "PAPERCRANE_SECOND": "1"}
    head = f"127.0.0.1:{stack.environment['PAPERCRANE_RAY_PORT']}"
    command = [str(Path(sys.executable).with_name("ray")), "start", f"--address={head}", "--block", "--num-cpus=1"]
    command += ['--resources={"quick":2}', "--disable-usage-stats"]
    return subprocess.Popen(command, env=environment, cwd=ROOT, stdout=subprocess.DEVNULL, start_new_session=True)


def kill_tree(process: subprocess.Popen) -> None:
    if process.poll() is None:
        below = psutil.Process(process.pid).children(recursive=True)
        for each in [*below, psutil.Process(process.pid)]:
            with suppress(psutil.NoSuchProcess):
                each.send_signal(signal.SIGKILL)
        process.wait()
        psutil.wait_procs(below, timeout=10)
