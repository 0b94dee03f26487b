"""Ray's autoscaler over a whole stack, its own fake provider starting the nodes: they come with the queue, within their
limit, and go when nobody needs them; nothing accepted is lost, also when one goes while it works.
"""

import json
import os
import shlex
import signal
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil
import pytest
import ray
import redis
import yaml
from ray.autoscaler._private.fake_multi_node.node_provider import FAKE_HEAD_NODE_ID

from cluster.tool import Lane
from cluster.worker.lane import Need, emptiest_first, homes
from tests.cluster.test_faults import PROCESSING, all_end_well, burst, inside, tell
from tests.make import text
from tests.stack import Person, Stack, free_port, started, wait_for

MOST_NODES, SLOTS_A_NODE = 2, 2
LINGER = 2


def autoscaler(port: int) -> dict:
    """What the head is told: no nodes at first, and how many may come."""
    node = {"CPU": 1, "quick": SLOTS_A_NODE, "elastic": 1}
    kinds = {
        "ray.head.default": {"resources": {"heavy": 1}, "node_config": {}, "max_workers": 0},
        "quick": {"resources": node, "node_config": {}, "min_workers": 0, "max_workers": MOST_NODES},
    }
    defaults = Path(ray.__file__).parent / "autoscaler" / "local" / "defaults.yaml"
    return yaml.safe_load(defaults.read_text()) | {
        "cluster_name": "autoscaling",
        "max_workers": MOST_NODES,
        "idle_timeout_minutes": 0.03,
        "upscaling_speed": 10,
        "provider": {
            "type": "external",  # for its own name Ray looks for an example that its wheel does not hold
            "module": "ray.autoscaler._private.fake_multi_node.node_provider.FakeMultiNodeProvider",
            "gcs_address": f"127.0.0.1:{port}",
            "head_node_id": FAKE_HEAD_NODE_ID,
            "launch_multiple": True,
            "disable_node_updaters": True,
            "disable_launch_config_check": True,
        },
        "available_node_types": kinds,
        "head_node_type": "ray.head.default",
    }


@pytest.fixture(scope="module")
def stack(tmp_path_factory):
    folder, port = tmp_path_factory.mktemp("autoscaling"), free_port()
    (folder / "autoscaler.json").write_text(json.dumps(autoscaler(port)))
    head = ["env", "RAY_enable_autoscaler_v2=1", "RAY_FAKE_CLUSTER=1", "AUTOSCALER_UPDATE_INTERVAL_S=1"]
    head += [f"{name}={FAKE_HEAD_NODE_ID}" for name in ("RAY_CLOUD_INSTANCE_ID", "RAY_OVERRIDE_NODE_ID_FOR_TESTING")]
    head += [str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", f"--port={port}"]
    head += [
        "--node-ip-address=127.0.0.1",
        "--include-dashboard=false",
        "--disable-usage-stats",
        '--resources={"heavy":1}',
    ]
    head += ["--num-cpus=1", f"--autoscaling-config={folder / 'autoscaler.json'}", "--object-store-memory=100000000"]
    head += ["--disable-usage-stats", f"--temp-dir=/tmp/papercrane-ray-{os.getuid()}-{port}"]
    settings = {
        "KUBERAY_GEN_RAY_START_CMD": shlex.join(head),
        "PAPERCRANE_RAY_PORT": str(port),
        "PAPERCRANE_ELASTIC": "20",
        "PAPERCRANE_LINGER": str(LINGER),
        "PAPERCRANE_SLOTS": "heavy=1",
    }
    with started(folder / "data", **settings) as running:
        yield running


def nodes(stack: Stack) -> list[psutil.Process]:
    """The nodes that the autoscaler started: the head's is the oldest."""
    raylets = [each for each in stack.processes("raylet/raylet") if "raylet" in each.name()]
    return sorted(raylets, key=lambda each: each.create_time())[1:]


def slots(person: Person) -> int:
    return int(person.call("GET", "/readyz")["data"]["slots"]["quick"])


def sandboxes(node: psutil.Process) -> list[psutil.Process]:
    """The warm parents of a node's slots."""
    found = [each for each in node.children(recursive=True) if inside(each)]
    above = {each.pid for each in found}
    return [each for each in found if each.ppid() not in above]


def process_of(stack: Stack, slot: str) -> psutil.Process:
    (folder,) = (stack.data / "scratch").glob(f"{slot}.*")
    return psutil.Process(int(folder.name.rpartition(".")[2]))


def node_of(stack: Stack, slot: str) -> psutil.Process:
    (found,) = set(process_of(stack, slot).parents()) & set(nodes(stack))
    return found


def ready(stack: Stack, record: redis.Redis) -> list[psutil.Process]:
    """The warm parents of slots that gave a sign of life: one that is stopped while it starts is never ready."""
    found: list[psutil.Process] = []
    for slot in record.zrange("slots:quick", 0, -1):
        with suppress(ValueError, psutil.NoSuchProcess):  # it has just gone
            found += sandboxes(process_of(stack, slot))
    return found


@dataclass
class Load:
    """A visitor who never lets the queue run dry until told otherwise, and what became of his tasks."""

    person: Person
    pdf: Path
    record: redis.Redis
    tasks: list[str] = field(default_factory=list)

    def keep_up(self) -> bool:
        """See that more wait than all nodes together could take; always true."""
        waiting = sum(self.record.llen(key) for key in self.record.scan_iter("lane:quick:*:of:*"))
        if waiting < 2 * MOST_NODES * SLOTS_A_NODE:
            self.tasks += burst(self.person, self.pdf, 8)
        return True

    def held(self) -> int:
        """How many tasks slots hold just now."""
        return [self.record.hget(f"task:{task}", "status") for task in self.tasks].count(str(PROCESSING))

    def claims(self) -> list[int]:
        """How often each task's part was claimed, fewest first."""
        return sorted(int(self.record.hget(f"task:{task}", "p0.fence")) for task in self.tasks)


def test_nodes_come_and_go_with_the_queue_and_nothing_is_lost(stack, tmp_path):
    record = redis.Redis.from_url(stack.environment["PAPERCRANE_REDIS"], decode_responses=True)
    person = Person(stack.address)
    load = Load(person, text(tmp_path / "合同.pdf", 3), record)
    assert nodes(stack) == [] and slots(person) == 0

    wait_for(lambda: load.keep_up() and slots(person) == MOST_NODES * SLOTS_A_NODE)
    assert len(nodes(stack)) == MOST_NODES  # of those that the queue could fill

    # Each slot holds a part: the work spreads. On a busy machine a slot is known before its sandbox can be stopped.
    def all_hold() -> bool:
        tell(signal.SIGSTOP, ready(stack, record))
        return load.keep_up() and load.held() == MOST_NODES * SLOTS_A_NODE

    wait_for(all_hold)

    # With a slot of each node held, one node's slots are enough; the other's are to go, what they hold ends first.
    tell(signal.SIGCONT, [sandboxes(node)[0] for node in nodes(stack)])
    resting = wait_for(lambda: [slot for slot in record.smembers("resting") if record.hexists("nodes", slot)])
    leaving = node_of(stack, resting[0])
    (staying,) = set(nodes(stack)) - {leaving}
    assert load.held() == 2
    tell(signal.SIGCONT, sandboxes(leaving))
    wait_for(lambda: nodes(stack) == [staying])
    assert load.held() == 1
    assert set(load.claims()) == {1}

    # The other one dies with a part: its lease ends, a new node comes, and the part is done there.
    for each in [*staying.children(recursive=True), staying]:
        with suppress(psutil.NoSuchProcess):  # whose parent went may have gone already
            each.kill()
    all_end_well(person, load.tasks)
    assert load.claims() == [1] * (len(load.tasks) - 1) + [2]
    wait_for(lambda: nodes(stack) == [] and slots(person) == 0)


def test_only_nodes_that_stay_are_homes():
    offered = [
        {"NodeID": "a", "Alive": True, "Resources": {"quick": 2.0, "elastic": 1.0}},
        {"NodeID": "b", "Alive": True, "Resources": {"quick": 4.0, "CPU": 8.0}},
        {"NodeID": "c", "Alive": False, "Resources": {"quick": 4.0}},
        {"NodeID": "d", "Alive": True, "Resources": {"ocr": 1.0}},
    ]
    assert homes(offered, Lane.QUICK) == {"b": 4}


def test_nodes_with_few_slots_become_empty_first():
    assert emptiest_first({"one": "a", "two": "b", "three": "", "four": "a", "five": "b", "six": "a"}) == [
        *("three", "two", "five", "one", "four", "six")
    ]


def test_the_need_falls_only_after_a_while():
    need = Need(linger=10)
    assert [need.tell(depth, now) for now, depth in ((0, 3), (5, 1), (10, 8), (19, 2), (21, 2), (22, 0))] == [
        *(3, 3, 8, 8, 2, 2)
    ]
    busy = Need(linger=10)
    assert [busy.tell(depth, now) for now, depth in ((0, 12), (5, 8), (9, 8), (11, 1), (12, 7))] == [12, 12, 12, 8, 8]
