"""The contract that the site is built from is the one that the code writes."""

from typing import get_args

from api.contract import contract, text
from api.settings import ROOT
from cluster.tools import edit

#: What the page editor of 21 does to a document, by its own hand.
EDITED = {each.__name__ for each in (*get_args(get_args(edit.Act)[0]), edit.Hit)}


def test_the_site_has_the_contract_of_this_code() -> None:
    written = (ROOT / "site" / "src" / "contract.json").read_text("utf-8")
    assert written == text(), "site/src/contract.json is old: .venv/bin/python -m api.contract > site/src/contract.json"


def test_every_option_has_its_words() -> None:
    """Each property that the form shows has a widget and a title in both languages, those of a choice's kinds too."""
    for tool in contract()["tools"]:
        # What is clicked or moved on the board of pages has no form.
        drawn = {"Click", "Run", "Blanks", "Found", "PageCuts", "Area"} | EDITED
        kinds = [each for name, each in tool["options"].get("$defs", {}).items() if name not in drawn]
        fields = [pair for each in (tool["options"], *kinds) for pair in each.get("properties", {}).items()]
        for name, field in fields:
            shown = field.get("ui", {})
            assert "const" in field or shown.get("widget"), f"{tool['key']}.{name} has no widget"
            assert "const" in field or set(shown.get("title", {})) == {"zh", "en"}, f"{tool['key']}.{name} has no title"


def test_rights_are_the_products() -> None:
    rights = contract()["rights"]
    assert rights["visitor"] == {"documents": 1, "tries": 3, "bytes": 100 << 20, "pages": 2000, "downloads": 5}
    assert rights["user"] == {"documents": 1, "tries": 5, "bytes": 200 << 20, "pages": 2000, "downloads": 5}
    assert rights["member"] == {"documents": 50, "tries": None, "bytes": 4 << 30, "pages": 20_000, "downloads": None}
