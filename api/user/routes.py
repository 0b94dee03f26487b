"""Calls about the user. A visitor is nobody here; accounts answer getUser."""

from api.body import Nothing, RightsQuery
from api.caller import Caller
from api.calls import Asked, Call
from api.problems import Refusal
from api.toolkit.tools import tool_by_id
from api.user.rights import UserRights, user_rights


def get_user(asked: Asked[Nothing]) -> None:
    """Raises Refusal: a visitor has no account."""
    raise Refusal("unauthorized")


def get_user_rights(asked: Asked[RightsQuery]) -> UserRights:
    """The caller's rights; before the first upload those of a new visitor at this address."""
    tool = tool_by_id(asked.given.tool_id) if asked.given.tool_id is not None else None
    return user_rights(asked.known or Caller("", "visitor", asked.address), tool)


CALLS = (
    Call(path="/api/user/user/getUser", summary="The signed-in user", run=get_user, answer=None),
    Call(
        path="/api/user/user/getUserRights",
        summary="What the caller may do",
        run=get_user_rights,
        answer=UserRights,
        given=RightsQuery,
        identity="open",
    ),
)
