"""Pages as slides: of text boxes, pictures and tables where they were, or each as one picture of the page."""

import hashlib
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pptx import Presentation
from pptx.opc.constants import RELATIONSHIP_TYPE
from pptx.opc.package import Part
from pptx.opc.packuri import PackURI
from pptx.oxml import parse_xml

from cluster.engines.export.grown import grown
from cluster.engines.export.ooxml import emu, holdable
from cluster.engines.export.slides_table import table_frame
from cluster.engines.export.slides_xml import Place, group_box, picture, turned_box
from cluster.engines.layout.document import ruled_apart
from cluster.engines.layout.letters import text_of
from cluster.engines.layout.model import Box, Sheet
from cluster.engines.layout.scattered import groups

#: A slide's sides, in points, as PowerPoint takes them: one inch to 56.
LEAST, MOST = 72.0, 4032.0
#: Layout of python-pptx's template that holds nothing.
_BLANK = 6
#: Addresses that a click may lead to.
_SAFE = re.compile(r"(https?|ftp|mailto|tel):", re.I)
#: Letters of a slide's notes; as many as a page may have, and no more than PowerPoint opens.
_MOST_NOTES = 100_000


@dataclass
class Made:
    """What stands on the slides, and which pages (from 0) are of another size than the slides."""

    size: tuple[float, float]
    texts: int = 0
    pictures: int = 0
    tables: int = 0
    fitted: list[int] = field(default_factory=list)


def write_editable(sheets: Sequence[Sheet], path: Path, title: str = "") -> Made:
    """Write the sheets as `path`, a slide each, of things that can be moved and changed."""
    return _Slides(grown(sheets)).write(path, title, _Slides.parts)


def write_pictured(sheets: Sequence[Sheet], path: Path, title: str = "") -> Made:
    """Write the sheets' grounds as `path`, a slide each, with their words as notes."""
    return _Slides(sheets).write(path, title, _Slides.whole)


def usual_size(sheets: Sequence[Sheet]) -> tuple[float, float]:
    """The commonest size of whole points, of several the largest."""
    count = Counter((round(sheet.width), round(sheet.height)) for sheet in sheets)
    return max(count, key=lambda size: (count[size], size[0] * size[1]), default=(595, 842))


class _Stored(Part):  # type: ignore[misc]
    """A picture that stays on the disk until the file is written."""

    stored: Path

    @property
    def blob(self) -> bytes:
        return self.stored.read_bytes()


class _Slides:
    def __init__(self, sheets: Sequence[Sheet]) -> None:
        self.sheets = sheets
        self.file: Any = Presentation()
        width, height = usual_size(sheets)
        scale = min(MOST / max(width, height), max(1.0, LEAST / min(width, height)))
        self.size = max(LEAST, width * scale), max(LEAST, height * scale)
        self.file.slide_width, self.file.slide_height = emu(self.size[0]), emu(self.size[1])
        self.made = Made((width, height))
        self.stored: dict[str, Any] = {}

    def write(self, path: Path, title: str, fill: Any) -> Made:
        for number, sheet in enumerate(self.sheets):
            slide = self.file.slides.add_slide(self.file.slide_layouts[_BLANK])
            fill(self, slide, sheet, self._place(slide, sheet))
            if (round(sheet.width), round(sheet.height)) != self.made.size:
                self.made.fitted.append(number)
        properties = self.file.core_properties
        properties.title, properties.author, properties.last_modified_by = holdable(title)[:255], "", ""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.file.save(str(path))
        return self.made

    def _place(self, slide: Any, sheet: Sheet) -> Place:
        """The whole page, in the middle of the slide."""
        width, height = self.size
        scale = min(width / sheet.width, height / sheet.height)
        left, top = (width - sheet.width * scale) / 2, (height - sheet.height * scale) / 2
        return Place(scale, left, top, partial(_link, slide.part))

    def parts(self, slide: Any, sheet: Sheet, place: Place) -> None:
        tree = slide.shapes._spTree
        if sheet.background:
            self._picture(slide, sheet.background, (0, 0, sheet.width, sheet.height), place)
        for each in sheet.pictures:
            self._picture(slide, each.path, each.box, place)
        tables, lines = ruled_apart(sheet)
        rules = sheet.thick_rules or [(rule, sheet.rule_colour) for rule in sheet.rules]
        boxes = groups((line for line in lines if not line.turn), sheet.width)
        turned = [line for line in lines if line.turn]
        makers = [
            *(partial(table_frame, table=table, rules=rules, colour=sheet.rule_colour) for table in tables),
            *(partial(group_box, group=group) for group in boxes),
            *(partial(turned_box, line=line) for line in turned),
        ]
        for number, make in enumerate(makers, len(tree) + 1):
            tree.append(parse_xml(make(number, place=place)))
        self.made.texts += len(boxes) + len(turned)
        self.made.pictures += len(sheet.pictures)
        self.made.tables += len(tables)

    def whole(self, slide: Any, sheet: Sheet, place: Place) -> None:
        if sheet.background:
            self._picture(slide, sheet.background, (0, 0, sheet.width, sheet.height), place)
            self.made.pictures += 1
        told = "\n".join(text_of(group.lines) for group in groups(sheet.lines, sheet.width))
        if told := holdable(told)[:_MOST_NOTES]:
            slide.notes_slide.notes_text_frame.text = told
            self.made.texts += 1

    def _picture(self, slide: Any, path: Path, box: Box, place: Place) -> None:
        tree = slide.shapes._spTree
        relation = slide.part.relate_to(self._store(path), RELATIONSHIP_TYPE.IMAGE)
        tree.append(parse_xml(picture(len(tree) + 1, relation, box, place)))

    def _store(self, path: Path) -> Any:
        """The picture's part; equal pictures have one."""
        key = hashlib.sha256(path.read_bytes()).hexdigest()
        if key not in self.stored:
            kind = path.suffix[1:]
            name = PackURI(f"/ppt/media/picture{len(self.stored) + 1}.{kind}")
            part = _Stored(name, f"image/{'jpeg' if kind == 'jpg' else kind}", self.file.part.package)
            part.stored = path
            self.stored[key] = part
        return self.stored[key]


def _link(part: Any, address: str) -> str:
    """The relation of an address; "" for what is no place of the web."""
    target = holdable(address)
    return str(part.relate_to(target, RELATIONSHIP_TYPE.HYPERLINK, is_external=True)) if _SAFE.match(target) else ""
