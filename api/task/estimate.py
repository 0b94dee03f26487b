"""What a tool would make of one uploaded file, told before anybody starts it: a light task that leaves no trace.

It takes no free try and stands in no list. It runs only where a slot is free at once, so it holds up nobody's work;
whatever goes wrong, the answer is that nothing is known.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from typing_extensions import TypedDict

from api.body import EstimateBody, options_of
from api.caller import new_id
from api.calls import Asked
from api.task.inputs import inputs_of
from api.task.news import NEWS
from api.toolkit.tools import tool_by_id
from cluster import queue
from cluster.seal import seal
from cluster.task import Input, Status, Task
from cluster.tool import Tool

#: Seconds that a page waits for it, and how many an address gets in a day.
_PATIENCE, _MOST, _DAY = 25.0, 300, 86400


class Estimate(TypedDict):
    """Bytes that the result would have, by the value of the option `level`; null where that cannot be told."""

    sizes: dict[str, int] | None


async def estimate(asked: Asked[EstimateBody]) -> Estimate:
    """Ask for it and wait. Raises Refusal, InputProblem for a file that is not the caller's or not the tool's."""
    tool = tool_by_id(asked.given.tool_id)
    inputs = await inputs_of(asked.caller, tool, [asked.given.file])
    task = await asyncio.to_thread(_begin, asked, tool, inputs)
    if task is None:
        return {"sizes": None}
    try:
        with NEWS.about(task.id) as heard:
            ended = await _ended(task.id, heard)
    finally:
        await asyncio.to_thread(queue.forget, task)
    told = ended.outcomes[0].metrics if ended and ended.status is Status.SUCCESS else {}
    return {"sizes": {level: round(size) for level, size in told.items()} or None}


def _begin(asked: Asked[EstimateBody], tool: Tool[Any], inputs: Sequence[Input]) -> Task | None:
    """The queued task; None where the tool tells nothing, no slot is free or the address has asked enough."""
    caller = asked.caller
    free = queue.slots(tool.lane.value)
    if tool.estimate is None or not free or not _allowed(asked.address):
        return None
    number, password = new_id(), asked.given.file.password
    task = Task(
        id=number,
        owner=f"~{caller.owner}",  # in nobody's list of tasks, but in turn and bounded as its owner's
        tool=tool.id,
        lane=tool.lane.value,
        rank=caller.rights.queue,
        language=asked.language,
        options=options_of(tool, dict(tool.example)),
        inputs=tuple(inputs),
        status=Status.CREATE,
        parts=1,
        secrets={0: seal(password, number)} if password else {},
        created=queue.now_ms(),
        limits={"pages": caller.rights.pages},
        request=asked.request,
        estimate=True,
    )
    try:
        return task if queue.put(task, queue.Room(own=1, lane=free)) else None
    except queue.Full:
        return None


def _allowed(address: str) -> bool:
    """Whether the address may ask again today."""
    key = f"estimates:{address}"
    asked = int(queue.connect().incr(key))
    if asked == 1:
        queue.connect().expire(key, _DAY)
    return asked <= _MOST


async def _ended(task: str, heard: asyncio.Event) -> Task | None:
    """The task once it has ended; None when it is late or gone."""
    loop = asyncio.get_running_loop()
    end = loop.time() + _PATIENCE
    while (left := end - loop.time()) > 0:
        heard.clear()
        found = await asyncio.to_thread(queue.find, task)
        if found is None or found.status.ended:
            return found
        try:
            await asyncio.wait_for(heard.wait(), min(left, 1.0))
        except TimeoutError:
            continue
    return None
