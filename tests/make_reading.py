"""Documents with structure that is only drawn: headings by size, lists by marks, tables by rules or by alignment."""

from collections.abc import Sequence
from itertools import takewhile
from pathlib import Path
from typing import Any

from pikepdf import Array, Dictionary, Name, Pdf, String
from PIL import Image, ImageDraw, ImageFont

from cluster.engines.pdf.libraries import import_pymupdf
from tests import make
from tests.make_scans import SANS
from tests.once import once

HEADER = "二〇二六年度报告"
PROSE = (
    "本公司在第三季度对全部下属单位的安全生产情况进行了检查，共发现问题四十七项，其中重大问题三项，"
    "均已责令限期整改，并将在年底之前逐项复查，确保责任到人、措施到位，不留死角。",
    "检查组认为，各单位对安全工作的重视程度有所提高，但仍有部分单位制度不健全、记录不完整、培训不到位，"
    "应当在下一阶段重点解决，有关情况按月报送主管部门备案。",
)
TALL = [["crane", "paper"], ["fold", "wing"], ["beak", "tail"], ["neck", "foot"]]
ENGLISH = (
    "The morning train left the station at seven, and by noon it had crossed the whole valley without a stop, "
    "so that the passengers, who had expected a long day, were surprised to be home before the evening meal."
)
ITEMS = ("完善制度并明确责任人", "加强培训，每季度一次", "建立台账，逐项销号")
#: Rows of a table; None goes on from the cell on the left, "^" from the one above.
RULED: list[list[str | None]] = [
    ["部门", "问题", None, "整改率"],
    ["^", "一般", "重大", "^"],
    ["生产一部", "1,204", "3", "85.5%"],
    ["生产二部", "007", "0", "100%"],
]
ALIGNED = [
    ["Item", "Quantity", "Price", "Date"],
    ["Paper cranes", "1,250", "$3.50", "2026-01-31"],
    ["Paper boats", "800", "$12.00", "2026-02-28"],
    ["Glue", "(15)", "$7.25", "2026-03-15"],
    ["=SUM(A1)", "0042", "-", "2026-04-01"],
]
SCANNED = [["单位", "问题数", "整改率"], ["生产一部", "1204", "85%"], ["生产二部", "836", "97%"]]
_LEFT, _RIGHT, _SIZE = 72.0, 523.0, 11.0


class Sheet:
    """A page that is being drawn from the top."""

    def __init__(self, document: Any, width: float = 595, height: float = 842) -> None:
        self.page = document.new_page(width=width, height=height)
        self.y = 80.0

    def line(self, x: float, text: str, size: float = _SIZE, font: str = "china-s", y: float | None = None) -> None:
        self.page.insert_text((x, self.y if y is None else y), text, fontsize=size, fontname=font)

    def prose(self, text: str, size: float = _SIZE, *, indent: float = 0, gap: float = 10) -> None:
        """Lines as full as they get, broken by width."""
        measure = import_pymupdf().Font("china-s" if ord(text[0]) > 255 else "helv")
        font = "china-s" if ord(text[0]) > 255 else "helv"
        pieces = list(text) if font == "china-s" else [f"{word} " for word in text.split(" ")]
        line, x = "", _LEFT + indent
        for piece in pieces:
            if x + measure.text_length(line + piece.rstrip(), size) > _RIGHT:
                self.line(x, line, size, font)
                self.y += 1.5 * size
                line, x = "", _LEFT
            line += piece
        self.line(x, line, size, font)
        self.y += 1.5 * size + gap

    def heading(self, text: str, size: float = 16) -> None:
        self.line(_LEFT, text, size)
        self.y += size + 14

    def table(self, rows: Sequence[Sequence[str | None]], width: float = 110, height: float = 22) -> None:
        """Ruled, with merged cells."""
        for at, row in enumerate(rows):
            for column, text in enumerate(row):
                x, y = _LEFT + column * width, self.y + at * height
                if text != "^":
                    self.page.draw_line((x, y), (x + width, y))
                if text is not None:
                    self.page.draw_line((x, y), (x, y + height))
                if text and text != "^":
                    self.line(x + 6, text, y=y + 15)
        right, bottom = _LEFT + len(rows[0]) * width, self.y + len(rows) * height
        self.page.draw_line((right, self.y), (right, bottom))
        self.page.draw_line((_LEFT, bottom), (right, bottom))
        self.y = bottom + 30

    def aligned(self, rows: Sequence[Sequence[str]], places: Sequence[float] = (72, 220, 320, 420)) -> None:
        for row in rows:
            for x, text in zip(places, row, strict=True):
                self.line(x, text, font="helv")
            self.y += 18
        self.y += 30


@once
def report(path: Path) -> Path:
    """Three pages: header and page number on each, headings, prose, a list, a ruled and an aligned table, a link."""
    with import_pymupdf().open() as document:
        for number in range(1, 4):
            sheet = Sheet(document)
            sheet.line(230, HEADER, 9, y=40)
            sheet.line(280, f"第 {number} 页", 9, y=810)
            sheet.heading(f"{'一二三'[number - 1]}、概述", 16)
            for text in PROSE:
                sheet.prose(text, indent=22)
            if number == 1:
                for at, item in enumerate(ITEMS, 1):
                    sheet.line(_LEFT + 10, f"{at}.")
                    sheet.line(_LEFT + 30, item)
                    sheet.y += 20
                sheet.y += 14
                sheet.table(RULED)
            elif number == 2:
                sheet.prose(ENGLISH)
                sheet.aligned(ALIGNED)
                sheet.page.insert_image((72, sheet.y, 172, sheet.y + 60), pixmap=_picture())
            else:
                sheet.line(_LEFT, "papercrane.example", font="helv")
                where = (_LEFT, sheet.y - 12, _LEFT + 100, sheet.y + 4)
                sheet.page.insert_link({"kind": 2, "from": import_pymupdf().Rect(where), "uri": "https://example.com/"})
        document.save(path)
    return path


def _picture() -> Any:
    pymupdf = import_pymupdf()
    made = pymupdf.Pixmap(pymupdf.csRGB, pymupdf.IRect(0, 0, 100, 60))
    made.set_rect(made.irect, (30, 140, 90))
    return made


@once
def two_columns(path: Path) -> Path:
    """A heading over two columns of English prose."""
    with import_pymupdf().open() as document:
        sheet = Sheet(document)
        sheet.line(_LEFT, "Paper and its uses in the modern office of today", 18, "helv")
        _columns(sheet)
        document.save(path)
    return path


@once
def article(path: Path) -> Path:
    """Two columns below a title and a date in the middle and three authors side by side; the page's number is in the
    gutter."""
    with import_pymupdf().open() as document:
        sheet = Sheet(document)
        for y, text in ((60, "On paper"), (76, "3 January 2024"), (760, "1")):
            sheet.line(297.5 - import_pymupdf().get_text_length(text, "helv", 10) / 2, text, 10, "helv", y=y)
        for x, name in ((72, "A. Author"), (280, "B. Writer"), (470, "C. Scribe")):
            sheet.line(x, name, 10, "helv", y=100)
            sheet.line(x, "Some town", 10, "helv", y=114)
        _columns(sheet, 8)
        document.save(path)
    return path


@once
def review(path: Path) -> Path:
    """A narrow column of notes beside two of prose, a heading across the notes' gutter, a line up the margin."""
    with import_pymupdf().open() as document:
        sheet = Sheet(document)
        sheet.line(60, "A heading over the notes and the prose", 10, "helv", y=60)
        sheet.page.insert_text((28, 600), "stamped by an archive", fontsize=14, rotate=90)
        for x, wide, text in ((60, 92, "notes"), (170, 178, "prose0"), (365, 178, "prose1")):
            _column(sheet, f"{text} {' '.join([ENGLISH] * (2 if wide < 100 else 4))}", x, wide)
        document.save(path)
    return path


@once
def listings(path: Path) -> Path:
    """Three columns of names and values, a rule below each row, hardly one level with another column's."""
    with import_pymupdf().open() as document:
        sheet = Sheet(document)
        for column, x in enumerate((60, 225, 390)):
            for row in range(9):
                y = 100 + row * (19 + 3 * column)
                value = f"{column}.{row} litres"
                sheet.line(x + 3, f"Tank {column}.{row}", 9, "helv", y=y)
                sheet.line(x + 142 - import_pymupdf().get_text_length(value, "helv", 9), value, 9, "helv", y=y)
                sheet.page.draw_line((x, y + 5), (x + 145, y + 5))
        document.save(path)
    return path


@once
def poem(path: Path) -> Path:
    """Two columns of verses, none as long as another."""
    with import_pymupdf().open() as document:
        sheet = Sheet(document)
        for column, x in enumerate((72, 310)):
            for verse in range(14):
                words = " ".join(["crane"] * (3 + (verse * (5 + column)) % 4))
                text = f"verse {column}.{verse:02} {words}{'.' * verse}"
                sheet.line(x, text, 8 if column else 9, "helv", y=130 + 14 * verse)
        document.save(path)
    return path


def _columns(sheet: Sheet, times: int = 4) -> None:
    for column, x in enumerate((72, 310)):
        _column(sheet, f"column{column} {' '.join([ENGLISH] * times)}", x, 213)


def _column(sheet: Sheet, text: str, x: float, wide: float) -> None:
    line, y = "", 130.0
    for word in text.split(" "):
        if import_pymupdf().get_text_length(f"{line} {word}", "helv", 10) > wide:
            sheet.line(x, line, 10, "helv", y=y)
            line, y = "", y + 14
        line = f"{line} {word}".strip()
    sheet.line(x, line, 10, "helv", y=y)


@once
def long_table(path: Path, rows: int = 90) -> Path:
    """One ruled table over several pages, its header on each."""
    with import_pymupdf().open() as document:
        for start in range(0, rows, 30):
            sheet = Sheet(document)
            body = [[f"No {at}", f"{at * 1000:,}", f"{at}%"] for at in range(start + 1, min(start + 31, rows + 1))]
            sheet.table([["Name", "Amount", "Share"], *body], 140)
            sheet.line(280, f"{start // 30 + 1}", 9, y=810)
        document.save(path)
    return path


@once
def tight_table(path: Path) -> Path:
    """A ruled table whose cells are so narrow that a reader takes each row for one line."""
    with import_pymupdf().open() as document:
        sheet = Sheet(document)
        for at, row in enumerate([["Code", "Town", "Count"], ["AB12", "Leeds", "1204"], ["CD34", "Derby", "17"]]):
            x, y = _LEFT, 100 + at * 16
            for text in row:
                width = import_pymupdf().get_text_length(text, "helv", _SIZE) if at else 30
                sheet.page.draw_rect((x, y, x + 33, y + 16))
                sheet.line(x + 33 - width - 1, text, font="helv", y=y + 12)
                x += 33
        document.save(path)
    return path


def draw_table(
    image: Image.Image,
    rows: Sequence[Sequence[str | None]],
    at: tuple[int, int],
    *,
    rule: int | None = 0,
    width: int = 3,
) -> Image.Image:
    """A table of cells of 300 × 80 pixels; None goes on from the cell on the left. Without `rule` nothing is drawn."""
    pen, font = ImageDraw.Draw(image), ImageFont.truetype(SANS, 32)
    for row, texts in enumerate(rows):
        for column, text in enumerate(texts):
            if text is None:
                continue
            wide = 1 + sum(1 for _ in takewhile(lambda each: each is None, texts[column + 1 :]))
            x, y = at[0] + column * 300, at[1] + row * 80
            if rule is not None:
                pen.rectangle((x, y, x + 300 * wide, y + 80), outline=rule, width=width)
            pen.text((x + 30, y + 18), text, 0, font)
    return image


#: What stands in `form`: every cell with text, by its row, column, and how many of each it covers.
FORM = {
    "Full name": (0, 0, 1, 3), "Day": (1, 0, 1, 1), "Month": (1, 1, 1, 1), "Year": (1, 2, 1, 1), "Photo": (0, 3, 2, 2),
    "Father": (2, 0, 1, 1), "Answer": (2, 1, 1, 3), "Town": (4, 0, 1, 2), "Street": (4, 2, 1, 3),
}  # fmt: skip


@once
def form(path: Path) -> Path:
    """A form: rules that end between cells whose upper edge is not drawn, and a box that stands open in its row."""
    pymupdf = import_pymupdf()
    document = pymupdf.open()
    page = document.new_page(width=595, height=842)
    flat = [(50, 100, 550), (50, 180, 550), (150, 220, 500), (50, 232, 550), (50, 280, 550)]
    upright = [(50, 100, 280), (550, 100, 280), (400, 100, 180), (150, 140, 180), (300, 140, 180)]
    upright += [(150, 180, 220), (500, 180, 220), (300, 232, 280)]
    for left, y, right in flat:
        page.draw_line((left, y), (right, y))
    for x, top, bottom in upright:
        page.draw_line((x, top), (x, bottom))
    places = [(54, 118), (54, 170), (160, 170), (310, 170), (410, 118), (54, 205), (160, 205), (54, 250), (310, 250)]
    for place, text in zip(places, FORM, strict=True):
        page.insert_text(place, text, fontsize=10)
    document.save(path)
    return path


@once
def scanned_table(path: Path) -> Path:
    """A page that is one picture: a heading and a ruled table."""
    picture = table_picture(path.with_suffix(".png"))
    with import_pymupdf().open() as document:
        document.new_page(width=595, height=842).insert_image((0, 0, 595, 842), filename=str(picture))
        document.save(path)
    return path


@once
def table_picture(path: Path) -> Path:
    """That page as a picture of A4 at 150 dpi."""
    image = Image.new("L", (1240, 1754), 255)
    ImageDraw.Draw(image).text((160, 140), "季度检查情况汇总表", 0, ImageFont.truetype(SANS, 44))
    draw_table(image, SCANNED, (160, 260))
    image.save(path)
    return path


@once
def poisoned(path: Path) -> Path:
    """Chinese text whose ToUnicode names other characters than are seen."""
    with import_pymupdf().open() as document:
        sheet = Sheet(document)
        for text in (*PROSE, *PROSE):
            sheet.prose(text, 14)
        font = import_pymupdf().Font("china-s")
        glyphs = sorted({font.has_glyph(ord(each)) for each in "".join(PROSE)})
        lies = "\n".join(f"<{at:04X}> <{0x6000 + at % 0x3000:04X}>" for at in glyphs)
        stream = (
            "/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange "
            f"{len(glyphs)} beginbfchar\n{lies}\nendbfchar endcmap end"
        )
        xref = next(each[0] for each in sheet.page.get_fonts())
        made = document.get_new_xref()
        document.update_object(made, "<<>>")
        document.update_stream(made, stream.encode())
        document.xref_set_key(xref, "ToUnicode", f"{made} 0 R")
        document.save(path)
    return path


def linked(path: Path, count: int) -> Path:
    """Words under `count` links, each to an address of its own."""
    with Pdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(600, 800))
        page.add_resource(make.helvetica(pdf), Name.Font, Name.F1)
        page.contents_add(b"BT /F1 12 Tf 40 700 Td (words that lead out of the document) Tj ET")
        page.obj.Annots = Array([pdf.make_indirect(_link(number)) for number in range(count)])
        pdf.save(path)
    return path


def _link(number: int) -> Dictionary:
    x, y = 40 + 10 * (number % 50), 690 - 8 * (number // 50)
    action = Dictionary(S=Name.URI, URI=String(f"https://example.org/{number}"))
    return Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([x, y, x + 300, y + 20]), A=action)


def sketch(path: Path, words: str, step: float = 3, bottom: float = 700) -> Path:
    """A drawing of upright strokes so close together, and a few letters that nobody sees: white ones."""
    with import_pymupdf().open() as document:
        page = document.new_page()
        page.insert_text((40, 300), words, color=(1, 1, 1))
        for at in range(round(480 / step)):
            page.draw_line((step * at, 310), (step * at, bottom), width=0.56 * step)
        document.save(path)
    return path


def tall_letters(path: Path) -> Path:
    """A ruled table in a drawn font whose box lies: twelve times as high as its letters, and below them."""
    rules = "".join(f"50 {700 - 20 * row} 200 1 re f " for row in range(5))
    rules += "".join(f"{50 + 100 * column} 620 1 81 re f " for column in range(3))
    words = "".join(
        f"BT /F1 10 Tf {60 + 100 * column} {687 - 20 * row} Td ({word}) Tj ET "
        for row, line in enumerate(TALL)
        for column, word in enumerate(line)
    )
    with Pdf.new() as pdf:
        page = pdf.add_blank_page(page_size=(400, 800))
        glyph = pdf.make_stream(b"600 0 0 0 500 700 d1 0 0 500 700 re f")
        font = Dictionary(Type=Name.Font, Subtype=Name.Type3, FontMatrix=Array([0.001, 0, 0, 0.001, 0, 0]))
        font.FontBBox, font.FirstChar, font.LastChar = Array([0, -12000, 1000, 0]), 97, 122
        font.Widths, font.Resources = Array([600] * 26), Dictionary()
        names = [Name(f"/{chr(code)}") for code in range(97, 123)]
        font.CharProcs = Dictionary({str(name): glyph for name in names})
        font.Encoding = Dictionary(Type=Name.Encoding, Differences=Array([97, *names]))
        page.add_resource(pdf.make_indirect(font), Name.Font, Name.F1)
        page.contents_add((rules + words).encode())
        pdf.save(path)
    return path
