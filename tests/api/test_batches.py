"""createTask's own rules for batches, options that name uploads, and passwords among options; no HTTP needed."""

import asyncio
import json
import secrets
import threading
from pathlib import Path
from typing import Any

import pytest

from api.body import FileGiven, TaskBody
from api.caller import Caller
from api.calls import Asked
from api.problems import Refusal
from api.task.create import create_task
from api.task.owned import keys_of
from cluster import queue
from cluster.problem import InputProblem
from cluster.seal import open_options
from cluster.store import store
from cluster.task import Task
from tests.api.conftest import PDF

PNG = b"\x89PNG\r\n\x1a\n" + b"x" * 100


@pytest.fixture
def member() -> Caller:
    return Caller(secrets.token_hex(8), "member", "here")


def kept(owner: str, tmp_path: Path, body: bytes, name: str = "a.pdf") -> str:
    path = tmp_path / secrets.token_hex(8)
    path.write_bytes(body)
    return store().put(f"uploads/{owner}/{secrets.token_hex(4)}/{name}", path).key


def created(caller: Caller, tool: int, *keys: str, **options: Any) -> Task:
    files = [FileGiven(key=key, name=key.rsplit("/", 1)[-1]) for key in keys]
    body = TaskBody.model_validate({"toolId": tool, "files": [each.model_dump() for each in files], "options": options})
    task = queue.find(asyncio.run(create_task(Asked(body, caller, caller.address)))["taskId"])
    assert task
    return task


def test_one_bad_file_does_not_spoil_a_batch(member: Caller, tmp_path: Path) -> None:
    good, bad = (kept(member.owner, tmp_path, body) for body in (PDF, PNG))
    task = created(member, 16, good, bad)
    assert (task.parts, task.rank) == (2, "member")
    with pytest.raises(InputProblem, match="not_supported_type"):
        created(member, 16, bad, bad)


def test_a_merge_is_as_good_as_its_worst_file(member: Caller, tmp_path: Path) -> None:
    good, bad = (kept(member.owner, tmp_path, body) for body in (PDF, b"no document"))
    with pytest.raises(InputProblem) as caught:
        created(member, 2, good, bad)
    assert caught.value.facts["index"] == 1


def test_a_member_has_fifty_documents(member: Caller, tmp_path: Path) -> None:
    key = kept(member.owner, tmp_path, PDF)
    queue.connect().zadd("slots:quick", {f"s{n}": queue.now_ms() for n in range(5)})
    assert created(member, 16, *[key] * 50).parts == 50
    assert queue.waiting("quick", "member")[0] == 50
    queue.connect().delete("slots:quick")
    with pytest.raises(Refusal, match="too_many_documents"):
        created(member, 16, *[key] * 51)


def test_uploads_in_options_are_the_callers_own(member: Caller, tmp_path: Path) -> None:
    document = kept(member.owner, tmp_path, PDF)
    mine, foreign = (kept(owner, tmp_path, PNG, "m.png") for owner in (member.owner, "somebody"))
    assert created(member, 18, document, mark={"kind": "image", "file": mine}).options["mark"]["file"] == mine
    for key in (foreign, "/etc/passwd", f"uploads/{member.owner}/../somebody/{foreign.split('/', 2)[2]}"):
        with pytest.raises(InputProblem, match="file_unknown"):
            created(member, 18, document, mark={"kind": "image", "file": key})
        with pytest.raises(InputProblem, match="file_unknown"):
            created(member, 28, document, corrected=[mine, key])
    assert keys_of(created(member, 28, document, corrected=[mine])) == {document, mine}


def test_what_an_image_mark_needs_lives_as_long(member: Caller, tmp_path: Path) -> None:
    document, mark = kept(member.owner, tmp_path, PDF), kept(member.owner, tmp_path, PNG, "m.png")
    created(member, 18, document, mark={"kind": "image", "file": mark})
    for key in (document, mark):
        assert queue.connect().zscore("due", f"files:{key.rsplit('/', 1)[0]}/") > queue.now_ms()


def test_passwords_among_options_rest_sealed(member: Caller, tmp_path: Path) -> None:
    from dataclasses import replace
    from typing import Annotated

    from cluster.catalogue import TOOLS, adapter_of, schema_of
    from cluster.fields import shown
    from cluster.tool import options

    @options
    class Locked:
        owner: Annotated[str, shown("密码", "Password", "password")] = ""

    tool = TOOLS[16]
    try:
        TOOLS[16] = replace(tool, options=Locked)
        adapter_of.cache_clear(), schema_of.cache_clear()
        task = created(member, 16, kept(member.owner, tmp_path, PDF), owner="hunter2")
    finally:
        TOOLS[16] = tool
        adapter_of.cache_clear(), schema_of.cache_clear()
    assert "hunter2" not in json.dumps(queue.connect().hgetall(f"task:{task.id}"))
    assert open_options(task.options, task.secrets, task.id) == {"owner": "hunter2"}


def test_a_store_beyond_a_network_is_waited_for_in_threads(
    member: Caller, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All looks of a task at the same time, so that 200 files wait as long as one."""
    keys = [kept(member.owner, tmp_path, PDF, f"{index}.pdf") for index in range(4)]
    together, look = threading.Barrier(len(keys), timeout=30), store().look
    monkeypatch.setattr(store(), "near", False)
    monkeypatch.setattr(store(), "look", lambda key, length: (together.wait(), look(key, length))[1])
    assert created(member, 16, *keys).parts == len(keys)
