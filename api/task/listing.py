"""The caller's tasks, page by page; and deleting one."""

from typing_extensions import TypedDict

from api.body import TasksQuery
from api.caller import Caller
from api.task.owned import keys_of, owned_task
from api.task.view import TaskView, view
from api.user.rights import Tries
from cluster import queue
from cluster.settings import settings
from cluster.store import store
from cluster.task import Status, Task, read
from cluster.words import Language


class TaskPage(TypedDict):
    """Answer of getUserTasks."""

    items: list[TaskView]
    total: int


class Deleted(TypedDict):
    taskId: str


def page(caller: Caller, asked: TasksQuery, language: Language) -> TaskPage:
    """One page of the caller's tasks; foreign ones do not exist."""
    found = [task for task in of_owner(caller.owner) if _wanted(task, asked)]
    ordered = found if asked.order == "1" else found[::-1]
    first = (asked.page - 1) * asked.size
    return {"items": [view(task, language) for task in ordered[first : first + asked.size]], "total": len(found)}


def of_owner(owner: str) -> list[Task]:
    """The owner's tasks, oldest first."""
    ids = queue.of_owner(owner)
    pipe = queue.connect().pipeline(transaction=False)
    for task_id in ids:
        pipe.hgetall(f"task:{task_id}")
    found = (read(task_id, raw) for task_id, raw in zip(ids, pipe.execute(), strict=True))
    return [task for task in found if task]


def delete(caller: Caller, task_id: str) -> Deleted:
    """Delete record, results and inputs at once; what runs is cancelled. Raises Refusal."""
    task = owned_task(caller, task_id)
    queue.forget(task)
    waiting = [other for other in of_owner(caller.owner) if not other.status.ended]
    needed = {key for other in waiting for key in keys_of(other)}
    for key in keys_of(task) - needed:
        if key.startswith("uploads/"):
            store().delete(key)
    results = task.results
    if not any(key.startswith(results) for key in needed):
        store().delete(results)
        # A worker that is just storing a result notices only at its next heartbeat: look once more.
        queue.connect().zadd("due", {f"files:{results}": queue.now_ms() + 2 * settings().lease * 1000})
    free = task.trouble is not None and task.trouble.reason in queue.FREE_REASONS
    if free or task.status is Status.ABNORMAL or not task.started:
        Tries.today(caller).give_back(task.id)
    return {"taskId": task.id}


def _wanted(task: Task, asked: TasksQuery) -> bool:
    return (
        (asked.status is None or str(int(task.status)) in asked.status.split(","))
        and (asked.tool_id is None or task.tool == asked.tool_id)
        and (asked.task_id is None or task.id == asked.task_id)
    )
