"""Excel to PDF: xls, xlsx, ods, csv, et and their kin through the warm LibreOffice, laid out to be read."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from cluster.converting import NO_PARTS, ArchiveFormat, Conversion, Family, ImageQuality, Loading, export_data, opened
from cluster.fields import ORIENTATIONS, PAPER_NAMES, Pages, Toggle, shown
from cluster.kinds import CSV, HTML, ODS, SHEETML, SHEETS, TXT, XLS, XLSX
from cluster.pages import pages_in_order
from cluster.paper import PAPERS
from cluster.problem import InputProblem, LimitProblem
from cluster.tool import MIB, Bounds, Group, Lane, Source, Tool, Work, options

if TYPE_CHECKING:
    from cluster.engines.office.tables import Table

_FAMILY = Family(SHEETS, ("SpreadsheetDocument",), "calc_pdf_Export")
#: Import filters by kind; a filter named here cannot be talked into another by the content.
_FILTERS = {
    XLSX: "Calc MS Excel 2007 XML",
    ODS: "calc8",
    HTML: "HTML (StarCalc)",
    SHEETML: "MS Excel 2003 XML Orcus",
    TXT: "Text - txt - csv (StarCalc)",
    CSV: "Text - txt - csv (StarCalc)",
}
_ENCODINGS = {"utf8": "utf-8-sig", "gb18030": "gb18030", "big5": "big5hkscs", "utf16": "utf-16", "latin": "cp1252"}
#: Hundredths of a millimetre in a point.
_HUNDREDTHS = 2540 / 72
#: From so many rows on, the pages are counted before they are written; so many spans are a message.
_MANY = 5_000


@options
class Options:
    fit: Annotated[
        Literal["columns", "sheet", "designed"],
        shown(
            "版式",
            "Layout",
            "choice",
            choices={
                "columns": ("所有列放进一页宽", "All columns on one page"),
                "sheet": ("整张表放进一页", "Whole sheet on one page"),
                "designed": ("按文件的打印设置", "As the file is set up"),
            },
        ),
    ] = "columns"
    paper: Annotated[
        Literal["auto", "a4", "a3", "a5", "letter"],
        shown(
            "纸张",
            "Paper",
            "select",
            choices={
                "auto": ("自动（内容宽时用更大的纸）", "Automatic: larger for wide sheets"),
                **PAPER_NAMES,
            },
        ),
    ] = "auto"
    orientation: Annotated[
        Literal["auto", "portrait", "landscape"],
        shown(
            "方向",
            "Orientation",
            "choice",
            choices=ORIENTATIONS,
        ),
    ] = "auto"
    sheets: Annotated[
        str,
        Field(max_length=1000),
        shown(
            "工作表",
            "Sheets",
            "text",
            hint=(
                "名称或序号，用逗号分隔；留空为所有未隐藏的工作表",
                "Names or numbers, with commas between; empty means all that are not hidden",
            ),
        ),
    ] = ""
    repeat: Annotated[
        int,
        Field(ge=0, le=50),
        shown(
            "每页重复的标题行数",
            "Rows repeated on every page",
            "number",
            hint=(
                "0 表示按文件：打印标题行或冻结的行",
                "0 leaves it to the file: its print titles, or its frozen rows",
            ),
        ),
    ] = 0
    gridlines: Annotated[Toggle, shown("打印网格线", "Gridlines", "toggle")] = False
    heads: Annotated[Toggle, shown("打印行号和列标", "Row and column heads", "toggle")] = False
    comments: Annotated[
        Literal["notes", "end", "none"],
        shown(
            "批注",
            "Comments",
            "choice",
            choices={
                "notes": ("成为 PDF 注释", "As notes of the PDF"),
                "end": ("打印在末尾", "Printed at the end"),
                "none": ("不保留", "Left out"),
            },
        ),
    ] = "notes"
    images: ImageQuality = "original"
    archive: ArchiveFormat = "none"
    pages: Pages = ""
    encoding: Annotated[
        Literal["auto", "utf8", "gb18030", "big5", "utf16", "latin"],
        shown(
            "CSV 编码",
            "Encoding of CSV",
            "select",
            choices={
                "auto": ("自动识别", "Found by itself"),
                "utf8": ("UTF-8", "UTF-8"),
                "gb18030": ("GBK / GB18030", "GBK / GB18030"),
                "big5": ("Big5", "Big5"),
                "utf16": ("UTF-16", "UTF-16"),
                "latin": ("Windows-1252", "Windows-1252"),
            },
            editor=True,
        ),
    ] = "auto"
    separator: Annotated[
        Literal["auto", "comma", "tab", "semicolon", "pipe"],
        shown(
            "CSV 分隔符",
            "Separator of CSV",
            "select",
            choices={
                "auto": ("自动识别", "Found by itself"),
                "comma": ("逗号", "Comma"),
                "tab": ("制表符", "Tab"),
                "semicolon": ("分号", "Semicolon"),
                "pipe": ("竖线", "Vertical bar"),
            },
            editor=True,
        ),
    ] = "auto"


def convert(work: Work[Options]) -> None:
    """Unlock, check, open, lay the chosen sheets out, export."""
    read = _Read()
    with opened(work, _FAMILY, NO_PARTS, lambda source, path: _loading(work, source, path, read)) as it:
        _dress(it, read)
        chosen = _chosen(it)
        rows = _laid_out(it, chosen)
        pages = _counted(it, rows)
        output = it.export(None, _export(work.options, pages))
        it.tell(output, it.named_fonts())


@dataclass
class _Read:
    """What was read of a file itself: tables of text; of an xlsx, what LibreOffice does not see."""

    tables: "list[Table]" = field(default_factory=list)
    rows: dict[str, list[list[int]]] = field(default_factory=dict)
    pictures: list[dict[str, Any]] = field(default_factory=list)
    looks: list[dict[str, Any]] = field(default_factory=list)


def _loading(work: Work[Options], source: Source, path: Path, read: _Read) -> Loading:
    """The file that LibreOffice opens, and how."""
    from cluster.engines.office.cell_pictures import cell_pictures
    from cluster.engines.office.sheet_formats import country_of_xls, localized
    from cluster.engines.office.sheet_rows import unmeasured
    from cluster.engines.office.table_looks import table_looks
    from cluster.engines.office.tables import SEPARATORS, rewritten

    # Not for reading alone: pages and columns are set before the export.
    loading: dict[str, Any] = {"ReadOnly": False}
    if source.kind is not XLS:
        loading["FilterName"] = _FILTERS[source.kind]
    if source.kind is XLS:
        loading["country"] = country_of_xls(path)
    if source.kind is XLSX:
        read.rows, read.pictures = unmeasured(path), cell_pictures(path, work.scratch("pictures"))
        read.looks = table_looks(path)
        path = localized(path, work.scratch("formats"))
    if source.kind not in (TXT, CSV):
        return path, loading
    path = work.scratch("utf8") / (source.path.stem + ".csv")
    named = _ENCODINGS.get(work.options.encoding), SEPARATORS.get(work.options.separator)
    read.tables.append(rewritten(source, path, *named))
    return path, loading | {"FilterOptions": read.tables[0].filter_options}


def _dress(it: Conversion, read: _Read) -> None:
    """Rows and pictures as Excel has them; what was no workbook gets columns and pages that read well, and a word."""
    for name, spans in read.rows.items():
        for start in range(0, len(spans), _MANY):
            it.document.do("fit_rows", name=name, spans=spans[start : start + _MANY])
    if read.looks:
        it.document.do("paint_tables", looks=read.looks)
    if read.pictures:
        it.document.do("place_pictures", pictures=read.pictures)
    if it.source.kind in (TXT, CSV, HTML, SHEETML):
        numbers = [number for table in read.tables for number in table.numbers]
        it.document.do("dress_table", numbers=numbers, wrap=it.source.kind is not SHEETML)
    for table in read.tables:
        it.work.note("told", "table_read", rows=table.rows, columns=table.columns, detail=_read_as(table))


def _read_as(table: "Table") -> str:
    mark = {"\t": "Tab"}.get(table.separator, table.separator)
    return f"{table.encoding.upper().removesuffix('-SIG')}  {mark}"


def _chosen(it: Conversion) -> list[int]:
    """Which sheets are converted, from 0; tells of those that are hidden. Raises sheet_unknown."""
    listed = it.document.do("sheets")
    names = [each["name"] for each in listed]
    chosen = sorted({_number(it, name.strip(), names) for name in _named(it.work.options.sheets, names)})
    hidden = [number for number, each in enumerate(listed) if each["hidden"]]
    chosen = chosen or [number for number in range(len(names)) if number not in hidden]
    left = [names[number] for number in range(len(names)) if number in hidden and number not in chosen]
    if left:
        it.work.note("told", "sheets_hidden", count=len(left), detail=_list(left))
    return chosen


def _named(written: str, names: list[str]) -> list[str]:
    """What was typed, one by one; a name may hold a comma itself."""
    whole = written.strip()
    return [whole] if whole in names else [each for each in re.split("[,，、;；\n]", whole) if each.strip()]


def _number(it: Conversion, written: str, names: list[str]) -> int:
    if written in names:
        return names.index(written)
    if written.isdecimal() and 1 <= int(written) <= len(names):
        return int(written) - 1
    raise InputProblem("sheet_unknown", file=it.source.name, text=written, detail=_list(names))


def _list(names: list[str]) -> str:
    return "、".join(names[:20]) + (" …" if len(names) > 20 else "")


def _laid_out(it: Conversion, chosen: list[int]) -> int:
    """Lay the sheets out; returns the rows of the largest. Raises nothing_to_do where nothing is in them."""
    wished = it.work.options
    size = PAPERS.get(wished.paper)
    told = it.document.do(
        "lay_out",
        chosen=chosen,
        fit=wished.fit,
        paper=[round(side * _HUNDREDTHS) for side in size] if size else None,
        orientation=wished.orientation,
        repeat=wished.repeat,
        gridlines=wished.gridlines,
        heads=wished.heads,
        notes_at_end=wished.comments == "end",
    )
    if not told["sheets"]:
        raise InputProblem("nothing_to_do", file=it.source.name)
    it.work.note("kept", "sheets_converted", count=told["sheets"])
    for what in ("split", "trimmed"):
        if told[what]:
            it.work.note("told" if what == "split" else "changed", f"sheets_{what}", detail=_list(told[what]))
    return int(told["rows"])


def _counted(it: Conversion, rows: int) -> int | None:
    """How many pages there will be, where that matters; raises too_many_pages."""
    if rows < _MANY and not it.work.options.pages.strip():
        return None
    pages = int(it.document.do("rendered"))
    if pages > it.work.max_pages:
        raise LimitProblem("too_many_pages", file=it.source.name, pages=pages, limit=it.work.max_pages)
    it.work.allow(pages)
    return pages


def _export(chosen: Options, pages: int | None) -> dict[str, Any]:
    data = export_data(chosen.archive, chosen.images, ExportBookmarks=True, ExportNotes=chosen.comments == "notes")
    if pages is not None and chosen.pages.strip():
        data["PageRange"] = ",".join(map(str, pages_in_order(chosen.pages, pages)))
    return data


TOOL = Tool(
    id=7,
    key="excel_to_pdf",
    route="/Excel2Pdf",
    group=Group.CONVERT,
    lane=Lane.OFFICE,
    accepts=SHEETS,
    options=Options,
    run=convert,
    suffix=("转换", "converted"),
    icon="table",
    bounds=Bounds(base=60, per_mib=10.0, per_page=0.3, cap=600, memory=2048 * MIB),
)
