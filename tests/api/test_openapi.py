"""The OpenAPI document: valid, whole, and true."""

import httpx
from jsonschema import Draft202012Validator
from openapi_spec_validator import validate

from api.app import CALLS
from tests.api.conftest import PDF, Server, Visitor, end_task


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
        schema = document["paths"][call.path]["get"]["responses"]["200"]["content"]["application/json"]["schema"]
        query = asked if name != "getUserTasks" else {}
        answer = visitor.ask("GET", call.path, params=query).json()
        Draft202012Validator({**schema, "components": document["components"]}).validate(answer)
        checked += 1
    assert checked >= 6


def test_the_page_needs_no_script(server: Server) -> None:
    answer = httpx.get(f"{server.address}/api/docs")
    assert "<script" not in answer.text
    assert "'unsafe-inline'" not in answer.headers["content-security-policy"].split("style-src")[0]
    assert all(call.path in answer.text for call in CALLS)
