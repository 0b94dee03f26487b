"""Creating a task: tool, options, files and rights checked in this order, then one atomic put."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from api.body import Given, TaskBody, options_of
from api.caller import Caller, closed
from api.calls import Asked, at_the_store, in_thread
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

G = TypeVar("G", bound=Given)

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


async def create_task(asked: Asked[TaskBody]) -> Created:
    """Queue a task, or tell the one that this Idempotency-Key made before. Raises Refusal, InputProblem."""
    return await queued(asked, _wish)


async def _wish(asked: Asked[TaskBody], task: str) -> Wish:
    caller, body = asked.caller, asked.given
    tool = tool_by_id(body.tool_id)
    options = options_of(tool, body.options)
    inputs = await inputs_of(caller, tool, body.files)
    await check_uploads(caller, tool, options)
    passwords = {index: seal(each.password, task) for index, each in enumerate(body.files) if each.password}
    return Wish(tool, options, inputs, passwords)


async def queued(asked: Asked[G], wish: Callable[[Asked[G], str], Awaitable[Wish]]) -> Created:
    """Queue what `wish` finds to be possible for the task of this id, where disk, rights and lane have room for it.

    Raises Refusal, and what `wish` raises.
    """
    once, caller = Once.of(asked), asked.caller
    if first := await once.made():
        return first
    wished = await wish(asked, once.task)
    await at_the_store(check_room)
    task = _task(asked, once, wished)
    if not await _put(task, wished, caller) and (first := await once.made()):
        return first
    if caller.account is not None and await in_thread(closed, caller.account):
        # The account was erased while we checked: its last look may have missed this task.
        await in_thread(queue.forget, task)
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


async def _put(task: Task, wish: Wish, caller: Caller) -> bool:
    """Count a try and queue the task; False when it is there already. Raises Refusal: then neither has happened."""
    check_documents(caller, wish.tool.documents(len(wish.inputs)))
    toll = Tries.today(caller).toll if wish.counts else None
    try:
        return queue.placed(await queue.ask(*queue.putting(task, queue.Room.usual(), keys_of(task), toll)))
    except queue.Spent:
        raise Tries.today(caller).refusal() from None
    except queue.Full as full:
        reason = "too_many_waiting" if full.own else "queue_full"
        raise Refusal(reason, retry=_RETRY, seconds=_RETRY) from None
