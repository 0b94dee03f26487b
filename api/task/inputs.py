"""The files of a new task: how many, whose, how large, and whether their first bytes fit the tool."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from api.body import FileGiven
from api.caller import Caller
from api.file.names import clean_name
from api.problems import Refusal
from api.task.owned import all_of, owned_head, owned_stat
from api.user.rights import check_size
from cluster.catalogue import uploads_of
from cluster.kinds import kind_of_head, tells
from cluster.problem import InputProblem
from cluster.task import Input
from cluster.tool import Tool

#: Files of one task, whatever the rank.
MOST_FILES = 200


async def inputs_of(caller: Caller, tool: Tool[Any], files: Sequence[FileGiven]) -> list[Input]:
    """The inputs, each pinned by its ETag. Raises Refusal, InputProblem."""
    check_files(tool, len(files))
    names = [clean_name(each.name) for each in files]
    looks = [owned_head(caller, each.key, name) for each, name in zip(files, names, strict=True)]
    seen = await all_of(looks)
    for name, (stat, _) in zip(names, seen, strict=True):
        check_size(caller, name, stat.size)
    _check_heads(tool, names, [head for _, head in seen])
    return [Input(stat.key, name, stat.size, stat.etag) for name, (stat, _) in zip(names, seen, strict=True)]


def _check_heads(tool: Tool[Any], names: Sequence[str], heads: Sequence[bytes]) -> None:
    found = enumerate(map(partial(_unfit, tool), heads, names))
    problems = [problem.about(index=index) for index, problem in found if problem]
    # In a batch one bad file does not spoil the others: its own part will tell.
    if problems and (tool.takes == "all" or len(problems) == len(heads)):
        raise problems[0]


def check_files(tool: Tool[Any], count: int) -> None:
    """Raises Refusal when the tool takes more or fewer files."""
    if count > MOST_FILES:
        raise Refusal("too_many_files", limit=MOST_FILES)
    if count < tool.least:
        raise Refusal("too_few_files", limit=tool.least)


async def check_uploads(caller: Caller, tool: Tool[Any], options: Mapping[str, Any]) -> None:
    """Files that options name, too, are the caller's, and not too large. Raises Refusal, InputProblem."""
    for stat in await all_of([owned_stat(caller, key, "") for key in uploads_of(tool.id, options)]):
        check_size(caller, stat.key.rsplit("/", 1)[-1], stat.size)


def _unfit(tool: Tool[Any], head: bytes, name: str) -> InputProblem | None:
    """What the first bytes already tell; the worker sees the whole file."""
    if not head:
        return InputProblem("empty_file", file=name)
    kind = kind_of_head(head)
    if not tells(head) or (kind is not None and kind in tool.accepts):
        return None
    return InputProblem("not_supported_type", file=name, found=kind.key if kind else "?")
