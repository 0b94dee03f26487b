"""A Word document made ready for LibreOffice: what it would draw otherwise than Word is said so that it understands.

    path = prepared(path, work.scratch("prepared"))

Only the copy that LibreOffice opens is changed; nobody else sees it.
"""

import zipfile
from copy import deepcopy
from pathlib import Path
from typing import Any

from cluster.engines.office.links import rewrite
from cluster.engines.office.merge_sections import low
from cluster.engines.office.package import W, parsed, written

_BODY, _STYLES = "word/document.xml", "word/styles.xml"
#: The style of a last paragraph that is empty.
_LAST = "PapercraneLast"
_STYLE = f'<w:style xmlns:w="{W[1:-1]}" w:type="paragraph" w:styleId="{_LAST}"><w:name w:val="{_LAST}"/></w:style>'
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
    done = [_lead_in(body), _fill_gaps(body), bool(changed)]
    return changed | {_BODY: written(tree)} if any(done) else {}


def _lead_in(body: Any) -> bool:
    """Where a text with notes begins with a table, LibreOffice leaves an empty paragraph of the usual size before it.

    None comes where the text begins with a paragraph. On a first page no break is before anything.
    """
    first = next(body.iter(W + "p", W + "tbl"), None)
    if first is None or first.tag != W + "tbl" or not _notes(body):
        return False
    for mark in list(next(first.iter(W + "p"), first).iter(W + "pageBreakBefore")):
        mark.getparent().remove(mark)
    body.insert(0, low())
    return True


def _notes(body: Any) -> list[Any]:
    return list(body.iter(W + "footnoteReference", W + "endnoteReference"))


def _dress_last(archive: zipfile.ZipFile, body: Any) -> bytes:
    """The look of the last paragraph's mark becomes a style, which is returned with the others: LibreOffice forgets
    it, and an empty one is as high as its mark."""
    blocks = [each for each in body if each.tag in (W + "p", W + "tbl", W + "sdt")]
    last = blocks[-1] if blocks else None
    if last is None or last.tag != W + "p" or _shows(last) or _STYLES not in archive.namelist():
        return b""
    look = [deepcopy(each) for each in last.iterfind(f"{W}pPr/{W}rPr/*") if each.tag not in _NO_LOOK]
    if not look:
        return b""
    styles, box = parsed(archive.read(_STYLES)), last.find(W + "pPr")
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
