"""Problems on the wire: the envelope, HTTP codes, and the reasons that only the API has."""

from collections.abc import Mapping, Sequence
from typing import Any

from api.words import REFUSALS
from cluster.problem import FaultProblem, Problem
from cluster.words import PROBLEMS, Language, Words

#: reason -> the envelope's code
CODES: dict[str, int] = {
    "body_invalid": 400,
    "field_invalid": 400,
    "account_invalid": 400,
    "openid_required": 400,
    "not_compress_task": 400,
    "unauthorized": 401,
    "sign_in": 401,
    "forbidden": 403,
    "code_wrong": 403,
    "membership_expired": 403,
    "preorder_expired": 403,
    "already_paid": 403,
    "nothing_to_transfer": 403,
    "transfer_to_self": 400,
    "tag_missing": 403,
    "too_many_documents": 403,
    "no_tries_left": 403,
    "file_too_large": 403,
    "download_limit": 3001,
    "not_found": 404,
    "tool_unknown": 404,
    "task_unknown": 404,
    "package_unknown": 404,
    "preorder_unknown": 404,
    "order_unknown": 404,
    "qr_unknown": 404,
    "result_unknown": 404,
    "signature_unknown": 404,
    "signatures_full": 403,
    "link_expired": 403,
    "method_not_allowed": 405,
    "request_timeout": 408,
    "body_too_large": 413,
    "host_unknown": 421,
    "key_reused": 422,
    "codes_too_many": 429,
    "queue_full": 429,
    "too_many_waiting": 429,
    "too_many_requests": 429,
    "gateway_unavailable": 503,
    "storage_full": 507,
    "unavailable": 503,
}

_NOT_FOUND = {"file_unknown"}


class Refusal(Problem):
    """The API's own no. `data` is told to the client beside the reason; `retry` is seconds."""

    def __init__(
        self, reason: str, *, data: Mapping[str, Any] | None = None, retry: int | None = None, **facts: Any
    ) -> None:
        super().__init__(reason, **facts)
        self.data, self.retry = dict(data or {}), retry

    def text(self, language: Language) -> str:
        """The sentence for people."""
        if self.reason in PROBLEMS:
            return super().text(language)
        return REFUSALS[self.reason][language].format(**{"file": "", **self.facts})


#: Wrong fields that are told; of more only how many.
MOST_FIELDS = 10


class FieldRefusal(Refusal):
    """Fields that are not valid, each with its own words: `wrong` the first ones, `more` how many others."""

    def __init__(self, reason: str, wrong: Sequence[tuple[str, tuple[str, str]]], more: int = 0) -> None:
        super().__init__(reason)
        self.wrong, self.more = wrong[:MOST_FIELDS], more + len(wrong[MOST_FIELDS:])

    def text(self, language: Language) -> str:
        """One sentence about the first wrong field, and how many others there are beyond those listed."""
        field, words = self.wrong[0]
        self.facts = {"field": field, "detail": words[language != "zh"]}
        more = (f"（另有 {self.more} 处）", f" (and {self.more} more)")[language != "zh"] if self.more else ""
        return super().text(language) + more

    def told(self, language: Language) -> dict[str, Any]:
        """The wrong fields with their words."""
        listed = [{"field": field, "msg": words[language != "zh"]} for field, words in self.wrong]
        return {"field": self.wrong[0][0], "fields": listed} | ({"more": self.more} if self.more else {})


def code_of(problem: Problem) -> int:
    """The envelope's code."""
    if problem.reason in CODES:
        return CODES[problem.reason]
    if isinstance(problem, FaultProblem) or problem.reason == "internal":
        return 500
    return 404 if problem.reason in _NOT_FOUND else 400


def http_status(code: int) -> int:
    """The HTTP status that carries `code`; product codes travel as 403."""
    return code if 100 <= code < 600 else 403


def success(data: Any) -> dict[str, Any]:
    """The envelope of a good answer."""
    return {"code": 200, "msg": "", "data": data}


def failure(problem: Problem, language: Language) -> dict[str, Any]:
    """The envelope of a Problem."""
    data: dict[str, Any] = {"reason": problem.reason}
    data |= {name: problem.facts[name] for name in _TOLD if name in problem.facts}
    if isinstance(problem, Refusal):
        data |= problem.data
    if isinstance(problem, FieldRefusal):
        data |= problem.told(language)
    return {"code": code_of(problem), "msg": problem.text(language), "data": data}


#: Facts that a page needs by name; a fault's own facts stay with the operator.
_TOLD = ("file", "index", "limit", "seconds", "field")


def reasons() -> Words:
    """Every reason with its sentences, for the contract."""
    return {**PROBLEMS, **REFUSALS}
