"""The OpenAPI document: valid, whole, and true."""

import httpx
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from api.app import CALLS
from tests.api.conftest import PDF, Server, Visitor, end_task
from tests.signing_in import new_account


def test_the_document_is_valid_and_names_every_call(server: Server) -> None:
    document = httpx.get(f"{server.address}/api/openapi.json").json()
    validate(document)
    assert document["openapi"].startswith("3.1")
    assert set(document["paths"]) == {call.path for call in CALLS}


def test_answers_are_as_the_document_says(server: Server, visitor: Visitor, tmp_path) -> None:
    document = httpx.get(f"{server.address}/api/openapi.json").json()
    task = visitor.task()
    end_task(
        task,
        tmp_path,
        ("a.pdf", PDF),
        notes=[{"kind": "kept", "what": "bookmarks", "facts": {"before": 1, "after": 1}}],
    )
    asked = {"taskId": task, "toolId": 16, "level": "light"}
    checked = 0
    for call in CALLS:
        name = call.path.rsplit("/", 1)[-1]
        if call.method != "GET" or name in ("events", "getUser", "deleteTask", "retryCompressTask"):
            continue
        # These are checked where somebody has signed in.
        if call.path.startswith(("/api/user/", "/api/member/", "/api/sign/")) and name not in (
            "getUserRights",
            "getMemberPackage",
            "getPad",
        ):
            continue
        schema = document["paths"][call.path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        query = asked if name != "getUserTasks" else {}
        answer = visitor.ask("GET", call.path, params=query).json()
        Draft202012Validator({**schema, "components": document["components"]}).validate(answer)
        checked += 1
    assert checked >= 6


def test_answers_to_who_has_signed_in(server: Server, visitor: Visitor) -> None:
    components = httpx.get(f"{server.address}/api/openapi.json").json()
    visitor.sign_in(server.log)
    asked: dict[str, str | int] = {"packageId": "month", "account": new_account(), "page": 1}
    # The last one needs WeChat's answer: tests.api.test_pay_payer.
    unasked = ("dynamicPwdLogin", "logout", "deleteAccount", "transfer", "weixinOpenid")
    checked = 0
    for call in CALLS:
        name = call.path.rsplit("/", 1)[-1]
        if not call.path.startswith(("/api/user/", "/api/member/", "/api/sign/saved/getS")) or name in unasked:
            continue
        described = components["paths"][call.path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        channel = {"createAlipayOrder": "page", "createWeixinOrder": "native"}.get(name, "")
        answer = visitor.ask("GET", call.path, params={**asked, "channel": channel}).json()
        Draft202012Validator({**described, "components": components["components"]}).validate(answer)
        asked |= {field: answer["data"][field] for field in ("qrId", "preorderId") if field in (answer["data"] or {})}
        checked += 1
    assert checked >= 11


def test_the_page_needs_no_script(server: Server) -> None:
    answer = httpx.get(f"{server.address}/api/docs")
    assert "<script" not in answer.text
    directives = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
    assert "'unsafe-inline'" not in directives.get("script-src", directives["default-src"])
    assert all(call.path in answer.text for call in CALLS)
