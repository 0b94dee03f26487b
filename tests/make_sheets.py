"""Spreadsheets drawn in code: each function writes `path` and returns it."""

import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from tests.make_office import OFFICE

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml."
Cell = str | int | float


@dataclass(frozen=True)
class Sheet:
    """Rows of cells (`=…` is a formula, `=…|value` one with its stored value), and what the sheet has beside them."""

    name: str
    rows: Sequence[Sequence[Cell]]
    hidden: bool = False
    head: str = ""
    setup: str = ""
    columns: str = ""
    comment: str = ""
    styles: dict[tuple[int, int], int] | None = None


def xlsx(
    path: Path, *sheets: Sheet, font: str = "Calibri", names: str = "", formats: Sequence[tuple[int, str]] = ()
) -> Path:
    """An xlsx; cells of style 1 have borders, of style 2 a background, of style 3 wrapped text; from 4 on `formats`,
    which are the number of one and what it says, if it says something."""
    files = {
        "[Content_Types].xml": _types(sheets),
        "_rels/.rels": _relations([("officeDocument", "xl/workbook.xml")]),
        "xl/workbook.xml": _workbook(sheets, names),
        "xl/_rels/workbook.xml.rels": _relations(
            [("worksheet", f"worksheets/sheet{n + 1}.xml") for n in range(len(sheets))] + [("styles", "styles.xml")]
        ),
        "xl/styles.xml": _styles(font, formats),
    }
    for number, sheet in enumerate(sheets, 1):
        files[f"xl/worksheets/sheet{number}.xml"] = _sheet(sheet)
        if sheet.comment:
            files[f"xl/worksheets/_rels/sheet{number}.xml.rels"] = _relations(
                [("comments", f"../comments{number}.xml")]
            )
            files[f"xl/comments{number}.xml"] = (
                f'<comments xmlns="{_MAIN}"><authors><author>A</author></authors><commentList><comment ref="A1" '
                f'authorId="0"><text><t>{sheet.comment}</t></text></comment></commentList></comments>'
            )
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(name, '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>' + text)
    return path


def with_cell_pictures(path: Path, picture: bytes, how: str) -> Path:
    """An xlsx with a picture in its cell B2, as `wps` has it or as `excel`."""
    shown = {"wps": '=_xlfn.DISPIMG("ID_1",1)|=DISPIMG("ID_1",1)', "excel": "#VALUE!"}[how]
    xlsx(path, Sheet("S", [["a", "b"], ["c", shown], ["d", "e"]], columns='<col min="2" max="2" width="30"/>'))
    with zipfile.ZipFile(path) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    sheet, types = "xl/worksheets/sheet1.xml", "[Content_Types].xml"
    rows = files[sheet].replace(b'<row r="2">', b'<row r="2" ht="90" customHeight="1">')
    files[sheet] = rows.replace(b'r="B2" s="0" t="inlineStr"', b'r="B2" s="0" vm="1" t="inlineStr"')
    files[types] = files[types].replace(b"<Default", b'<Default Extension="png" ContentType="image/png"/><Default', 1)
    parts = {name: text.encode() for name, text in _CELL_PICTURES[how].items()}
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in (files | parts | {"xl/media/image1.png": picture}).items():
            archive.writestr(name, data)
    return path


def with_table(path: Path, style: str, rows: int = 4) -> Path:
    """An xlsx whose cells A1:C{rows} are a table of one of Excel's styles; B3 has a background of its own."""
    styles = {(2, 1): 2}
    xlsx(
        path,
        Sheet("S", grid(3, rows), styles=styles, setup='<tableParts count="1"><tablePart r:id="r1"/></tableParts>'),
    )
    columns = "".join(f'<tableColumn id="{n + 1}" name="r0c{n}"/>' for n in range(3))
    table = (
        f'<table xmlns="{_MAIN}" id="1" name="T" displayName="T" ref="A1:C{rows}"><autoFilter ref="A1:C{rows}"/>'
        f'<tableColumns count="3">{columns}</tableColumns><tableStyleInfo name="{style}" showRowStripes="1"/></table>'
    )
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("xl/tables/table1.xml", table)
        archive.writestr("xl/worksheets/_rels/sheet1.xml.rels", _relations([("table", "../tables/table1.xml")]))
    return path


def table(path: Path, rows: int = 200) -> Path:
    """A table as text."""
    path.write_text("编号,内容\n" + "".join(f"{n:04},第一条\n" for n in range(rows)), encoding="utf-8")
    return path


def grid(columns: int, rows: int, word: str = "r{row}c{column}") -> list[list[Cell]]:
    """Cells that say where they are."""
    return [[word.format(row=row, column=column) for column in range(columns)] for row in range(rows)]


def letters(number: int) -> str:
    """The name of a column, from 0."""
    name = ""
    while number >= 0:
        name, number = chr(65 + number % 26) + name, number // 26 - 1
    return name


def _types(sheets: Sequence[Sheet]) -> str:
    parts = [("/xl/workbook.xml", "sheet.main"), ("/xl/styles.xml", "styles")]
    parts += [(f"/xl/worksheets/sheet{n}.xml", "worksheet") for n in range(1, len(sheets) + 1)]
    parts += [(f"/xl/comments{n}.xml", "comments") for n, each in enumerate(sheets, 1) if each.comment]
    listed = "".join(f'<Override PartName="{name}" ContentType="{_TYPE}{kind}+xml"/>' for name, kind in parts)
    return (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" '
        'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        f'<Default Extension="xml" ContentType="application/xml"/>{listed}</Types>'
    )


def _relations(targets: Sequence[tuple[str, str]]) -> str:
    listed = "".join(
        f'<Relationship Id="r{n}" Type="{OFFICE}/{kind}" Target="{target}"/>'
        for n, (kind, target) in enumerate(targets, 1)
    )
    name = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{name}">{listed}</Relationships>'


def _workbook(sheets: Sequence[Sheet], names: str) -> str:
    state = {True: ' state="hidden"', False: ""}
    listed = "".join(
        f'<sheet name={quoteattr(each.name)} sheetId="{n}" r:id="r{n}"{state[each.hidden]}/>'
        for n, each in enumerate(sheets, 1)
    )
    defined = f"<definedNames>{names}</definedNames>" if names else ""
    return f'<workbook xmlns="{_MAIN}" xmlns:r="{OFFICE}"><sheets>{listed}</sheets>{defined}</workbook>'


def _styles(font: str, formats: Sequence[tuple[int, str]]) -> str:
    said = "".join(f'<numFmt numFmtId="{number}" formatCode={quoteattr(code)}/>' for number, code in formats if code)
    said = f"<numFmts>{said}</numFmts>" if said else ""
    numbered = "".join(f'<xf numFmtId="{number}" fontId="0" applyNumberFormat="1"/>' for number, _ in formats)
    edge = "".join(f'<{side} style="thin"/>' for side in ("left", "right", "top", "bottom"))
    return (
        f'<styleSheet xmlns="{_MAIN}">{said}<fonts><font><sz val="11"/><name val="{font}"/></font></fonts>'
        '<fills><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill>'
        '<fill><patternFill patternType="solid"><fgColor rgb="FFFFFF00"/></patternFill></fill></fills>'
        f"<borders><border/><border>{edge}</border></borders><cellStyleXfs><xf/></cellStyleXfs><cellXfs>"
        '<xf fontId="0"/><xf fontId="0" borderId="1" applyBorder="1"/><xf fontId="0" fillId="2" applyFill="1"/>'
        '<xf fontId="0" applyAlignment="1"><alignment wrapText="1"/></xf>'
        f"{numbered}</cellXfs></styleSheet>"
    )


def _sheet(sheet: Sheet) -> str:
    styles = sheet.styles or {}
    height = max([len(sheet.rows), *(row + 1 for row, _ in styles)])
    rows = "".join(f'<row r="{n + 1}">{_row(sheet, n, styles)}</row>' for n in range(height))
    columns = f"<cols>{sheet.columns}</cols>" if sheet.columns else ""
    root = f'<worksheet xmlns="{_MAIN}" xmlns:r="{OFFICE}">'
    return f"{root}{sheet.head}{columns}<sheetData>{rows}</sheetData>{sheet.setup}</worksheet>"


def _row(sheet: Sheet, number: int, styles: dict[tuple[int, int], int]) -> str:
    cells = sheet.rows[number] if number < len(sheet.rows) else ()
    width = max([len(cells), *(column + 1 for row, column in styles if row == number)])
    return "".join(
        _cell(f"{letters(n)}{number + 1}", cells[n] if n < len(cells) else "", styles.get((number, n), 0))
        for n in range(width)
    )


def _cell(place: str, value: Cell, style: int) -> str:
    head = f'<c r="{place}" s="{style}"'
    if isinstance(value, int | float):
        return f"{head}><v>{value}</v></c>"
    if value.startswith("="):
        formula, _, stored = value[1:].partition("|")
        kind = "" if stored.replace(".", "").isdigit() else ' t="str"'
        return f"{head}{kind}><f>{escape(formula)}</f><v>{escape(stored)}</v></c>"
    return f'{head} t="inlineStr"><is><t xml:space="preserve">{escape(value)}</t></is></c>' if value else f"{head}/>"


_BLIP = "http://schemas.openxmlformats.org/drawingml/2006"
_CELL_PICTURES = {
    "wps": {
        "xl/cellimages.xml": '<etc:cellImages xmlns:etc="http://www.wps.cn/officeDocument/2017/etCustomData" '
        f'xmlns:xdr="{_BLIP}/spreadsheetDrawing" xmlns:a="{_BLIP}/main" xmlns:r="{OFFICE}"><etc:cellImage><xdr:pic>'
        '<xdr:nvPicPr><xdr:cNvPr id="1" name="ID_1"/></xdr:nvPicPr><xdr:blipFill><a:blip r:embed="r1"/></xdr:blipFill>'
        "</xdr:pic></etc:cellImage></etc:cellImages>",
        "xl/_rels/cellimages.xml.rels": _relations([("image", "media/image1.png")]),
    },
    "excel": {
        "xl/metadata.xml": f'<metadata xmlns="{_MAIN}" xmlns:x="x"><futureMetadata name="XLRICHVALUE"><bk><extLst><ext>'
        '<x:rvb i="0"/></ext></extLst></bk></futureMetadata><valueMetadata><bk><rc t="1" v="0"/></bk></valueMetadata>'
        "</metadata>",
        "xl/richData/rdrichvalue.xml": '<rvData xmlns="r"><rv s="0"><v>0</v><v>5</v></rv></rvData>',
        "xl/richData/rdrichvaluestructure.xml": '<rvStructures xmlns="r"><s t="_localImage">'
        '<k n="_rvRel:LocalImageIdentifier" t="i"/><k n="CalcOrigin" t="i"/></s></rvStructures>',
        "xl/richData/richValueRel.xml": f'<richValueRels xmlns="r" xmlns:r="{OFFICE}"><rel r:id="r1"/></richValueRels>',
        "xl/richData/_rels/richValueRel.xml.rels": _relations([("image", "../media/image1.png")]),
    },
}
