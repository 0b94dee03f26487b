"""Calls about tasks."""

from api.body import EstimateBody, RetryQuery, TaskBody, TaskQuery, TasksQuery
from api.calls import Asked, Call
from api.task import listing
from api.task.create import create_task
from api.task.estimate import Estimate, estimate
from api.task.events import events
from api.task.listing import Deleted, TaskPage
from api.task.once import Created
from api.task.retry import retry_compress


def get_user_tasks(asked: Asked[TasksQuery]) -> TaskPage:
    return listing.page(asked.caller, asked.given, asked.language)


def delete_task(asked: Asked[TaskQuery]) -> Deleted:
    return listing.delete(asked.caller, asked.given.task_id)


CALLS = (
    Call(
        path="/api/task/task/createTask",
        summary="Queue a task on uploaded files or earlier results",
        run=create_task,
        answer=Created,
        method="POST",
        given=TaskBody,
        identity="minted",
    ),
    Call(
        path="/api/task/task/estimate",
        summary="What a tool would make of one uploaded file; takes no free try",
        run=estimate,
        answer=Estimate,
        method="POST",
        given=EstimateBody,
    ),
    Call(
        path="/api/task/task/getUserTasks",
        summary="The caller's tasks, page by page",
        run=get_user_tasks,
        answer=TaskPage,
        given=TasksQuery,
    ),
    Call(
        path="/api/task/task/events",
        summary="The task at every change, as Server-Sent Events",
        run=events,
        answer=bytes,
        given=TaskQuery,
    ),
    Call(
        path="/api/task/task/deleteTask",
        summary="Delete a task with its files at once; cancels it when queued or running",
        run=delete_task,
        answer=Deleted,
        given=TaskQuery,
    ),
    Call(
        path="/api/task/task/retryCompressTask",
        summary="Run a compress task again on the stored input at another level",
        run=retry_compress,
        answer=Created,
        given=RetryQuery,
    ),
)
