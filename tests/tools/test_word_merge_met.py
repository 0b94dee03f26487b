"""Word merge: traps that real files laid. What one file says must not reach the pages of the next."""

import io
import math
import re
import uuid
from pathlib import Path

import pymupdf
import pytest
from fontTools import subset
from fontTools.ttLib import TTFont

from tests import look
from tests.make_office import OFFICE, docx, paragraph
from tests.make_scans import LATIN
from tests.tools.test_word_merge import merge, pages, part, pdf

pytestmark = pytest.mark.usefixtures("office_engine")
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_R = f'xmlns:r="{OFFICE}"'
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_NORMAL = '<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/></w:style>'
_SECTION = (
    '<w:sectPr>{}<w:pgSz w:w="{}" w:h="9000"/><w:pgMar w:top="{}" w:right="900" w:bottom="900" w:left="900" '
    'w:header="700" w:footer="700" w:gutter="0"/>{}</w:sectPr>'
)
_STYLE = '<w:style w:type="paragraph" w:styleId="{0}"><w:name w:val="{0}"/><w:pPr>{1}</w:pPr></w:style>'
#: Paragraphs far apart, and the rule by which what both want is added up.
_APART = '<w:spacing w:before="100" w:after="240"/>'
_ADDING = "<w:compat><w:doNotUseHTMLParagraphAutoSpacing/></w:compat>"
_THEMED = "".join(f' w:{slot}Theme="minor{slot[:1].upper()}{slot[1:]}"' for slot in ("ascii", "hAnsi", "eastAsia"))


def section(width: int = 9000, top: int = 900, kind: str = "", grid: str = "") -> str:
    return _SECTION.format(kind, width, top, grid)


def styles(*more: str, fonts: str = '<w:rFonts w:ascii="Times New Roman" w:hAnsi="Times New Roman"/>') -> bytes:
    given = f'<w:docDefaults><w:rPrDefault><w:rPr>{fonts}<w:sz w:val="24"/></w:rPr></w:rPrDefault></w:docDefaults>'
    return f"<w:styles {_W}>{given}{_NORMAL}{''.join(more)}</w:styles>".encode()


PLAIN = {"word/styles.xml": styles()}


def text(words: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{words}</w:t></w:r></w:p>"


def gridded(path: Path) -> Path:
    """Lines far apart on a grid, in the one section, which is said to go on."""
    grid = '<w:docGrid w:type="lines" w:linePitch="800"/>'
    return docx(path, text("line") * 3 + section(kind='<w:type w:val="continuous"/>', grid=grid), parts=PLAIN)


def deep_end(path: Path) -> Path:
    """Ends with an empty paragraph of a style that is set in."""
    style = _STYLE.format("Deep", '<w:ind w:left="2000"/>')
    body = text("deep") + '<w:p><w:pPr><w:pStyle w:val="Deep"/><w:ind w:left="2100"/></w:pPr></w:p>' + section()
    return docx(path, body, parts={"word/styles.xml": styles(style)})


def tabled(path: Path) -> Path:
    """Begins with a table on a wide page, its cells in a style that has a name and no id."""
    low = '<w:style w:type="paragraph"><w:name w:val="Low"/><w:rPr><w:sz w:val="2"/></w:rPr></w:style>'
    cell = "<w:tc><w:tcPr/>{}</w:tc>".format(text("", '<w:pStyle w:val="Low"/>') + text("cell"))
    return docx(
        path,
        f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{cell}</w:tr></w:tbl>" + text("below") + section(14000),
        parts={"word/styles.xml": styles(low)},
    )


def themed(path: Path, face: str | None, language: str = "", more: dict[str, bytes] | None = None) -> Path:
    """Text that asks the theme for its face; None: there is no theme."""
    local = '<a:font script="Hans" typeface="宋体"/><a:font script="Jpan" typeface="Meiryo"/>'
    fonts = "".join(
        f'<a:{size}Font><a:latin typeface="{face}"/><a:ea typeface=""/><a:cs typeface=""/>{local}</a:{size}Font>'
        for size in ("major", "minor")
    )
    named = (
        f'<a:theme {_A} name="t"><a:themeElements><a:clrScheme name="c"><a:dk1><a:srgbClr val="000000"/></a:dk1>'
        f'</a:clrScheme><a:fontScheme name="f">{fonts}</a:fontScheme></a:themeElements></a:theme>'
    )
    settings = f'<w:settings {_W}><w:themeFontLang w:val="en-US" w:eastAsia="{language}"/></w:settings>'
    parts = {"word/styles.xml": styles(fonts=f"<w:rFonts{_THEMED}/>"), "word/settings.xml": settings.encode()}
    relations = f'<Relationship Id="s" Type="{OFFICE}/settings" Target="settings.xml"/>'
    if face:
        parts["word/theme1.xml"] = named.encode()
        relations += f'<Relationship Id="t" Type="{OFFICE}/theme" Target="theme1.xml"/>'
    return docx(path, text("iiii wwww illi") * 3 + section(), relations=relations, parts=parts | (more or {}))


def numbered(path: Path, shown: str, left: int) -> Path:
    """Items numbered by their style alone."""
    style = _STYLE.format("Item", '<w:numPr><w:numId w:val="1"/></w:numPr>')
    level = (
        f'<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="decimal"/>'
        f'<w:pStyle w:val="Item"/><w:suff w:val="space"/><w:lvlText w:val="{shown}%1"/>'
        f'<w:pPr><w:ind w:left="{left}"/></w:pPr></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>'
    )
    parts = {
        "word/styles.xml": styles(style),
        "word/numbering.xml": f"<w:numbering {_W}>{level}</w:numbering>".encode(),
    }
    relation = f'<Relationship Id="n" Type="{OFFICE}/numbering" Target="numbering.xml"/>'
    return docx(path, text("item", '<w:pStyle w:val="Item"/>') * 2 + section(), relations=relation, parts=parts)


def asleep(path: Path, facing: bool = False) -> Path:
    """Names a header for left pages, which the document shows when it is `facing`."""
    kinds = {"default": "SHOWN", "even": "ASLEEP"}
    relations = "".join(f'<Relationship Id="{n}" Type="{OFFICE}/header" Target="{n}.xml"/>' for n in kinds)
    parts = {f"word/{n}.xml": f"<w:hdr {_W}>{paragraph(words)}</w:hdr>".encode() for n, words in kinds.items()}
    if facing:
        relations += f'<Relationship Id="s" Type="{OFFICE}/settings" Target="settings.xml"/>'
        parts["word/settings.xml"] = f"<w:settings {_W}><w:evenAndOddHeaders/></w:settings>".encode()
    named = "".join(f'<w:headerReference w:type="{n}" r:id="{n}"/>' for n in kinds)
    body = text("slept") + section(kind=named)
    return docx(path, body, relations=relations, parts=parts | {"word/styles.xml": styles()})


def lettered(path: Path, words: str) -> Path:
    """Words in a face that is installed nowhere: the file has it within it, with no more than their letters."""
    made, key = io.BytesIO(), bytes(range(16))
    with TTFont(LATIN) as font:
        cutter = subset.Subsetter(subset.Options(name_IDs=["*"], drop_tables=["FFTM"]))
        cutter.populate(text=words)
        cutter.subset(font)
        for each in font["name"].names:
            each.string = "Crane"
        font.save(made)
    program = made.getvalue()
    hidden = bytes(byte ^ mask for byte, mask in zip(program[:32], key[::-1] * 2, strict=True)) + program[32:]
    embedded = f'<w:embedRegular r:id="e" w:fontKey="{{{str(uuid.UUID(bytes=key)).upper()}}}"/>'
    relation = f'<Relationship Id="e" Type="{OFFICE}/font" Target="f.odttf"/>'
    parts = PLAIN | {
        "word/f.odttf": hidden,
        "word/fontTable.xml": f'<w:fonts {_W} {_R}><w:font w:name="Crane">{embedded}</w:font></w:fonts>'.encode(),
        "word/_rels/fontTable.xml.rels": f'<Relationships xmlns="{_RELATIONS}">{relation}</Relationships>'.encode(),
    }
    named = f'<Relationship Id="f" Type="{OFFICE}/fontTable" Target="fontTable.xml"/>'
    return docx(path, paragraph(words, font="Crane") + section(), relations=named, parts=parts)


def edged(path: Path, mode: int, indent: str = "") -> Path:
    """A table set by the rules of a Word: 15 is that of 2013."""
    said = (
        f'<w:compatSetting w:name="compatibilityMode" w:uri="http://schemas.microsoft.com/office/word" w:val="{mode}"/>'
    )
    padded = '<w:tblCellMar><w:left w:w="300" w:type="dxa"/></w:tblCellMar>'
    table = (
        f'<w:tbl><w:tblPr>{indent}{padded}</w:tblPr><w:tblGrid><w:gridCol w:w="3000"/></w:tblGrid><w:tr><w:tc><w:tcPr>'
    )
    body = text("above") + table + '<w:tcW w:w="3000" w:type="dxa"/></w:tcPr>' + text("cell") + "</w:tc></w:tr></w:tbl>"
    settings = f"<w:settings {_W}><w:compat>{said}</w:compat></w:settings>".encode()
    relation = f'<Relationship Id="s" Type="{OFFICE}/settings" Target="settings.xml"/>'
    parts = PLAIN | {"word/settings.xml": settings}
    return docx(path, body + text("below") + section(), relations=relation, parts=parts)


def ruled(path: Path, body: str, settings: str, more: bytes | None = None) -> Path:
    """A text with settings of its whole document."""
    relation = f'<Relationship Id="s" Type="{OFFICE}/settings" Target="settings.xml"/>'
    said = {"word/settings.xml": f"<w:settings {_W}>{settings}</w:settings>".encode()}
    parts = (PLAIN if more is None else {"word/styles.xml": more}) | said
    return docx(path, body + section(), relations=relation, parts=parts)


def sized(path: Path, override: int) -> Path:
    """Texts of 12 points in a document of 11: in tables of an old Word (`override` 0) the document's goes first."""
    usual = _NORMAL.replace("</w:style>", '<w:rPr><w:sz w:val="24"/></w:rPr></w:style>')
    given = '<w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/></w:rPr></w:rPrDefault></w:docDefaults>'
    row = f"<w:tr><w:tc><w:tcPr/>{text('cell')}</w:tc></w:tr>"
    table = f'<w:tbl><w:tblPr><w:tblStyle w:val="T"/></w:tblPr><w:tblGrid/>{row}</w:tbl>'
    said = (
        '<w:compatSetting w:name="overrideTableStyleFontSizeAndJustification" '
        f'w:uri="http://schemas.microsoft.com/office/word" w:val="{override}"/>'
    )
    tables = '<w:style w:type="table" w:default="1" w:styleId="T"><w:name w:val="Normal Table"/></w:style>'
    look = f"<w:styles {_W}>{given}{usual}{tables}</w:styles>".encode()
    return ruled(path, text("above") + table + text("below"), f"<w:compat>{said}</w:compat>", look)


def drawn(path: Path, page: int) -> list[tuple[str, str, tuple[float, float]]]:
    """Words, their face, and where they stand in points."""
    with pymupdf.open(path) as document:
        blocks = document[page].get_text("dict")["blocks"]
    spans = [span for block in blocks for line in block.get("lines", ()) for span in line["spans"]]
    return [(each["text"], each["font"], each["origin"]) for each in spans]


def test_what_a_file_says_stays_its_own(tmp_path: Path) -> None:
    files = [
        gridded(tmp_path / "grid.docx"),
        deep_end(tmp_path / "deep.docx"),
        docx(
            tmp_path / "first lines.docx", text("indented", '<w:ind w:firstLine="480"/>') * 2 + section(), parts=PLAIN
        ),
        asleep(tmp_path / "head.docx"),
        docx(tmp_path / "near the edge.docx", text("high up") + section(top=720), parts=PLAIN),
        tabled(tmp_path / "table.docx"),
        themed(tmp_path / "theme.docx", "Arial"),
        themed(tmp_path / "no theme.docx", None),
        numbered(tmp_path / "one.docx", "Nr", 600),
        numbered(tmp_path / "two.docx", "§", 1800),
        asleep(tmp_path / "facing.docx", facing=True),
        asleep(tmp_path / "asleep.docx"),
        edged(tmp_path / "edge.docx", 15),
        edged(tmp_path / "edge set in.docx", 15, '<w:tblInd w:w="500" w:type="dxa"/>'),
        ruled(tmp_path / "spaces that add up.docx", text("apart", _APART) * 3, _ADDING),
        docx(tmp_path / "lost style.docx", text("plain", '<w:pStyle w:val="Deep"/>') + section(), parts=PLAIN),
        sized(tmp_path / "old sizes.docx", 0),
        sized(tmp_path / "new sizes.docx", 1),
        lettered(tmp_path / "letters.docx", "crane"),
        lettered(tmp_path / "other letters.docx", "bumpy"),
    ]
    merged = merge(*files).path
    made, alone = pdf(merged), [pdf(path) for path in files]
    assert [look.page_count(each) for each in alone] == [1] * len(files)
    assert look.sizes_of(made) == [look.sizes_of(each)[0] for each in alone]
    for page, (path, own) in enumerate(zip(files, alone, strict=True)):
        here, before = drawn(made, page), drawn(own, 0)
        assert [each[:2] for each in here] == [each[:2] for each in before], path.name
        moved = max(math.dist(new[2], old[2]) for new, old in zip(here, before, strict=True))
        assert moved < 1, (path.name, moved)
    # Over a large table LibreOffice forgets the page that a section names, but not where a paragraph is before it.
    assert '<w:sz w:val="2"/></w:rPr></w:pPr></w:p><w:tbl>' in part(merged, "word/document.xml")


@pytest.mark.parametrize(
    ("theirs", "language", "western", "asian"),
    [
        ("Georgia", "zh-CN", "Georgia", ["宋体"]),
        ("Georgia", "ja-JP", "Georgia", ["Meiryo"]),
        ("Georgia", "", "Georgia", []),
        (None, "zh-CN", "Times New Roman", ["Times New Roman"]),
    ],
)
def test_a_theme_gives_the_face_of_its_files_language(
    tmp_path: Path, theirs: str | None, language: str, western: str, asian: list[str]
) -> None:
    first = themed(tmp_path / "a.docx", "Arial", "ko-KR")
    made = merge(first, themed(tmp_path / "b.docx", theirs, language)).path
    ours = re.search(r'w:styleId="NormalF2".*?</w:style>', part(made, "word/styles.xml"))
    assert ours and re.findall(r'w:ascii="([^"]+)"', ours[0]) == [western]
    assert re.findall(r'w:eastAsia="([^"]+)"', ours[0]) == asian


def test_sleeping_left_pages_stay_asleep(tmp_path: Path) -> None:
    files = [asleep(tmp_path / "a.docx", facing=True), asleep(tmp_path / "b.docx")]
    assert pages(merge(*files, numbering="continue").path) == ["SHOWNslept"] * 2


def test_tables_of_an_older_word_stand_where_they_stood(tmp_path: Path) -> None:
    files = [edged(tmp_path / "new.docx", 15), edged(tmp_path / "old.docx", 14)]
    made, old = pdf(merge(*files).path), pdf(files[1])
    assert drawn(made, 1) == drawn(old, 0) != drawn(made, 0)


def test_what_the_first_document_does_not_show_is_the_seconds(tmp_path: Path) -> None:
    last = text("", "<w:pageBreakBefore/>").replace("<w:r><w:t></w:t></w:r>", "")
    tabbed = "<w:p><w:r><w:t>甲</w:t><w:tab/><w:t>（乙），「丙」。</w:t></w:r></w:p>"
    squeezed = '<w:defaultTabStop w:val="333"/><w:characterSpacingControl w:val="compressPunctuation"/>'
    files = [
        ruled(tmp_path / "empty last page.docx", text("latin", _APART) * 2 + last, _ADDING),
        ruled(tmp_path / "squeezed.docx", tabbed + text("larger", _APART) * 3, squeezed),
        ruled(tmp_path / "not squeezed.docx", text("latin"), '<w:characterSpacingControl w:val="doNotCompress"/>'),
    ]
    made, alone = pdf(merge(*files).path), [pdf(path) for path in files]
    assert [look.page_count(each) for each in alone] == [2, 1, 1]
    assert [drawn(made, page) for page in range(4)] == [drawn(alone[0], 0), [], drawn(alone[1], 0), drawn(alone[2], 0)]


def test_tabs_lead_where_they_led(tmp_path: Path) -> None:
    """In a plain text, behind a stop of its own and one of its style, in an indented text, and in a table."""
    tabs = "<w:tabs>{}</w:tabs>".format('<w:tab w:val="left" w:pos="900"/>')
    kinds = [
        "",
        tabs,
        '<w:pStyle w:val="Stop"/>',
        '<w:ind w:left="1600" w:hanging="1600"/>',
        '<w:tabs/><w:ind w:left="500"/>',
    ]
    words = "<w:t>a</w:t><w:tab/><w:t>b</w:t><w:tab/><w:t>c</w:t>"
    lines = "".join(text("", each).replace("<w:t></w:t>", words) for each in kinds)
    cell = f'<w:tc><w:tcPr><w:tcW w:w="6000" w:type="dxa"/></w:tcPr>{text("").replace("<w:t></w:t>", words)}</w:tc>'
    body = f"{lines}<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{cell}</w:tr></w:tbl>" + text("end")
    named = styles(_STYLE.format("Stop", tabs))
    files = [
        ruled(tmp_path / "near.docx", body, '<w:defaultTabStop w:val="300"/>', named),
        ruled(tmp_path / "far.docx", body, '<w:defaultTabStop w:val="1000"/>', named),
        ruled(tmp_path / "unsaid.docx", body, "", named),
    ]
    made = pdf(merge(*files).path)
    assert [drawn(made, page) for page in range(3)] == [drawn(pdf(path), 0) for path in files]


def test_words_are_parted_where_they_were(tmp_path: Path) -> None:
    files = [
        ruled(tmp_path / "whole.docx", text("whole"), ""),
        ruled(tmp_path / "parted.docx", text("parted"), "<w:autoHyphenation/>"),
    ]
    for first, second in (files, files[::-1]):
        made = merge(first, second).path
        named = re.findall(r"<w:style .*?</w:style>", part(made, "word/styles.xml"))
        whole = [re.findall(r'w:styleId="(\w+)"', each)[0] for each in named if "<w:suppressAutoHyphens/>" in each]
        assert whole == (["Normal"] if first is files[0] else ["NormalF2"])
        assert "<w:autoHyphenation" in part(made, "word/settings.xml")


def test_a_face_that_a_style_names_goes_before_the_themes(tmp_path: Path) -> None:
    own = _STYLE.format("Own", "").replace("<w:pPr></w:pPr>", '<w:rPr><w:rFonts w:ascii="Georgia"/></w:rPr>')
    fonts = f'<w:rFonts{_THEMED}/><w:kern w:val="2"/>'
    theirs = themed(tmp_path / "b.docx", "Arial", more={"word/styles.xml": styles(own, fonts=fonts)})
    made = merge(themed(tmp_path / "a.docx", "Arial"), theirs).path
    named = re.search(r'w:styleId="Own".*?</w:style>', part(made, "word/styles.xml"))
    assert named and "Georgia" in named[0] and "asciiTheme" not in named[0] and "hAnsiTheme" in named[0]


def test_documents_without_styles_take_none(tmp_path: Path) -> None:
    none = {"word/styles.xml": f"<w:styles {_W}/>".encode()}
    large = _NORMAL.replace("</w:style>", '<w:rPr><w:sz w:val="60"/></w:rPr></w:style>')
    files = [
        docx(
            tmp_path / "large.docx",
            text("large") + section(),
            parts={"word/styles.xml": f"<w:styles {_W}>{large}</w:styles>".encode()},
        ),
        docx(tmp_path / "bare.docx", text("bare") + section(), parts=none),
    ]
    made = pdf(merge(*files).path)
    assert [drawn(made, page) for page in range(2)] == [drawn(pdf(path), 0) for path in files]
