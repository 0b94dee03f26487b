"""OpenAPI 3.1 from the calls themselves, and a page that shows it without any script."""

import html
import json
from collections.abc import Sequence
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from api.calls import Call

_ERROR = {
    "type": "object",
    "required": ["code", "msg", "data"],
    "properties": {
        "code": {"type": "integer"},
        "msg": {"type": "string"},
        "data": {
            "type": "object",
            "required": ["reason"],
            "properties": {
                "reason": {"type": "string"},
                "field": {"type": "string"},
                "fields": {"type": "array", "items": {"type": "object"}},
                "restriction": {"enum": [1, 2, 3]},
                "file": {"type": "string"},
            },
        },
    },
}
_SECURITY = {
    "webTag": {"type": "apiKey", "in": "header", "name": "Web-Tag", "description": "always `papercrane`"},
    "accessToken": {"type": "apiKey", "in": "header", "name": "Access-Token", "description": "the cookie's value"},
    "accessCookie": {"type": "apiKey", "in": "cookie", "name": "access_token"},
    "sessionCookie": {"type": "apiKey", "in": "cookie", "name": "session"},
}


def document(calls: Sequence[Call]) -> dict[str, Any]:
    """The OpenAPI document."""
    schemas: dict[str, Any] = {"Error": _ERROR}
    paths: dict[str, Any] = {}
    for call in calls:
        paths.setdefault(call.path, {})[call.method.lower()] = _operation(call, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Papercrane", "version": "1", "license": {"name": "AGPL-3.0-or-later"}},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": _SECURITY},
    }


def _operation(call: Call, schemas: dict[str, Any]) -> dict[str, Any]:
    operation: dict[str, Any] = {
        "operationId": call.path.rsplit("/", 1)[-1],
        "summary": call.summary,
        "tags": [call.path.split("/")[2]],
        "security": [_security(call)],
        "responses": {"200": _answer(call, schemas), "default": {"description": "A problem", "content": _problem()}},
    }
    if call.method == "POST":
        schema = _schema(call.given, schemas, "validation")
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    else:
        operation["parameters"] = _parameters(call)
    return operation


def _security(call: Call) -> dict[str, list[str]]:
    names = list(_SECURITY) if call.identity in ("known", "account") else ["webTag"]
    return {name: [] for name in names}


def _parameters(call: Call) -> list[dict[str, Any]]:
    schema = call.given.model_json_schema()
    required = schema.get("required", [])
    return [
        {"name": name, "in": "query", "required": name in required, "schema": _bare(field)}
        for name, field in schema.get("properties", {}).items()
    ]


def _bare(field: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in field.items() if name != "title"}


def _answer(call: Call, schemas: dict[str, Any]) -> dict[str, Any]:
    if call.answer is bytes:
        return {"description": "Events", "content": {"text/event-stream": {"schema": {"type": "string"}}}}
    data = {"type": "null"} if call.answer is None else _schema(call.answer, schemas, "serialization")
    properties = {"code": {"const": 200}, "msg": {"type": "string"}, "data": data}
    envelope = {"type": "object", "required": list(properties), "properties": properties}
    return {"description": "Success", "content": {"application/json": {"schema": envelope}}}


def _problem() -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}}


def _schema(kind: Any, schemas: dict[str, Any], mode: Any) -> dict[str, Any]:
    schema = TypeAdapter(kind).json_schema(mode=mode, ref_template="#/components/schemas/{model}")
    schemas |= schema.pop("$defs", {})
    return schema


@cache
def text(calls: tuple[Call, ...]) -> str:
    """The document as JSON, made once: that takes a moment, and anybody may ask."""
    return json.dumps(document(calls), ensure_ascii=False)


@cache
def page(calls: tuple[Call, ...]) -> str:
    """The document as a plain page."""
    found = document(calls)
    rows = "".join(
        _section(path, method, operation)
        for path, methods in found["paths"].items()
        for method, operation in methods.items()
    )
    return (
        "<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
        f"<title>Papercrane API</title><style>{_STYLE}</style><main><h1>Papercrane API</h1>"
        "<p>Every answer is <code>{code, msg, data}</code>. Machine-readable: "
        f"<a href=/api/openapi.json>/api/openapi.json</a></p>{rows}</main></html>"
    )


def _section(path: str, method: str, operation: dict[str, Any]) -> str:
    rows = "".join(_row(parameter) for parameter in operation.get("parameters", ()))
    body = operation.get("requestBody")
    if body:
        schema = body["content"]["application/json"]["schema"]
        required = schema.get("required", [])
        rows = "".join(
            _row({"name": name, "required": name in required, "schema": field})
            for name, field in schema["properties"].items()
        )
    table = f"<table>{rows}</table>" if rows else ""
    title = f"<h2><b>{method.upper()}</b> <code>{html.escape(path)}</code></h2>"
    return f"<section>{title}<p>{html.escape(operation['summary'])}</p>{table}</section>"


def _row(parameter: dict[str, Any]) -> str:
    kinds = [each.get("type", "") for each in parameter["schema"].get("anyOf", [parameter["schema"]])]
    need = "required" if parameter["required"] else ""
    cells = (parameter["name"], " or ".join(filter(None, kinds)), need)
    return f"<tr>{''.join(f'<td>{html.escape(cell)}</td>' for cell in cells)}</tr>"


_STYLE = (
    "body{font:16px/1.6 system-ui,sans-serif;color-scheme:light dark;margin:0}main{max-width:52rem;margin:auto;"
    "padding:2rem 1rem}h2{font-size:1.1rem;margin:2rem 0 .3rem}h2 b{color:#15803d}td{padding:.1rem 1.5rem .1rem 0}"
    "td:first-child{font-family:monospace}"
)
