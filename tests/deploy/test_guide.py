"""deploy/README.md can be followed: each block says what tried it, and all that it names is there."""

import importlib.util
import re
import shlex
import subprocess

import pytest

from deploy.up import ROLES
from tests.deploy.test_compose import FOLDER, lines_of_env
from tests.stack import ROOT

TEXT = (ROOT / "deploy" / "README.md").read_text()
BLOCKS = re.findall(r"^```sh\n(.*?)^```\n\n(.*?)(?:\n\n|\Z)", TEXT, re.MULTILINE | re.DOTALL)

#: How a command begins → the file that runs it and the words of it that stand there; or what the block marks as not
#: tried here. The longest that fits counts.
RUNS: dict[str, tuple[str, ...]] = {
    "sh deploy/run.sh": ("tests/test_start.py", '("sh", "deploy/run.sh")'),
    "sh deploy/setup.sh run": ("deploy/run.sh", "\nsh deploy/setup.sh run\n"),
    ".venv/bin/python -m deploy.edge": ("tests/api/test_edge.py", '"-m", "deploy.edge"', '"--listen"', '"--tls"'),
    "nginx -t": ("tests/api/test_edge.py", 'edge.nginx("-t")', '["nginx", "-c"'),
    "docker build": ("docker",),
    "docker image inspect": ("registry",),
    "cp deploy/compose/env.example": ("tests/deploy/test_compose.py", "env.example"),
    "python3 deploy/compose/make_secrets.py deploy/compose/": ("tests/deploy/test_compose.py", "make_secrets.py"),
    "cp fullchain.pem": ("certificate of yours",),
    "cp privkey.pem": ("certificate of yours",),
    "docker compose": ("compose", "engine"),
    ".venv/bin/python -m deploy.up": ("tests/test_start.py", "deploy.up"),
    ".venv/bin/python -m deploy.up worker": ("tests/test_start.py", '"deploy.up", "worker"'),
    ".venv/bin/python -m deploy.up join": ("tests/cluster/test_faults.py", '"deploy.up", "join"'),
    "ray up": ("ssh to machines, a cloud",),
    ".venv/bin/python -m cluster.worker.drain": ("tests/cluster/test_faults.py", '"cluster.worker.drain", "second"'),
    ".venv/bin/python -m cluster.worker.drain second --undo": ("tests/cluster/test_faults.py", '"--undo"'),
    "redis-server --appendonly yes": (
        "tests/api/test_failover.py",
        '"redis-server", "--port"',
        "min-replicas-to-write",
    ),
    "redis-server /etc/redis/sentinel.conf": ("tests/api/test_failover.py", '"--sentinel"'),
    "python3 deploy/compose/make_secrets.py deploy/kubernetes/": ("tests/deploy/test_kubernetes.py", "make_secrets.py"),
    "kubectl kustomize": ("tests/deploy/test_kubernetes.py", '["kubectl", "kustomize"]'),
    "kubectl apply": ("kubectl apply",),
    ".venv/bin/python -m deploy.backup": ("tests/api/test_backup.py", '"deploy.backup", verb'),
    "aws": ("aws",),
    "printf": ("tests/api/test_audit.py", '"deploy.audit"'),
}


def commands_of(block: str) -> list[str]:
    """The commands of a block as they are typed: without comments, settings before them and the words of a loop."""
    found = []
    for line in re.sub(r"\\\n\s*", " ", block).splitlines():
        words = shlex.split(line, comments=True)
        while words and (re.match(r"[A-Z_]+=", words[0]) or words[0] in ("do", "then")):
            words = words[1:]
        if inner := re.match(r"base=\$\((.*)\)", " ".join(words)):
            words = inner[1].split()
        if words and words[0] not in ("export", "for", "done"):
            found.append(" ".join(words))
    return found


def test_there_are_blocks_and_none_is_left_out():
    assert len(BLOCKS) == TEXT.count("```sh") > 8


@pytest.mark.parametrize(("commands", "after"), BLOCKS, ids=[each[0].splitlines()[0][:40] for each in BLOCKS])
def test_each_block_says_what_tried_it(commands, after):
    assert after.startswith(("Tried: ", "Not tried here: ")), after
    tests = re.findall(r"`((?:tests|deploy)/\S+)`", after)
    assert tests or after.startswith("Not tried here: ")
    assert all((ROOT / each).exists() for each in tests)
    for file in re.findall(r"(?:^|[ =])(deploy/[\w./-]+)", commands, re.MULTILINE):
        made = file.startswith(("deploy/compose/secrets", "deploy/compose/env", "deploy/kubernetes/onprem/secrets"))
        assert made or (ROOT / file).exists(), file
    for module in re.findall(r"-m ([\w.]+)", commands):
        assert module == "deploy.edge" or importlib.util.find_spec(module), module
    assert set(re.findall(r"-m deploy\.up (\w+)", commands)) <= ROLES.keys()
    assert set(re.findall(r"--target (\w+)", commands)) <= {"api", "worker", "edge"}


@pytest.mark.parametrize(("commands", "after"), BLOCKS, ids=[each[0].splitlines()[0][:40] for each in BLOCKS])
def test_each_command_is_run_by_a_test_or_marked(commands, after):
    assert subprocess.run(["sh", "-n"], input=commands, text=True, check=False).returncode == 0
    tried, _, marked = " ".join(after.split()).partition("Not tried here: ")
    for command in commands_of(commands):
        head = max((each for each in RUNS if command.startswith(each)), key=len, default=None)
        assert head, f"nobody knows what runs `{command}`"
        where, *words = RUNS[head]
        if "/" not in where:
            assert any(each in marked for each in RUNS[head]), f"`{command}` is not marked as not tried"
            continue
        assert where in tried, f"the guide does not say that {where} runs `{command}`"
        text = (ROOT / where).read_text()
        assert all(each in text for each in words), f"{where} does not run `{command}`"


def test_no_line_of_the_table_is_left_over():
    typed = [each for block, _ in BLOCKS for each in commands_of(block)]
    known = {max((head for head in RUNS if each.startswith(head)), key=len) for each in typed}
    assert known == RUNS.keys()


def test_every_setting_it_names_is_one():
    named = set(re.findall(r"PAPERCRANE_[A-Z0-9_]*[A-Z0-9]", TEXT))
    known = lines_of_env().keys()
    families = ("PAPERCRANE_API_ALIPAY", "PAPERCRANE_S3", "PAPERCRANE_API_STS")
    assert {each for each in named if each not in known and not each.startswith(families)} == set()


def test_its_anchors_are_there():
    heads = {re.sub(r"\W+", "-", each.lower()) for each in re.findall(r"^## (.*)$", TEXT, re.MULTILINE)}
    assert set(re.findall(r"\]\(#([\w-]+)\)", TEXT)) <= heads
    assert (FOLDER / "env.example").exists()
