"""Creating a task: tool, options, files and rights checked in this order, then one atomic put."""

import hashlib
import hmac
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from typing_extensions import TypedDict

from api.body import FileGiven, TaskBody, options_of
from api.caller import Caller, closed, new_id
from api.calls import Asked
from api.file.names import clean_name
from api.problems import Refusal
from api.room import check_room
from api.task.owned import owned_stat, owned_task
from api.toolkit.tools import schema_of, tool_by_id
from api.user.rights import Tries, check_documents, check_size
from cluster import queue
from cluster.catalogue import TOOLS
from cluster.fields import uploads_in
from cluster.kinds import kind_of
from cluster.problem import InputProblem, PasswordProblem
from cluster.seal import seal, seal_options, server_key
from cluster.settings import settings
from cluster.store import Stat, store
from cluster.task import Input, Status, Task
from cluster.tool import Tool

#: What tells a container's kind stands at its end; the worker sees the whole file.
_CONTAINERS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
_HEAD = 8192
#: Files of one task, whatever the rank.
MOST_FILES = 200


class Created(TypedDict):
    """Answer of createTask and retryCompressTask."""

    taskId: str
    status: int


def create_task(asked: Asked[TaskBody]) -> Created:
    """Queue a task, or tell the one that this Idempotency-Key made before. Raises Refusal, InputProblem."""
    caller, body, once = asked.caller, asked.given, Once.of(asked)
    if first := once.made():
        return first
    tool = tool_by_id(body.tool_id)
    options = options_of(tool, body.options)
    inputs = _inputs(caller, tool, body.files)
    for key in uploads_in(schema_of(tool), options):
        check_size(caller, key.rsplit("/", 1)[-1], owned_stat(caller, key, "").size)
    sealed = {index: seal(each.password, once.task) for index, each in enumerate(body.files) if each.password}
    return _queued(asked, tool, once, options, inputs, sealed)


def retry_compress(asked: Asked[Any]) -> Created:
    """The compress task again on its stored inputs with another level. Raises Refusal, InputProblem."""
    once = Once.of(asked)
    if made := once.made():
        return made
    first = owned_task(asked.caller, asked.given.task_id)
    tool = TOOLS[first.tool]
    if tool.key != "compress":
        raise Refusal("not_compress_task")
    options = options_of(tool, {**first.options, "level": asked.given.level})
    for each in first.inputs:
        check_size(asked.caller, each.name, each.size)
        if owned_stat(asked.caller, each.key, each.name).etag != each.etag:
            raise InputProblem("file_changed", file=each.name)
    for index in first.locked:
        # Passwords are forgotten when their task ends: with the password, createTask does it again on the same key.
        raise PasswordProblem("password_required", file=first.inputs[index].name, index=index)
    return _queued(asked, tool, once, options, first.inputs, {})


def _queued(
    asked: Asked[Any],
    tool: Tool[Any],
    once: "Once",
    options: dict[str, Any],
    inputs: Sequence[Input],
    sealed: Mapping[int, str],
) -> Created:
    caller, task_id = asked.caller, once.task
    check_room()
    documents = len(inputs) if tool.takes == "each" else 1
    check_documents(caller, documents)
    plain, secrets = seal_options(options, schema_of(tool), task_id)
    task = Task(
        id=task_id,
        owner=caller.owner,
        tool=tool.id,
        lane=tool.lane.value,
        rank=caller.rights.queue,
        language=asked.language,
        options=plain,
        inputs=tuple(inputs),
        status=Status.CREATE,
        parts=documents if tool.plan is None else 1,
        planned=tool.plan is not None,
        secrets={**sealed, **secrets},
        created=queue.now_ms(),
        limits={"pages": caller.rights.pages},
        request=asked.request,
        mark=once.mark,
        locked=tuple(sealed),
    )
    if not _put(task, caller) and (first := once.made()):
        return first
    if caller.account and closed(caller.account):
        # The account was erased while we checked: its last look may have missed this task.
        queue.forget(task)
        raise Refusal("sign_in")
    _keep_inputs(task, uploads_in(schema_of(tool), options))
    return {"taskId": task_id, "status": int(Status.BE_QUEUING)}


def _put(task: Task, caller: Caller) -> bool:
    """Count a try and queue the task; False when it is there already. Raises Refusal, with the try given back."""
    tries = Tries.today(caller)
    tries.take(task.id)
    most = settings().queue_factor * max(1, queue.slots(task.lane))
    try:
        return queue.put(task, queue.Room(settings().queue_own, most))
    except queue.Full as full:
        tries.give_back(task.id)
        reason = "too_many_waiting" if full.own else "queue_full"
        raise Refusal(reason, retry=_RETRY, seconds=_RETRY) from None


#: Seconds after which a full lane is asked again.
_RETRY = 15


@dataclass(frozen=True)
class Once:
    """What a request makes: the task's id, and with an Idempotency-Key a mark of all that was asked.

    The same key of the same owner makes the same id, and an id is put only once: no lock is needed.
    """

    task: str
    mark: str = ""

    @classmethod
    def of(cls, asked: Asked[Any]) -> "Once":
        if not asked.once:
            return cls(new_id())
        text = f"{asked.caller.owner}.{asked.once}"
        body = json.dumps(asked.given.model_dump(mode="json"), sort_keys=True)
        # Nobody keeps the key itself, so a password in the body cannot be guessed from its mark.
        return cls(_hash(text)[:40], _hash(f"{text}.{type(asked.given).__name__}.{body}"))

    def made(self) -> Created | None:
        """The task that this key has made. Raises Refusal key_reused when something else was asked then."""
        first = queue.find(self.task) if self.mark else None
        if first and not hmac.compare_digest(first.mark, self.mark):
            raise Refusal("key_reused")
        return {"taskId": first.id, "status": int(first.status)} if first else None


def _hash(text: str) -> str:
    return hmac.new(server_key("idempotency"), text.encode(), hashlib.sha256).hexdigest()


def check_files(tool: Tool[Any], count: int) -> None:
    """Raises Refusal when the tool takes more or fewer files."""
    if count > MOST_FILES:
        raise Refusal("too_many_files", limit=MOST_FILES)
    if count < tool.least:
        raise Refusal("too_few_files", limit=tool.least)


def _inputs(caller: Caller, tool: Tool[Any], files: Sequence[FileGiven]) -> list[Input]:
    check_files(tool, len(files))
    inputs, problems = [], []
    for index, each in enumerate(files):
        name = clean_name(each.name)
        stat = owned_stat(caller, each.key, name)
        check_size(caller, name, stat.size)
        inputs.append(Input(each.key, name, stat.size, stat.etag))
        if problem := _unfit(tool, stat, name):
            problems.append(problem.about(index=index))
    # In a batch one bad file does not spoil the others: its own part will tell.
    if problems and (tool.takes == "all" or len(problems) == len(files)):
        raise problems[0]
    return inputs


def _unfit(tool: Tool[Any], stat: Stat, name: str) -> InputProblem | None:
    """What the first bytes already tell."""
    if not stat.size:
        return InputProblem("empty_file", file=name)
    head = b"".join(store().read(stat.key, 0, min(_HEAD, stat.size)))
    if head.startswith(_CONTAINERS):
        return None
    with tempfile.NamedTemporaryFile() as copy:
        copy.write(head)
        copy.flush()
        kind = kind_of(Path(copy.name))
    if kind is not None and kind in tool.accepts:
        return None
    return InputProblem("not_supported_type", file=name, found=kind.key if kind else "?")


def _keep_inputs(task: Task, extras: Sequence[str]) -> None:
    """Inputs live as long as a task that may need them."""
    prefixes = {f"files:{key.rsplit('/', 1)[0]}/" for key in [*(each.key for each in task.inputs), *extras]}
    later = queue.now_ms() + settings().keep * 1000
    queue.connect().zadd("due", dict.fromkeys(prefixes, later), gt=True)
