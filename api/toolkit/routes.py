"""Calls about the tools: open to everybody."""

import json
import time
from functools import lru_cache

from api.body import Nothing, ToolQuery
from api.calls import Asked, Call, Prepared
from api.problems import success
from api.settings import settings
from api.toolkit.tools import ToolDetail, ToolGroup, detail, find_tool, groups
from cluster.words import Language


def get_tool_groups(asked: Asked[Nothing]) -> Prepared:
    return _groups(asked.language, int(time.monotonic()))


@lru_cache(2)
def _groups(language: Language, second: int) -> Prepared:
    """Written once a second, so that a newly built site is seen."""
    return Prepared(json.dumps(success(groups(language)), ensure_ascii=False).encode())


def get_tool(asked: Asked[ToolQuery]) -> ToolDetail:
    rights = asked.known.rights if asked.known else settings().visitor
    return detail(find_tool(asked.given.tool_id, asked.given.path), rights, asked.language)


CALLS = (
    Call(
        path="/api/toolkit/tool/getToolGroups",
        summary="The tools in their groups, in display order",
        run=get_tool_groups,
        answer=list[ToolGroup],
        identity="nobody",
    ),
    Call(
        path="/api/toolkit/tool/getTool",
        summary="One tool with its options, limits and content",
        run=get_tool,
        answer=ToolDetail,
        given=ToolQuery,
        identity="open",
    ),
)
