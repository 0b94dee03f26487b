"""What people read on receipts: every sentence can be said, in both languages, of one and of many."""

import re

import pytest

from cluster.receipt import sentence
from cluster.tool import Note
from cluster.words import NOTES

FACTS = {"before": 3, "after": 2, "detail": "90", "parts": 2, "rows": 3, "columns": 2}


@pytest.mark.parametrize("what", NOTES)
@pytest.mark.parametrize("count", [1, 2])
def test_every_sentence_is_whole(what: str, count: int) -> None:
    named = set(re.findall(r"{(\w+)}", "".join(NOTES[what].values())))
    facts = {name: value for name, value in {**FACTS, "count": count}.items() if name in named}
    for language in ("zh", "en"):
        said = sentence(Note("told", what, facts), language)
        assert said and not re.search(r"[\[\]{}|]", said)


def test_one_page_is_not_pages() -> None:
    said = [sentence(Note("told", "pages_turned", {"count": count}), "en") for count in (1, 3)]
    assert said == ["1 page was turned", "3 pages were turned"]
