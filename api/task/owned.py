"""What belongs to whom: tasks and keys of a caller; foreign ones do not exist."""

from api.caller import Caller
from api.problems import Refusal
from api.user.adopting import owns
from cluster import queue
from cluster.catalogue import uploads_of
from cluster.problem import InputProblem
from cluster.store import Away, Stat, store
from cluster.task import Task

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


def owned_stat(caller: Caller, key: str, name: str) -> Stat:
    """The stored object of the caller's under `key`. Raises InputProblem for unknown and foreign ones alike."""
    found = None
    kind, _, rest = key.partition("/")
    # Uploads lie flat, so that they are kept and deleted with their grant.
    nested = kind == "uploads" and key.count("/") != _FLAT
    if kind in ("uploads", "results") and not nested and owns(caller, rest.partition("/")[0]):
        try:
            found = store().stat(key)
        except Away:
            raise
        except (ValueError, OSError):
            found = None
    if found is None:
        raise InputProblem("file_unknown", file=name)
    return found
