"""A compress task again, at another level, on the inputs that are still in the store."""

from api.body import RetryQuery, options_of
from api.calls import Asked, in_thread
from api.problems import Refusal
from api.task.create import Wish, queued
from api.task.once import Created
from api.task.owned import all_of, owned_stat, owned_task
from api.user.rights import check_size
from cluster.catalogue import TOOLS
from cluster.problem import InputProblem, PasswordProblem


async def retry_compress(asked: Asked[RetryQuery]) -> Created:
    """Queue it, or tell the one that this Idempotency-Key made before. Raises Refusal, InputProblem."""
    return await queued(asked, _wish)


async def _wish(asked: Asked[RetryQuery], task: str) -> Wish:
    first = await in_thread(owned_task, asked.caller, asked.given.task_id)
    tool = TOOLS[first.tool]
    if tool.key != "compress":
        raise Refusal("not_compress_task")
    options = options_of(tool, {**first.options, "level": asked.given.level})
    for each in first.inputs:
        check_size(asked.caller, each.name, each.size)
    stats = await all_of([owned_stat(asked.caller, each.key, each.name) for each in first.inputs])
    for each, stat in zip(first.inputs, stats, strict=True):
        if stat.etag != each.etag:
            raise InputProblem("file_changed", file=each.name)
    for index in first.locked:
        # Passwords are forgotten when their task ends: with the password, createTask does it again on the same key.
        raise PasswordProblem("password_required", file=first.inputs[index].name, index=index)
    return Wish(tool, options, first.inputs)
