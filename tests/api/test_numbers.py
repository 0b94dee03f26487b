"""Numbers are digits: what Python's `int` or a lenient parser would be kind to is refused where it comes in."""

import pytest

from api import settings as api_settings
from api.body import TaskBody, TasksQuery, UploadQuery, options_of, parse, parse_query
from api.problems import FieldRefusal
from cluster import settings as cluster_settings
from cluster.catalogue import TOOLS
from tests.api.conftest import Visitor

ODD = ["0x2", "1_0", "true", " 2", "2 ", "+2", "٢", "2.0", "2e0", "--2", "9" * 400]
ROTATE, TO_IMAGE = 16, 12


@pytest.mark.parametrize("text", ODD)
def test_in_queries(text: str) -> None:
    with pytest.raises(FieldRefusal):
        parse_query(UploadQuery, {"files": text})
    with pytest.raises(FieldRefusal):
        parse_query(TasksQuery, {"page": text})
    assert parse_query(TasksQuery, {"page": "2"}).page == 2


@pytest.mark.parametrize("value", [True, False, "16", 16.5, None])
def test_in_bodies(value: object) -> None:
    body = {"files": [{"key": "k", "name": "n"}]}
    with pytest.raises(FieldRefusal):
        parse(TaskBody, {**body, "toolId": value})
    assert parse(TaskBody, {**body, "toolId": 16}).tool_id == 16


@pytest.mark.parametrize("value", [True, "150", "1_50", "0x96"])
def test_in_options(value: object) -> None:
    with pytest.raises(FieldRefusal):
        options_of(TOOLS[TO_IMAGE], {"size": {"how": "dpi", "dpi": value}})
    with pytest.raises(FieldRefusal):
        options_of(TOOLS[TO_IMAGE], {"transparent": 1})


@pytest.mark.parametrize("value", [True, "1", 1.5])
def test_where_only_some_numbers_are_taken(value: object) -> None:
    with pytest.raises(FieldRefusal):
        options_of(TOOLS[ROTATE], {"turn": value})


@pytest.mark.parametrize("text", ODD)
def test_in_settings(text: str) -> None:
    with pytest.raises(SystemExit, match="PAPERCRANE_LEASE"):
        cluster_settings.read({"PAPERCRANE_LEASE": text})
    for name in ("PAPERCRANE_API_WORKERS", "PAPERCRANE_API_USER_TRIES"):
        with pytest.raises(SystemExit, match=name):
            api_settings.read({name: text})


def test_over_the_wire(visitor: Visitor) -> None:
    answer = visitor.ask("GET", "/api/file/upload/getStsCredentials", params={"files": "0x2"})
    assert (answer.status_code, answer.json()["data"]["field"]) == (400, "files")
