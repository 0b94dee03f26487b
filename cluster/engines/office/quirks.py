"""A Word document made ready for LibreOffice: what it would draw otherwise than Word is said so that it understands.

    path = prepared(path, work.scratch("prepared"))

Only the copy that LibreOffice opens is changed; nobody else sees it.
"""

import zipfile
from collections.abc import Iterator
from copy import deepcopy
from pathlib import Path
from typing import Any

from cluster.engines.office.links import rewrite
from cluster.engines.office.merge_said import is_on
from cluster.engines.office.merge_sections import low
from cluster.engines.office.merge_styles import arrange
from cluster.engines.office.package import W, parsed, written

_BODY, _STYLES = "word/document.xml", "word/styles.xml"
_SETTINGS = "word/settings.xml"
#: How bookmarks begin that span a text behind which its endnotes stand.
GATHERED = "PapercraneEndnotes"
#: The style of a last paragraph that is empty.
_LAST = "PapercraneLast"
_STYLE = f'<w:style xmlns:w="{W[1:-1]}" w:type="paragraph" w:styleId="{_LAST}"><w:name w:val="{_LAST}"/></w:style>'
_BLOCKS = (W + "p", W + "tbl", W + "sdt")
#: From here on ids of bookmarks are free.
_FREE = 1 << 30
#: The first compatibility mode of Word's in which LibreOffice keeps tabs at the ends of lines.
_KEPT_FROM = 15
#: What of a run is not text.
_UNSEEN = tuple(W + tag for tag in ("rPr", "fldChar", "instrText", "lastRenderedPageBreak"))
#: Of a paragraph mark's properties those by which nothing looks different.
_NO_LOOK = tuple(W + tag for tag in ("rStyle", "lang", "noProof", "ins", "del", "moveFrom", "moveTo", "rPrChange"))
#: A cell with nothing to be seen.
_GAP = (
    f'<w:tc xmlns:w="{W[1:-1]}"><w:tcPr><w:gridSpan w:val="1"/><w:tcBorders>'
    + "".join(f'<w:{side} w:val="nil"/>' for side in ("top", "left", "bottom", "right"))
    + '</w:tcBorders><w:shd w:val="clear" w:color="auto" w:fill="auto"/></w:tcPr></w:tc>'
)


def prepared(path: Path, folder: Path) -> Path:
    """The docx for LibreOffice: a copy in `folder`, or the one at `path` where nothing has to be said otherwise."""
    from lxml.etree import XMLSyntaxError

    try:
        with zipfile.ZipFile(path) as archive:
            changed = _changed(archive)
            if not changed:
                return path
            folder.mkdir(parents=True, exist_ok=True)
            rewrite(archive, changed, folder / path.name)
    except (KeyError, XMLSyntaxError):  # LibreOffice may read it all the same
        return path
    return folder / path.name


def _changed(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """The parts that say something otherwise."""
    tree = parsed(archive.read(_BODY))
    body = tree.find(W + "body")
    if body is None:
        return {}
    changed = {_STYLES: styles} if (styles := _dress_last(archive, body)) else {}
    settings = parsed(archive.read(_SETTINGS)) if _SETTINGS in archive.namelist() else None
    done = [_lead_in(body), _fill_gaps(body), _hold_tabs(settings, body), _span_notes(settings, body), bool(changed)]
    return changed | {_BODY: written(tree)} if any(done) else {}


def _lead_in(body: Any) -> bool:
    """Where a text with notes begins with a table, LibreOffice leaves an empty paragraph of the usual size before it.

    None comes where the text begins with a paragraph. On a first page no break is before anything.
    """
    first = next(body.iter(W + "p", W + "tbl"), None)
    if first is None or first.tag != W + "tbl" or not _notes(body):
        return False
    _unbreak(first)
    body.insert(0, low())
    return True


def _notes(body: Any) -> list[Any]:
    return list(body.iter(W + "footnoteReference", W + "endnoteReference"))


def _span_notes(settings: Any, body: Any) -> bool:
    """Bookmarks around each text behind which its endnotes stand.

    None where columns begin or end within it: LibreOffice would have a part of its notes behind them.
    """
    if next(body.iter(W + "endnoteReference"), None) is None:
        return False
    count = 0
    for blocks, sections in _texts(body, _apart(settings)):
        noted = any(next(each.iter(W + "endnoteReference"), None) is not None for each in blocks)
        if noted and not any(map(_goes_on, sections[1:])):
            _span(blocks, count, broken=not any(map(_goes_on, sections[:1])))
            count += 1
    return count > 0


def _apart(settings: Any) -> bool:
    """Whether the settings have endnotes behind each section."""
    place = settings.find(f"{W}endnotePr/{W}pos") if settings is not None else None
    return place is not None and place.get(f"{W}val") == "sectEnd"


def _texts(body: Any, apart: bool) -> Iterator[tuple[list[Any], list[Any]]]:
    """What has its endnotes behind it: the whole, or where they stand `apart` each section that does not leave them to
    the next. Blocks, and the sections in which they are."""
    blocks, sections = list[Any](), list[Any]()
    for block in [each for each in body if each.tag in _BLOCKS]:
        blocks.append(block)
        ended = block.findall(f"{W}pPr/{W}sectPr")
        sections += ended
        if apart and ended and not is_on(ended[0].find(W + "noEndnote")):
            yield blocks, sections
            blocks, sections = [], []
    yield blocks, sections + body.findall(W + "sectPr")


def _goes_on(section: Any) -> bool:
    """Whether a section begins on the page of the one before."""
    kind = section.find(W + "type")
    return kind is not None and kind.get(f"{W}val") == "continuous"


def _span(blocks: list[Any], number: int, broken: bool) -> None:
    """A bookmark around blocks. A paragraph before them takes the break and the paper of the page that they begin, one
    behind them the end of their section: where their notes need a page more, the next one would begin behind these."""
    if blocks[0].getprevious() is not None:
        blocks[0].addprevious(low())
        if broken:
            _unbreak(blocks[0])
    if blocks[0].tag != W + "p":
        blocks[0].addprevious(low())
        blocks.insert(0, blocks[0].getprevious())
    if (section := blocks[-1].find(f"{W}pPr/{W}sectPr")) is not None:
        _end_behind(blocks, section)
    names = {f"{W}id": str(_FREE + number), f"{W}name": f"{GATHERED}{number}"}
    begin = blocks[0].makeelement(W + "bookmarkStart", names)
    end = begin.makeelement(W + "bookmarkEnd", {f"{W}id": names[f"{W}id"]})
    _box(blocks[0]).addnext(begin)
    blocks[-1].append(end) if blocks[-1].tag == W + "p" else blocks[-1].addnext(end)


def _end_behind(blocks: list[Any], section: Any) -> None:
    """Let a section end in a low paragraph behind its last one, which falls away where nothing is in it: LibreOffice
    drops such ones. A blank in the low one keeps it."""
    last, tail = blocks[-1], low()
    tail.find(W + "pPr").append(section)
    tail.append(tail.makeelement(W + "r"))
    tail[-1].append(deepcopy(tail.find(f"{W}pPr/{W}rPr")))
    tail[-1].append(tail.makeelement(W + "t", {"{http://www.w3.org/XML/1998/namespace}space": "preserve"}))
    tail[-1][-1].text = " "
    last.addnext(tail)
    if len(blocks) > 1 and not _shows(last):
        last.getparent().remove(blocks.pop())
    if blocks[-1].tag != W + "p":
        tail.addprevious(low())
        blocks.append(tail.getprevious())


def _unbreak(block: Any) -> None:
    """Where a page begins anyway no break is before its first paragraph, nor by its style."""
    box = _box(next(block.iter(W + "p"), block))
    for each in box.findall(W + "pageBreakBefore"):
        box.remove(each)
    box.append(box.makeelement(W + "pageBreakBefore", {f"{W}val": "0"}))
    arrange(box)


def _box(paragraph: Any) -> Any:
    """A paragraph's properties; made where it has none."""
    box = paragraph.find(W + "pPr")
    if box is None:
        box = paragraph.makeelement(W + "pPr")
        paragraph.insert(0, box)
    return box


def _dress_last(archive: zipfile.ZipFile, body: Any) -> bytes:
    """The look of the last paragraph's mark becomes a style, which is returned with the others: LibreOffice forgets
    it, and an empty one is as high as its mark."""
    blocks = [each for each in body if each.tag in _BLOCKS]
    last = blocks[-1] if blocks else None
    if last is None or last.tag != W + "p" or _shows(last) or _STYLES not in archive.namelist():
        return b""
    look = [deepcopy(each) for each in last.iterfind(f"{W}pPr/{W}rPr/*") if each.tag not in _NO_LOOK]
    if not look:
        return b""
    styles, box = parsed(archive.read(_STYLES)), _box(last)
    made = parsed(_STYLE.encode())
    named = box.find(W + "pStyle")
    if named is None:
        named = box.makeelement(W + "pStyle")
        box.insert(0, named)
    if based := named.get(f"{W}val") or _usual(styles):
        made.append(made.makeelement(W + "basedOn", {f"{W}val": based}))
    made.append(made.makeelement(W + "rPr"))
    made[-1].extend(look)
    named.set(f"{W}val", _LAST)
    styles.append(made)
    return written(styles)


def _shows(paragraph: Any) -> bool:
    """Whether a paragraph has anything in its runs."""
    return any(each.tag != W + "rPr" for run in paragraph.iter(W + "r") for each in run)


def _usual(styles: Any) -> str:
    every = (each for each in styles.iter(W + "style") if each.get(f"{W}type") == "paragraph")
    return next((each.get(f"{W}styleId", "") for each in every if each.get(f"{W}default") in ("1", "true")), "")


def _fill_gaps(body: Any) -> bool:
    """Where a row begins behind its table's edge or ends before it LibreOffice puts a paragraph of the usual size,
    which may be higher than the row; a cell with a low one is the same gap."""
    rows = [each for each in body.iter(W + "tr") if each.find(W + "trPr") is not None]
    return sum(_fill(row, side) for row in rows for side in ("Before", "After")) > 0


def _fill(row: Any, side: str) -> bool:
    box = row.find(W + "trPr")
    mark, width = box.find(f"{W}grid{side}"), box.find(f"{W}w{side}")
    count = mark.get(f"{W}val", "") if mark is not None else ""
    if not count.isdecimal() or not int(count):
        return False
    made = parsed(_GAP.encode())
    made[0].find(W + "gridSpan").set(f"{W}val", count)
    if width is not None:
        made[0].insert(0, made.makeelement(W + "tcW", dict(width.attrib)))
    made.append(low())
    box.addnext(made) if side == "Before" else row.append(made)
    box.remove(mark)
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
