"""Presentations drawn in code: each function writes `path` and returns it."""

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape

from tests.make_office import OFFICE

_MAIN = "http://schemas.openxmlformats.org/presentationml/2006/main"
_DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.presentationml."
_NAMES = f'xmlns:p="{_MAIN}" xmlns:a="{_DRAWING}" xmlns:r="{OFFICE}"'
_HEAD = '<p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr/>'


@dataclass(frozen=True)
class Slide:
    """A box of text, and what the slide has beside it; `more` stands behind the drawing."""

    text: str
    hidden: bool = False
    notes: str = ""
    font: str = ""
    effect: str = ""
    more: str = ""
    link: str = ""
    comment: str = ""


def pptx(path: Path, *slides: Slide, width: int = 9144000, height: int = 5143500) -> Path:
    """A pptx of 16:9, in EMU, with neither theme nor layout: LibreOffice needs none."""
    files = {
        "[Content_Types].xml": _types(slides),
        "_rels/.rels": _relations([("officeDocument", "ppt/presentation.xml")]),
        "ppt/presentation.xml": _presentation(len(slides), width, height),
        "ppt/_rels/presentation.xml.rels": _relations(
            [("slide", f"slides/slide{n + 1}.xml") for n in range(len(slides))] + [("commentAuthors", "authors.xml")]
        ),
        "ppt/authors.xml": f'<p:cmAuthorLst {_NAMES}><p:cmAuthor id="0" name="A" initials="A" lastIdx="1" clrIdx="0"/>'
        "</p:cmAuthorLst>",
    }
    for number, slide in enumerate(slides, 1):
        files |= _slide(number, slide)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' + text)
    return path


def deck(path: Path, count: int = 3) -> Path:
    """`count` slides, each headed `第n张`, with notes."""
    return pptx(path, *(Slide(f"第{n}张 slide {n}", notes=f"备注 note {n}") for n in range(1, count + 1)))


def _slide(number: int, slide: Slide) -> dict[str, str]:
    relations = []
    name = f"ppt/slides/slide{number}.xml"
    if slide.notes:
        relations.append(("notesSlide", f"../notesSlides/notes{number}.xml", ""))
    if slide.comment:
        relations.append(("comments", f"../comments/comment{number}.xml", ""))
    if slide.link:
        relations.append(("hyperlink", slide.link, ' TargetMode="External"'))
    link = f'<a:hlinkClick r:id="r{len(relations)}"/>' if slide.link else ""
    face = f'<a:latin typeface="{slide.font}"/><a:ea typeface="{slide.font}"/>' if slide.font else ""
    show = ' show="0"' if slide.hidden else ""
    effect = f"<a:effectLst>{slide.effect}</a:effectLst>" if slide.effect else ""
    tree = _box(2, slide.text, f"{face}{link}", effect)
    files = {
        name: f"<p:sld {_NAMES}{show}><p:cSld><p:spTree>{_HEAD}{tree}</p:spTree></p:cSld>{slide.more}</p:sld>",
        f"ppt/slides/_rels/slide{number}.xml.rels": _relations(relations),
    }
    if slide.notes:
        box = _box(2, slide.notes, "", "", '<p:nvPr><p:ph type="body" idx="1"/></p:nvPr>')
        files[f"ppt/notesSlides/notes{number}.xml"] = (
            f"<p:notes {_NAMES}><p:cSld><p:spTree>{_HEAD}{box}</p:spTree></p:cSld></p:notes>"
        )
        files[f"ppt/notesSlides/_rels/notes{number}.xml.rels"] = _relations([("slide", f"../slides/slide{number}.xml")])
    if slide.comment:
        files[f"ppt/comments/comment{number}.xml"] = (
            f'<p:cmLst {_NAMES}><p:cm authorId="0" dt="2024-01-01T00:00:00.000" idx="1"><p:pos x="10" y="10"/>'
            f"<p:text>{slide.comment}</p:text></p:cm></p:cmLst>"
        )
    return files


def _box(number: int, text: str, run: str, effect: str, place: str = "<p:nvPr/>") -> str:
    size = "" if "<p:ph" in place else ' sz="3200"'
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="T"/><p:cNvSpPr txBox="1"/>{place}</p:nvSpPr>'
        '<p:spPr><a:xfrm><a:off x="914400" y="914400"/><a:ext cx="7000000" cy="1500000"/></a:xfrm>'
        f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>{effect}</p:spPr><p:txBody><a:bodyPr/><a:lstStyle/><a:p><a:r>'
        f"<a:rPr{size}>{run}</a:rPr><a:t>{escape(text)}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def _presentation(count: int, width: int, height: int) -> str:
    listed = "".join(f'<p:sldId id="{255 + n}" r:id="r{n}"/>' for n in range(1, count + 1))
    return (
        f"<p:presentation {_NAMES}><p:sldIdLst>{listed}</p:sldIdLst>"
        f'<p:sldSz cx="{width}" cy="{height}"/><p:notesSz cx="6858000" cy="9144000"/></p:presentation>'
    )


def _types(slides: Sequence[Slide]) -> str:
    parts = [("/ppt/presentation.xml", "presentation.main"), ("/ppt/authors.xml", "commentAuthors")]
    for number, slide in enumerate(slides, 1):
        parts.append((f"/ppt/slides/slide{number}.xml", "slide"))
        parts += [(f"/ppt/notesSlides/notes{number}.xml", "notesSlide")] if slide.notes else []
        parts += [(f"/ppt/comments/comment{number}.xml", "comments")] if slide.comment else []
    listed = "".join(f'<Override PartName="{name}" ContentType="{_TYPE}{kind}+xml"/>' for name, kind in parts)
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{listed}</Types>'
    )


def _relations(targets: Sequence[Sequence[str]]) -> str:
    listed = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/{kind}" Target="{target}"{"".join(mode)}/>'
        for n, (kind, target, *mode) in enumerate(targets, 1)
    )
    name = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{name}">{listed}</Relationships>'
