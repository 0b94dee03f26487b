"""The files of a new task: how many, whose, how large, and whether their first bytes fit the tool."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.body import FileGiven
from api.caller import Caller
from api.file.names import clean_name
from api.problems import Refusal
from api.task.owned import owned_stat
from api.user.rights import check_size
from cluster.catalogue import uploads_of
from cluster.kinds import HEAD, kind_of_head, tells
from cluster.problem import InputProblem
from cluster.store import Stat, store
from cluster.task import Input
from cluster.tool import Tool

#: Files of one task, whatever the rank.
MOST_FILES = 200


def inputs_of(caller: Caller, tool: Tool[Any], files: Sequence[FileGiven]) -> list[Input]:
    """The inputs, each pinned by its ETag. Raises Refusal, InputProblem."""
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


def check_files(tool: Tool[Any], count: int) -> None:
    """Raises Refusal when the tool takes more or fewer files."""
    if count > MOST_FILES:
        raise Refusal("too_many_files", limit=MOST_FILES)
    if count < tool.least:
        raise Refusal("too_few_files", limit=tool.least)


def check_uploads(caller: Caller, tool: Tool[Any], options: Mapping[str, Any]) -> None:
    """Files that options name, too, are the caller's, and not too large. Raises Refusal, InputProblem."""
    for key in uploads_of(tool.id, options):
        check_size(caller, key.rsplit("/", 1)[-1], owned_stat(caller, key, "").size)


def _unfit(tool: Tool[Any], stat: Stat, name: str) -> InputProblem | None:
    """What the first bytes already tell; the worker sees the whole file."""
    if not stat.size:
        return InputProblem("empty_file", file=name)
    head = b"".join(store().read(stat.key, 0, min(HEAD, stat.size)))
    kind = kind_of_head(head)
    if not tells(head) or (kind is not None and kind in tool.accepts):
        return None
    return InputProblem("not_supported_type", file=name, found=kind.key if kind else "?")
