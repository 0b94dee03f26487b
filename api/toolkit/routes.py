"""Calls about the tools: open to everybody."""

from api.body import Nothing, ToolQuery
from api.calls import Asked, Call
from api.settings import settings
from api.toolkit.tools import ToolDetail, ToolGroup, detail, find_tool, groups


def get_tool_groups(asked: Asked[Nothing]) -> list[ToolGroup]:
    return groups(asked.language)


def get_tool(asked: Asked[ToolQuery]) -> ToolDetail:
    rights = asked.known.rights if asked.known else settings().visitor
    return detail(find_tool(asked.given.tool_id, asked.given.path), rights, asked.language)


CALLS = (
    Call(
        path="/api/toolkit/tool/getToolGroups",
        summary="The tools in their groups, in display order",
        run=get_tool_groups,
        answer=list[ToolGroup],
        identity="open",
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
