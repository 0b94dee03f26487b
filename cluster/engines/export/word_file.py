"""A Word file that is being written: its package by python-docx, its body as XML of ours, block by block."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from cluster.engines.export.ooxml import attribute, clean
from cluster.engines.export.word_xml import NAMESPACES
from cluster.engines.layout.letters import family as kind_of_list
from cluster.engines.layout.letters import value_of
from cluster.engines.office.merge_fonts import SCRAMBLED, scrambled

_PART = "application/vnd.openxmlformats-officedocument.wordprocessingml."
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
#: What bullets are drawn with.
_BULLETS = '<w:rPr><w:rFonts w:ascii="Arial" w:hAnsi="Arial" w:eastAsia="Arial" w:cs="Arial" w:hint="default"/></w:rPr>'
_FORMATS = {
    "decimal": "decimal",
    "multi": "decimal",
    "chinese": "chineseCounting",
    "roman": "lowerRoman",
    "Roman": "upperRoman",
    "lower": "lowerLetter",
    "upper": "upperLetter",
}
#: Word's names of styles that are used, by what python-docx's template calls them.
_STYLES = ("Title", *(f"Heading {level}" for level in range(1, 7)), "List Paragraph", "Header", "Footer")


@dataclass(frozen=True)
class Font:
    """A TrueType file for letters of one look, under a name that is its own; `instead` is a family that will do, too.

    `widths` are its letters', in heights of letters.
    """

    name: str
    instead: str
    data: bytes
    widths: Mapping[str, float]
    bold: bool = False
    italic: bool = False


class WordFile:
    """Begins with the usual styles, their spacing and colours taken out: paragraphs bring their own."""

    def __init__(self, body_size: float) -> None:
        import docx

        self.document: Any = docx.Document()
        self.body = self.document.element.body
        self.end = self.body[-1]
        self.pictures = 0
        self.lists = 0
        self.fonts: dict[str, Font] = {}
        #: Widths of letters, in their heights, of families that do not go with the file, by whether bold and italic.
        self.known: dict[tuple[str, bool, bool], dict[str, float]] = {}
        self.numbering = self.document.part.numbering_part.element
        for each in list(self.numbering):
            self.numbering.remove(each)
        self._plain_styles(body_size)
        self._as_today()

    def _as_today(self) -> None:
        """Word lays it out as its newer versions do: tables stand at their edges, not at their text."""
        from docx.oxml.ns import qn

        for each in self.document.settings.element.iter(qn("w:compatSetting")):
            if each.get(qn("w:name")) == "compatibilityMode":
                each.set(qn("w:val"), "15")

    def _plain_styles(self, size: float) -> None:
        from docx.oxml.ns import qn
        from docx.shared import Pt

        styles = self.document.styles
        normal = styles["Normal"]
        normal.font.size, normal.paragraph_format.space_after = Pt(size), Pt(0)
        fonts = normal.element.get_or_add_rPr().get_or_add_rFonts()
        for name in [name for name in fonts.attrib if name.endswith("Theme")]:
            del fonts.attrib[name]
        for kind, name in (("ascii", "Times New Roman"), ("hAnsi", "Times New Roman"), ("eastAsia", "SimSun")):
            fonts.set(qn(f"w:{kind}"), name)
        for name in _STYLES:
            form = styles[name].paragraph_format
            form.space_before = form.space_after = Pt(0)
            props = styles[name].element.pPr
            for each in [each for tag in ("w:pBdr", "w:contextualSpacing") for each in props.findall(qn(tag))]:
                props.remove(each)
        # The template's lists are gone, and what it knows of styles for older readers no longer holds.
        for each in list(styles.element.iter(qn("w:numPr"))):
            each.getparent().remove(each)
        self._drop("stylesWithEffects")

    def style(self, name: str) -> str:
        """The id of a style."""
        return str(self.document.styles[name].style_id)

    def element(self, xml: str) -> Any:
        """The XML as an element: one outermost element, without declarations of namespaces."""
        from docx.oxml import parse_xml

        cut = min(at for at in (xml.find(" "), xml.find(">"), xml.find("/>")) if at > 0)
        return parse_xml(f"{xml[:cut]} {NAMESPACES}{xml[cut:]}")

    def add(self, xml: str) -> None:
        """Add a block at the end of the body."""
        self.end.addprevious(self.element(xml))

    def part_section(self, xml: str) -> None:
        """End a section with the last paragraph: one of its own would begin a page where that is full."""
        self.end.getprevious().pPr.append(self.element(xml))

    def close_section(self, xml: str) -> None:
        """The last section's properties."""
        self.body.replace(self.end, self.element(xml))

    def picture(self, path: Path, part: Any = None) -> tuple[str, int]:
        """The relation and the number of a picture for the body (or another part)."""
        relation, _ = (part or self.document.part).get_or_add_image(str(path))
        return str(relation), self.numbered()

    def numbered(self) -> int:
        """The number of a new picture or box."""
        self.pictures += 1
        return self.pictures

    def link(self, address: str, part: Any = None) -> str:
        """The relation of an outside address."""
        from docx.opc.constants import RELATIONSHIP_TYPE

        return str((part or self.document.part).relate_to(address, RELATIONSHIP_TYPE.HYPERLINK, is_external=True))

    def new_list(self, mark: str, glyph: str, level: int) -> int:
        """The number of a new list marked like `mark` and counted from its value; `glyph` is a bullet's."""
        from docx.oxml.ns import qn

        self.lists += 1
        fmt, text = _level_text(mark, glyph, level)
        look = _BULLETS if fmt == "bullet" else ""
        levels = "".join(
            f'<w:lvl w:ilvl="{at}"><w:start w:val="{value_of(mark) if at == level else 1}"/><w:numFmt w:val="{fmt}"/>'
            f'<w:suff w:val="tab"/><w:lvlText w:val={attribute(text.replace(f"%{level + 1}", f"%{at + 1}"))}/>'
            f'<w:lvlJc w:val="left"/><w:pPr><w:ind w:left="{360 * (at + 1)}" w:hanging="360"/></w:pPr>{look}</w:lvl>'
            for at in range(9)
        )
        made = self.element(
            f'<w:abstractNum w:abstractNumId="{self.lists}"><w:multiLevelType w:val="hybridMultilevel"/>'
            f"{levels}</w:abstractNum>"
        )
        first = self.numbering.find(qn("w:num"))
        self.numbering.append(made) if first is None else first.addprevious(made)
        self.numbering.append(
            self.element(f'<w:num w:numId="{self.lists}"><w:abstractNumId w:val="{self.lists}"/></w:num>')
        )
        return self.lists

    def relate(self, name: str, kind: str, xml: str) -> Any:
        """Add a part beside the document that is of a singular kind: footnotes, endnotes, the list of fonts."""
        from docx.opc.packuri import PackURI
        from docx.opc.part import Part

        part = Part(PackURI(f"/word/{name}.xml"), f"{_PART}{kind}+xml", xml.encode(), self.document.part.package)
        self.document.part.relate_to(part, f"{_RELATION}{kind}")
        return part

    def embed(self, font: Font) -> None:
        """Take a font along with the file."""
        self.fonts[font.name] = font

    def _write_fonts(self) -> None:
        """The list of fonts with the programs of ours, instead of the template's, which names those of its styles."""
        from docx.oxml.ns import qn
        from docx.oxml.parser import OxmlElement

        self._drop("fontTable")
        table = self.relate("fontTable", "fontTable", "")
        listed = (_listed(table, number, font) for number, font in enumerate(self.fonts.values(), 1))
        table._blob = f"<w:fonts {NAMESPACES}>{''.join(listed)}</w:fonts>".encode()
        settings = self.document.settings.element
        settings.find(qn("w:zoom")).addnext(OxmlElement("w:embedTrueTypeFonts"))

    def _drop(self, kind: str) -> None:
        """Take a kind of part out."""
        relations = self.document.part.rels
        for name in [name for name, each in relations.items() if each.reltype.endswith(f"/{kind}")]:
            del relations[name]

    def save(self, path: Path, title: str = "") -> None:
        """Write the file."""
        props = self.document.core_properties
        props.author, props.title, props.comments = "", clean(title)[:200], ""
        if self.fonts:
            self._write_fonts()
        self.document.save(str(path))


def _listed(table: Any, number: int, font: Font) -> str:
    """A font's place in the table of fonts, its program a part of the file."""
    from docx.opc.packuri import PackURI
    from docx.opc.part import Part

    key = hashlib.sha256(font.data).hexdigest()[:32].upper()
    name = PackURI(f"/word/fonts/font{number}.odttf")
    relation = table.relate_to(Part(name, SCRAMBLED, scrambled(font.data, key), table.package), f"{_RELATION}font")
    guid = "-".join((key[:8], key[8:12], key[12:16], key[16:20], key[20:]))
    look = ("Regular", "Bold", "Italic", "BoldItalic")[font.bold + 2 * font.italic]
    return (
        f"<w:font w:name={attribute(font.name)}><w:altName w:val={attribute(font.instead)}/>"
        f'<w:embed{look} r:id="{relation}" w:fontKey="{{{guid}}}" w:subsetted="1"/></w:font>'
    )


def _level_text(mark: str, glyph: str, level: int) -> tuple[str, str]:
    kind = kind_of_list(mark)
    if kind == "bullet":
        return "bullet", glyph
    name, _, _ = kind.partition("%")
    opening = name[-1] if name[-1] in "（(" else ""
    count = name.rstrip("（(")
    value = mark.strip().lstrip("（(").rstrip(".)、）．")
    before = value.rsplit(".", 1)[0] + "." if count == "multi" else ""
    closing = kind.partition("%")[2]
    return _FORMATS[count], f"{opening}{before}%{level + 1}{closing}"
