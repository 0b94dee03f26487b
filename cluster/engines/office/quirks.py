"""A Word document made ready for LibreOffice: what it would draw otherwise than Word is said so that it understands.

    path = prepared(path, work.scratch("prepared"))

Only the copy that LibreOffice opens is changed; nobody else sees it.
"""

import zipfile
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from cluster.engines.office.merge_sections import low
from cluster.engines.office.merge_styles import arrange
from cluster.engines.office.package import W, box_of, parsed, restated, written
from cluster.engines.office.quirk_notes import BLOCKS, shows, span_notes, unbreak

_BODY, _STYLES = "word/document.xml", "word/styles.xml"
_SETTINGS = "word/settings.xml"
#: The style of a last paragraph that is empty.
_LAST = "PapercraneLast"
_STYLE = f'<w:style xmlns:w="{W[1:-1]}" w:type="paragraph" w:styleId="{_LAST}"><w:name w:val="{_LAST}"/></w:style>'
#: The first compatibility mode of Word's in which LibreOffice keeps tabs at the ends of lines.
_KEPT_FROM = 15
#: What of a run is not text.
_UNSEEN = tuple(W + tag for tag in ("rPr", "fldChar", "instrText", "lastRenderedPageBreak"))
#: Of a paragraph mark's properties those by which nothing looks different.
_NO_LOOK = tuple(
    W + tag
    for tag in ("rStyle", "lang", "noProof", "vanish", "specVanish", "ins", "del", "moveFrom", "moveTo", "rPrChange")
)
#: A cell with nothing to be seen.
_GAP = (
    f'<w:tc xmlns:w="{W[1:-1]}"><w:tcPr><w:gridSpan w:val="1"/><w:tcBorders>'
    + "".join(f'<w:{side} w:val="nil"/>' for side in ("top", "left", "bottom", "right"))
    + '</w:tcBorders><w:shd w:val="clear" w:color="auto" w:fill="auto"/></w:tcPr></w:tc>'
)


def prepared(path: Path, folder: Path) -> Path:
    """The docx for LibreOffice: a copy in `folder`, or the one at `path` where nothing has to be said otherwise."""
    return restated(path, folder, _changed)


def _changed(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """The parts that say something otherwise."""
    tree, styles, settings = (
        parsed(archive.read(name)) if name in archive.namelist() else None for name in (_BODY, _STYLES, _SETTINGS)
    )
    body = tree.find(W + "body") if tree is not None else None
    if body is None:
        return {}
    done = styles is not None and _spell_marks(styles, body)
    dressed = styles is not None and _dress_last(styles, body)
    done |= any([_lead_in(body), _fill_gaps(body), _hold_tabs(settings, body), span_notes(settings, body), dressed])
    return ({_BODY: written(tree)} if done else {}) | ({_STYLES: written(styles)} if dressed else {})


def _lead_in(body: Any) -> bool:
    """Where a text with notes begins with a table, LibreOffice leaves an empty paragraph of the usual size before it.

    None comes where the text begins with a paragraph. On a first page no break is before anything.
    """
    first = next(body.iter(W + "p", W + "tbl"), None)
    noted = next(body.iter(W + "footnoteReference", W + "endnoteReference"), None)
    if first is None or first.tag != W + "tbl" or noted is None:
        return False
    unbreak(first)
    body.insert(0, low())
    return True


def _spell_marks(styles: Any, body: Any) -> bool:
    """Where a paragraph's mark has a style, a number before it has that alone for LibreOffice, and of the paragraph's
    no more than the defaults: what the style says is written out."""
    marks = [each for each in body.iterfind(f".//{W}pPr/{W}rPr") if each.find(W + "rStyle") is not None]
    by_id = {each.get(f"{W}styleId"): each for each in styles.iter(W + "style")} if marks else {}
    numbered = {
        name for name in by_id if any(each.find(f"{W}pPr/{W}numPr") is not None for each in _chain(by_id, name))
    }
    counted = [mark for mark in marks if _counts(mark.getparent(), numbered)]
    for mark in counted:
        _spell(mark, by_id)
    return bool(counted)


def _counts(held: Any, numbered: set[str | None]) -> bool:
    """Whether a number stands before the paragraph of these properties."""
    named = held.find(W + "pStyle")
    return held.find(W + "numPr") is not None or (named is not None and named.get(f"{W}val") in numbered)


def _spell(mark: Any, by_id: dict[str | None, Any]) -> None:
    style = mark.find(W + "rStyle")
    mark.remove(style)
    said = {each.tag for each in mark}
    for each in (each for level in _chain(by_id, style.get(f"{W}val")) for each in level.iterfind(f"{W}rPr/*")):
        if each.tag not in said:
            said.add(each.tag)
            mark.append(deepcopy(each))
    arrange(mark)


def _chain(by_id: dict[str | None, Any], name: str | None) -> Iterator[Any]:
    """A style, what it is based on, and so on."""
    passed = set[str | None]()
    while name in by_id and name not in passed:
        passed.add(name)
        yield by_id[name]
        above = by_id[name].find(W + "basedOn")
        name = above.get(f"{W}val") if above is not None else None


def _dress_last(styles: Any, body: Any) -> bool:
    """The look of the last paragraph's mark becomes a style: LibreOffice forgets it, and an empty one is as high as its
    mark."""
    last = next((each for each in reversed(body) if each.tag in BLOCKS), None)
    if last is None or last.tag != W + "p" or shows(last):
        return False
    look = [deepcopy(each) for each in last.iterfind(f"{W}pPr/{W}rPr/*") if each.tag not in _NO_LOOK]
    if look:
        _dress(last, look, styles)
    return bool(look)


def _dress(paragraph: Any, look: list[Any], styles: Any) -> None:
    made, held = parsed(_STYLE.encode()), box_of(paragraph)
    named = held.find(W + "pStyle")
    if named is None:
        named = held.makeelement(W + "pStyle")
        held.insert(0, named)
    if based := named.get(f"{W}val") or _usual(styles):
        made.append(made.makeelement(W + "basedOn", {f"{W}val": based}))
    made.append(made.makeelement(W + "rPr"))
    made[-1].extend(look)
    named.set(f"{W}val", _LAST)
    styles.append(made)


def _usual(styles: Any) -> str:
    every = (each for each in styles.iter(W + "style") if each.get(f"{W}type") == "paragraph")
    return next((each.get(f"{W}styleId", "") for each in every if each.get(f"{W}default") in ("1", "true")), "")


def _fill_gaps(body: Any) -> bool:
    """Where a row begins behind its table's edge or ends before it LibreOffice puts a paragraph of the usual size,
    which may be higher than the row; a cell with a low one is the same gap."""
    rows = [each for each in body.iter(W + "tr") if each.find(W + "trPr") is not None]
    return sum(_fill(row, side) for row in rows for side in ("Before", "After")) > 0


def _fill(row: Any, side: str) -> bool:
    held = row.find(W + "trPr")
    mark, width = held.find(f"{W}grid{side}"), held.find(f"{W}w{side}")
    count = mark.get(f"{W}val", "") if mark is not None else ""
    if not count.isdecimal() or not int(count):
        return False
    made = parsed(_GAP.encode())
    made[0].find(W + "gridSpan").set(f"{W}val", count)
    if width is not None:
        made[0].insert(0, made.makeelement(W + "tcW", dict(width.attrib)))
    made.append(low())
    held.addnext(made) if side == "Before" else row.append(made)
    held.remove(mark)
    return True


def _hold_tabs(settings: Any, body: Any) -> bool:
    """In cells of a document that is laid out by the rules of a Word before 2013, LibreOffice drops tabs at the ends of
    lines, though lines to write on are drawn with them. Behind them something that is not to be seen holds them."""
    every = settings.iter(W + "compatSetting") if settings is not None else ()
    mode = next((each.get(f"{W}val", "") for each in every if each.get(f"{W}name") == "compatibilityMode"), "")
    if not mode.isdecimal() or int(mode) >= _KEPT_FROM:
        return False
    lines = [tab for each in body.iter(W + "p") if _in_cell(each) and (tab := _last_tab(each)) is not None]
    for tab in lines:
        tab.addnext(tab.makeelement(W + "softHyphen"))
    return bool(lines)


def _in_cell(paragraph: Any) -> bool:
    around = next(paragraph.iterancestors(W + "tc", W + "txbxContent"), None)
    return around is not None and around.tag == W + "tc"


def _last_tab(paragraph: Any) -> Any:
    """The tab with which a paragraph ends, blanks aside, where a line is drawn with it."""
    held = [each for run in paragraph.iter(W + "r") for each in run if each.tag not in _UNSEEN]
    while held and held[-1].tag == W + "t" and not (held[-1].text or "").strip():
        held.pop()
    if not held or held[-1].tag != W + "tab":
        return None
    line = held[-1].getparent().find(f"{W}rPr/{W}u")
    led = any(each.get(f"{W}leader", "none") != "none" for each in paragraph.iterfind(f"{W}pPr/{W}tabs/{W}tab"))
    return held[-1] if led or (line is not None and line.get(f"{W}val", "none") != "none") else None
