"""Sealed secrets: readable for one task and one server only."""

import json

import pytest
from cryptography.exceptions import InvalidTag

from cluster.seal import OPTIONS, open_options, seal, seal_options, unseal

PASSWORD = {"type": "string", "ui": {"widget": "password"}}
SCHEMA = {
    "properties": {"user": PASSWORD, "note": {"type": "string"}, "more": {"$ref": "#/$defs/More"}},
    "$defs": {"More": {"properties": {"owner": PASSWORD}}},
}


def test_a_seal_holds_for_its_task() -> None:
    sealed = seal("密码 hunter2", "task-a")
    assert "hunter2" not in sealed
    assert unseal(sealed, "task-a") == "密码 hunter2"
    with pytest.raises(InvalidTag):
        unseal(sealed, "task-b")
    assert seal("x", "t") != seal("x", "t")


def test_passwords_among_the_options_rest_sealed() -> None:
    options = {"user": "hunter2", "note": "n", "more": {"owner": "hunter3"}, "list": [{"user": "hunter4"}]}
    plain, secrets = seal_options(options, SCHEMA, "task")
    assert plain == {"user": "", "note": "n", "more": {"owner": ""}, "list": [{"user": ""}]}
    assert "hunter" not in json.dumps([plain, secrets])
    assert open_options(plain, secrets, "task") == options


def test_options_without_passwords_need_no_seal() -> None:
    assert seal_options({"user": "", "note": "n"}, SCHEMA, "task") == ({"user": "", "note": "n"}, {})
    assert open_options({"note": "n"}, {}, "task") == {"note": "n"}
    assert OPTIONS < 0
