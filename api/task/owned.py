"""What belongs to whom: tasks and keys of a caller; foreign ones do not exist."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import Any, TypeVar, cast

from api.caller import Caller
from api.calls import at_the_store, in_thread
from api.problems import Refusal
from api.user.adopting import owns
from cluster import queue
from cluster.catalogue import uploads_of
from cluster.kinds import HEAD
from cluster.problem import InputProblem
from cluster.store import Away, Stat, store
from cluster.task import Task

T = TypeVar("T")

#: Slashes in `uploads/<owner>/<grant>/<name>`.
_FLAT = 3


def owned_task(caller: Caller, task: str) -> Task:
    """The caller's task. Raises Refusal for unknown and for foreign ones alike."""
    found = queue.find(task) if task.isascii() and task.isalnum() else None
    if found is None or found.owner != caller.owner:
        raise Refusal("task_unknown")
    return found


def keys_of(task: Task) -> set[str]:
    """Every key that the task reads: its inputs and the uploads in its options."""
    return {each.key for each in task.inputs} | set(uploads_of(task.tool, task.options))


async def owned_stat(caller: Caller, key: str, name: str) -> Stat:
    """The stored object of the caller's under `key`. Raises InputProblem for unknown and foreign ones alike."""
    return await _owned(caller, key, name, lambda key: store().stat(key))


async def owned_head(caller: Caller, key: str, name: str) -> tuple[Stat, bytes]:
    """The same with its first HEAD bytes."""
    return await _owned(caller, key, name, lambda key: store().look(key, HEAD))


async def _owned(caller: Caller, key: str, name: str, look: Callable[[str], T | None]) -> T:
    kind, _, rest = key.partition("/")
    # Uploads lie flat, so that they are kept and deleted with their grant.
    nested = kind == "uploads" and key.count("/") != _FLAT
    found = None
    if kind in ("uploads", "results") and not nested and await _may_use(caller, rest.partition("/")[0]):
        found = await at_the_store(partial(_seen, look, key))
    if found is None:
        raise InputProblem("file_unknown", file=name)
    return found


async def _may_use(caller: Caller, owner: str) -> bool:
    # Whose files they are is only asked where it is not seen.
    return owner == caller.owner or await in_thread(owns, caller, owner)


def _seen(look: Callable[[str], T | None], key: str) -> T | None:
    try:
        return look(key)
    except Away:
        raise
    except (ValueError, OSError):
        return None


async def all_of(looks: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """What they find side by side. Raises what the first of them, in their order, raises."""
    if len(looks) < 2:  # mostly, and a task of the loop's own costs as much as the look
        return [await each for each in looks]
    found = await asyncio.gather(*looks, return_exceptions=True)
    if failed := next((each for each in found if isinstance(each, BaseException)), None):
        raise failed
    return cast(list[T], found)
