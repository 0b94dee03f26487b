"""Creating a task: tool, options, files and rights checked in this order, then one atomic put."""

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from api.body import TaskBody, options_of
from api.caller import Caller, closed
from api.calls import Asked
from api.problems import Refusal
from api.room import check_room
from api.task.inputs import check_uploads, inputs_of
from api.task.once import Created, Once
from api.task.owned import keys_of
from api.toolkit.tools import tool_by_id
from api.user.rights import Tries, check_documents
from cluster import queue
from cluster.catalogue import schema_of
from cluster.seal import seal, seal_options
from cluster.task import Input, Status, Task
from cluster.tool import Tool

#: Seconds after which a full lane is asked again.
_RETRY = 15


@dataclass(frozen=True)
class Wish:
    """What a new task shall do, found to be possible; `passwords` are the inputs' by index, sealed for the task."""

    tool: Tool[Any]
    options: Mapping[str, Any]
    inputs: Sequence[Input]
    passwords: Mapping[int, str] = field(default_factory=dict)

    @property
    def counts(self) -> bool:
        """Whether it takes a try: what was read once is written with its corrections for nothing."""
        return not (self.tool.review and self.options.get("corrected"))


def create_task(asked: Asked[TaskBody]) -> Created:
    """Queue a task, or tell the one that this Idempotency-Key made before. Raises Refusal, InputProblem."""
    caller, body, once = asked.caller, asked.given, Once.of(asked)
    if first := once.made():
        return first
    tool = tool_by_id(body.tool_id)
    options = options_of(tool, body.options)
    inputs = inputs_of(caller, tool, body.files)
    check_uploads(caller, tool, options)
    passwords = {index: seal(each.password, once.task) for index, each in enumerate(body.files) if each.password}
    return queued(asked, once, Wish(tool, options, inputs, passwords))


def queued(asked: Asked[Any], once: Once, wish: Wish) -> Created:
    """Queue the task where disk, rights and lane have room for it. Raises Refusal."""
    caller = asked.caller
    check_room()
    check_documents(caller, wish.tool.documents(len(wish.inputs)))
    task = _task(asked, once, wish)
    if not _put(task, caller, counts=wish.counts) and (first := once.made()):
        return first
    if caller.account and closed(caller.account):
        # The account was erased while we checked: its last look may have missed this task.
        queue.forget(task)
        raise Refusal("sign_in")
    return {"taskId": task.id, "status": int(Status.BE_QUEUING)}


def _task(asked: Asked[Any], once: Once, wish: Wish) -> Task:
    caller, tool = asked.caller, wish.tool
    options, secrets = seal_options(wish.options, schema_of(tool.id), once.task)
    return Task(
        id=once.task,
        owner=caller.owner,
        tool=tool.id,
        lane=tool.lane.value,
        rank=caller.rights.queue,
        language=asked.language,
        options=options,
        inputs=tuple(wish.inputs),
        status=Status.CREATE,
        parts=tool.parts(len(wish.inputs)),
        planned=tool.plan is not None,
        secrets={**wish.passwords, **secrets},
        created=queue.now_ms(),
        limits={"pages": caller.rights.pages},
        request=asked.request,
        mark=once.mark,
        locked=tuple(wish.passwords),
    )


def _put(task: Task, caller: Caller, *, counts: bool) -> bool:
    """Count a try and queue the task; False when it is there already. Raises Refusal, with the try given back."""
    with Tries.today(caller).taken(task.id) if counts else nullcontext():
        try:
            return queue.put(task, queue.Room.usual(), keys_of(task))
        except queue.Full as full:
            reason = "too_many_waiting" if full.own else "queue_full"
            raise Refusal(reason, retry=_RETRY, seconds=_RETRY) from None
