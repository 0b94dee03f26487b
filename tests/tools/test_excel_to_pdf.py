"""Excel to PDF: sheets come out to be read, cells as they were stored, text tables letter by letter."""

import random
import re
import struct
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from cluster.kinds import HTML, SHEETML, TXT, XLS, XLSX, kind_of
from tests import look, make_office
from tests.make_sheets import Sheet, grid, with_cell_pictures, with_table, xlsx
from tests.running import Ran, run_tool

pytestmark = pytest.mark.usefixtures("office_engine")
A4, A4_LYING, A3_LYING = (595, 842), (842, 595), (1191, 842)
_CSV = '编号,姓名,身份证,金额\n0012,张三,110101199003070011,1.50\n0013,李四,440304198811120022,"1,234.00"\n'


def convert(path: Path, password: str | None = None, **options: object) -> Ran:
    folder = path.parent / f"run-{path.name}-{len(list(path.parent.iterdir()))}"
    return run_tool("excel_to_pdf", folder, [path], passwords={0: password} if password else None, **options)


def words(ran: Ran) -> list[list[str]]:
    """The words of each page, in reading order."""
    return [text.split() for text in look.texts_of(ran.path)]


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


@pytest.mark.parametrize(
    ("columns", "options", "size", "pages"),
    [
        (4, {}, A4, 2),
        (18, {}, A4_LYING, 2),
        (45, {}, A3_LYING, 1),
        (18, {"paper": "a4", "orientation": "portrait"}, A4, 1),
        (18, {"fit": "sheet"}, A4_LYING, 1),
        (18, {"fit": "designed"}, A4, 4),
        (18, {"fit": "designed", "paper": "a3", "orientation": "landscape"}, A3_LYING, 2),
    ],
)
def test_columns_stay_together(
    tmp_path: Path, columns: int, options: dict[str, str], size: tuple[int, int], pages: int
) -> None:
    ran = convert(xlsx(tmp_path / "表.xlsx", Sheet("S", grid(columns, 60))), **options)
    assert [look.sizes_of(ran.path), len(look.sizes_of(ran.path))] == [[size] * pages, pages]
    shown = ["".join(page) for page in words(ran)]
    assert sum(map(len, shown)) == sum(len(str(cell)) for row in grid(columns, 60) for cell in row)
    if options.get("fit", "columns") == "columns":
        assert shown[0].startswith("".join(f"r0c{n}" for n in range(columns)))


def test_four_hundred_columns_make_a_wide_page_and_on_a4_it_is_told(tmp_path: Path) -> None:
    path = xlsx(tmp_path / "a.xlsx", Sheet("宽", grid(400, 3)))
    wide = convert(path)
    assert len(words(wide)) == 1 and wide.noted("sheets_split") is None
    assert convert(path, paper="a4").noted("sheets_split") == {"detail": "宽"}


def test_sheets_are_chosen_and_hidden_ones_told(tmp_path: Path) -> None:
    sheets = Sheet("甲", [["one"]]), Sheet("乙,丙", [["two"]]), Sheet("藏", [["secret"]], hidden=True), Sheet("空", [])
    path = xlsx(tmp_path / "a.xlsx", *sheets)
    ran = convert(path)
    assert words(ran) == [["one"], ["two"]]
    assert ran.noted("sheets_hidden") == {"count": 1, "detail": "藏"}
    assert ran.noted("sheets_converted") == {"count": 2}
    assert [entry.title for entry in look.outline_of(ran.path)] == ["甲", "乙,丙"]
    assert words(convert(path, sheets="藏")) == [["secret"]]
    assert words(convert(path, sheets="乙,丙")) == [["two"]]
    assert words(convert(path, sheets="3，1")) == [["one"], ["secret"]]
    unknown, blank = convert(path, sheets="丁").problem, convert(path, sheets="空").problem
    assert unknown and unknown.reason == "sheet_unknown" and "甲、乙,丙、藏、空" in unknown.text("zh")
    assert blank and blank.reason == "nothing_to_do"


def test_rows_and_columns_with_nothing_in_them_are_not_printed(tmp_path: Path) -> None:
    nothing = '=IF(1,"",2)|'
    path = xlsx(tmp_path / "a.xlsx", Sheet("S", [["first", nothing]] + [[nothing] * 30] * 400))
    ran = convert(path)
    assert (words(ran), look.sizes_of(ran.path)) == ([["first"]], [A4])
    assert ran.noted("sheets_trimmed") == {"detail": "S"}


def test_a_form_to_be_filled_in_keeps_its_lines(tmp_path: Path) -> None:
    borders = {(row, column): 1 for row in range(60) for column in range(3)}
    framed = convert(xlsx(tmp_path / "a.xlsx", Sheet("S", [["签到"]], styles=borders)))
    assert len(look.sizes_of(framed.path)) == 2 and look.ink(look.render(framed.path, 2)) > 0.001
    filled = convert(xlsx(tmp_path / "b.xlsx", Sheet("S", [["签到"]], styles=dict.fromkeys(borders, 2))))
    assert len(look.sizes_of(filled.path)) == 1


def test_stored_values_stay(tmp_path: Path) -> None:
    cells = ["=NOSUCH(1)|42", '=WEBSERVICE("http://127.0.0.1:9/")|77', "=[1]X!A1|88", "=1+1|5"]
    assert words(convert(xlsx(tmp_path / "a.xlsx", Sheet("S", [cells])))) == [["42", "77", "88", "5"]]


def test_formats_of_a_chinese_file_are_of_china(tmp_path: Path) -> None:
    formats = [(14, ""), (31, ""), (58, ""), (7, ""), (55, ""), (170, "[$-F800]dddd\\,\\ mmmm\\ dd\\,\\ yyyy")]
    formats += [(171, "aaaa"), (172, "上午/下午h:mm"), (173, "mmm-yy")]
    styles = {(row, 0): 4 + row for row in range(len(formats))}
    sheet = Sheet("表", [[45000.5]] * len(formats), styles=styles, columns='<col min="1" max="1" width="30"/>')
    eastern, money = ["2023年3月15日", "3月15日"], "¥45,000.50"
    (shown,) = words(convert(xlsx(tmp_path / "a.xlsx", sheet, formats=formats)))
    halves = ["下午12时00分", "2023年3月15日", "星期三", "下午12:00", "Mar-23"]
    assert sorted(shown) == sorted(["2023/3/15", *eastern, money, *halves])
    american = replace(sheet, name="S", rows=sheet.rows[:4], styles={(row, 0): 4 + row for row in range(4)})
    (abroad,) = words(convert(xlsx(tmp_path / "b.xlsx", american, formats=formats[:4])))
    assert sorted(abroad) == sorted(["3/15/2023", *eastern, "$45,000.50"])


def test_frozen_rows_are_on_every_page(tmp_path: Path) -> None:
    pane = (
        '<sheetViews><sheetView workbookViewId="0"><pane {} topLeftCell="A50" state="frozen"/></sheetView></sheetViews>'
    )
    head = pane.format('ySplit="2" activePane="bottomLeft"')
    path = xlsx(tmp_path / "a.xlsx", Sheet("O", [["x"]]), Sheet("S", grid(3, 100), head=head))
    _, first, *others = words(convert(path))
    assert others and all(page[:6] == first[:6] for page in others)
    assert not any("r0c0" in page for page in words(convert(path, fit="designed"))[2:])
    beside = Sheet("S", grid(3, 100), head=pane.format('xSplit="1" activePane="topRight"'))
    assert not any("r0c0" in page for page in words(convert(xlsx(tmp_path / "b.xlsx", beside)))[1:])


@pytest.mark.parametrize(("font", "shown"), [("宋体", ["2023-3-15", "2023年3月15日"]), ("Arial", ["3/15/2023"] * 2)])
def test_formats_of_a_chinese_xls_are_of_china(tmp_path: Path, font: str, shown: list[str]) -> None:
    styles, formats = {(0, 0): 4, (1, 0): 5}, [(170, "0.00001"), (171, "0.000001")]
    sheet = Sheet("S", [[45000], [45000]], styles=styles, columns='<col min="1" max="1" width="30"/>')
    origin = xlsx(tmp_path / "a.xlsx", sheet, font=font, formats=formats)
    path = make_office.converted(tmp_path / "b.xls", origin, "MS Excel 97")
    data = path.read_bytes()
    # The two formats are numbered from 164 on in an .xls; a file of Excel's has those of the country instead.
    said = {
        mark: re.search(rb"\x1e\x04..(..).\x00." + re.escape(mark), data, re.S) for mark in (b"0.00001", b"0.000001")
    }
    for number, found in zip((14, 31), said.values(), strict=True):
        assert found
        own = b"(\xe0\x00\x14\x00..)" + re.escape(found[1])
        data = re.sub(own, lambda each, n=number: each[1] + struct.pack("<H", n), data, flags=re.S)
    path.write_bytes(data)
    assert words(convert(path)) == [shown]


@pytest.mark.parametrize("how", ["wps", "excel"])
def test_a_picture_in_a_cell_is_shown_in_it(tmp_path: Path, how: str) -> None:
    picture = BytesIO()
    Image.new("RGB", (200, 100), (255, 0, 0)).save(picture, "PNG")
    ran = convert(with_cell_pictures(tmp_path / "a.xlsx", picture.getvalue(), how))
    assert [sorted(page) for page in words(ran)] == [["a", "b", "c", "d", "e"]]
    assert [image[:2] for image in look.images_of(ran.path)] == [(200, 100)]
    colours = {colour: count for count, colour in look.render(ran.path).convert("RGB").getcolors(1 << 20) or ()}
    assert colours[255, 0, 0] > 5000


@pytest.mark.parametrize(
    ("style", "painted"),
    [
        ("TableStyleMedium2", [(0x44, 0x72, 0xC4), (0xDA, 0xE3, 0xF3)]),
        ("TableStyleMedium9", [(0x44, 0x72, 0xC4), (0xB4, 0xC7, 0xE7), (0xDA, 0xE3, 0xF3)]),
        ("TableStyleLight15", [(0xD9, 0xD9, 0xD9)]),
    ],
)
def test_tables_have_the_look_of_their_style(tmp_path: Path, style: str, painted: list[tuple[int, int, int]]) -> None:
    ran = convert(with_table(tmp_path / "a.xlsx", style))
    colours = {colour: count for count, colour in look.render(ran.path).convert("RGB").getcolors(1 << 20) or ()}
    assert all(colours.get(colour, 0) > 300 for colour in painted)
    assert colours[255, 255, 0] > 300


def test_rows_of_which_no_height_is_said_are_as_high_as_their_text(tmp_path: Path) -> None:
    sheet = Sheet("S", [["很长的说明" * 30, "x"], ["BELOW", "y"]], styles={(0, 0): 3})
    fixed = replace(sheet, head='<sheetFormatPr defaultRowHeight="15" customHeight="1"/>')
    shown = [look.text_of(convert(xlsx(tmp_path / f"{n}.xlsx", each)).path) for n, each in enumerate((sheet, fixed))]
    counts = ["".join(each.split()).count("很长的说明") for each in shown]
    assert counts[0] > 28 and counts[1] < 5


def test_a_text_beyond_the_last_column_is_not_cut(tmp_path: Path) -> None:
    sheet = Sheet("S", [["a", "b"], ["说明" * 20, ""], ["", "短" * 8], *grid(2, 30)])
    shown = "".join(words(convert(xlsx(tmp_path / "a.xlsx", sheet)))[0])
    assert shown.count("说明") == 20 and shown.count("短") == 8


def test_a_wide_sheet_from_right_to_left_has_a_wide_page(tmp_path: Path) -> None:
    direction = '<sheetViews><sheetView rightToLeft="1" workbookViewId="0"/></sheetViews>'
    ran = convert(xlsx(tmp_path / "a.xlsx", Sheet("S", grid(45, 3), head=direction)))
    assert look.sizes_of(ran.path) == [A3_LYING]


def test_a_number_wider_than_its_cell_is_smaller_and_no_row_of_signs(tmp_path: Path) -> None:
    narrow = Sheet("S", [[123456789.5, 1 / 3, "x"]], styles={(0, 0): 4}, columns='<col min="1" max="2" width="7"/>')
    locked = replace(narrow, setup='<sheetProtection password="CC1A" sheet="1"/>')
    for name, sheet in (("a", narrow), ("b", locked)):
        ran = convert(xlsx(tmp_path / f"{name}.xlsx", sheet, formats=[(4, "")]))
        assert words(ran) == [["123,456,789.50", "0.33333", "x"]]


def test_rows_repeat_and_heads_lines_and_comments_are_printed(tmp_path: Path) -> None:
    path = xlsx(tmp_path / "a.xlsx", Sheet("S", grid(3, 100), comment="REMARK"))
    plain = convert(path)
    assert [page[0] for page in words(plain)][1:] != ["r0c0"]
    assert look.notes_of(plain.path) and "REMARK" not in words(plain)[0]
    dressed = convert(path, repeat=2, gridlines=True, heads=True, comments="end")
    assert all("r0c0" in page and "ABC" in page for page in map("".join, words(dressed)[:2]))
    assert words(dressed)[-1] == ["A1:", "REMARK"]
    assert look.notes_of(dressed.path) == []
    assert look.ink(look.render(dressed.path)) > 1.5 * look.ink(look.render(plain.path))
    assert look.notes_of(convert(path, comments="none").path) == []


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gbk", "gb18030", "utf-16"])
def test_text_tables_letter_by_letter(tmp_path: Path, encoding: str) -> None:
    ran = convert(written(tmp_path / "a.csv", _CSV, encoding))
    shown = "编号 姓名 身份证 金额 0012 张三 110101199003070011 1.50 0013 李四 440304198811120022 1,234.00"
    assert words(ran) == [shown.split()]
    assert ran.noted("table_read")["rows"] == 3  # type: ignore[index]


def test_separator_and_encoding_are_found_or_chosen(tmp_path: Path) -> None:
    big5 = written(tmp_path / "a.csv", "編號;姓名;說明\n" + "0012;張三豐;中華民國憲法第一條\n" * 30, "big5")
    told = convert(big5).noted("table_read")
    assert told == {"rows": 31, "columns": 3, "detail": "BIG5  ;"}
    assert words(convert(written(tmp_path / "b.csv", "sep=|\na|b;c\n1|2;5\n"))) == [["a", "b;c", "1", "2;5"]]
    tabs = written(tmp_path / "c.tsv", "a\tb, c\n1\t2, 3\n")
    assert convert(tabs).noted("table_read")["detail"] == "UTF-8  Tab"  # type: ignore[index]
    assert convert(tabs, separator="comma").noted("table_read")["detail"] == "UTF-8  ,"  # type: ignore[index]
    assert "姓名" not in words(convert(written(tmp_path / "d.csv", _CSV), encoding="big5"))[0]


def test_a_long_cell_wraps(tmp_path: Path) -> None:
    ran = convert(written(tmp_path / "a.csv", f"a,b\n1,{'很长的说明' * 60}\n"))
    assert look.sizes_of(ran.path) == [A4]
    assert look.text_of(ran.path).count("很长的说明") > 30


def test_what_calls_itself_xls_is_what_its_content_is(tmp_path: Path) -> None:
    page = (
        '<html><head><meta charset="gbk"></head><body><table><tr><td>0012</td><td>110101199003070011</td>'
        "<td style=\"mso-number-format:'\\@'\">1.50</td></tr></table></body></html>"
    )
    old = (
        '<?xml version="1.0"?><?mso-application progid="Excel.Sheet"?><Workbook '
        'xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet">'
        '<Worksheet ss:Name="S"><Table><Row><Cell><Data ss:Type="String">2003</Data></Cell></Row></Table></Worksheet>'
        "</Workbook>"
    )
    kinds = {
        HTML: (written(tmp_path / "a.xls", page, "gbk"), ["0012", "110101199003070011", "1.50"]),
        SHEETML: (written(tmp_path / "b.xls", old), ["2003"]),
        TXT: (written(tmp_path / "c.xls", "0012\t张三\n", "gbk"), ["0012", "张三"]),
    }
    for kind, (path, shown) in kinds.items():
        ran = convert(path)
        assert kind_of(path) is kind
        assert words(ran) == [shown]
        assert ran.noted("remote_blocked") is None


@pytest.mark.parametrize(
    ("extension", "filter_name"), [("ods", "calc8"), ("xls", "MS Excel 97"), ("et", "MS Excel 97")]
)
def test_other_formats(tmp_path: Path, extension: str, filter_name: str) -> None:
    origin = xlsx(tmp_path / "a.xlsx", Sheet("S", grid(3, 3)), Sheet("H", [["x"]], hidden=True))
    ran = convert(make_office.converted(tmp_path / f"b.{extension}", origin, filter_name))
    assert words(ran) == [[cell for row in grid(3, 3) for cell in row]]
    assert ran.noted("sheets_hidden") == {"count": 1, "detail": "H"}


@pytest.mark.parametrize(("extension", "kind"), [("xlsx", XLSX), ("xls", XLS)])
def test_passwords(tmp_path: Path, extension: str, kind: object) -> None:
    noise = random.Random(1)
    origin = xlsx(tmp_path / "a.xlsx", Sheet("S", [["机密"]] + [[str(noise.random()) for _ in range(9)]] * 100))
    path = tmp_path / f"b.{extension}"
    if kind is XLSX:
        make_office.encrypted(path, origin, "pw")
    else:
        make_office.locked(path, origin, "MS Excel 97", "pw")
    missing, wrong = convert(path).problem, convert(path, "nein").problem
    assert missing and missing.reason == "password_required"
    assert wrong and wrong.reason == "password_wrong"
    assert words(convert(path, "pw"))[0][0] == "机密"


def test_pages_and_fonts_are_told(tmp_path: Path) -> None:
    path = xlsx(tmp_path / "a.xlsx", Sheet("S", [["公文"]] * 120), font="仿宋_GB2312")
    ran = convert(path, pages="2")
    assert ran.noted("pages_converted") == {"count": 1}
    assert ran.noted("fonts_substituted") == {"detail": "仿宋_GB2312 → Noto Serif CJK SC"}
    beyond = convert(path, pages="9").problem
    assert beyond and beyond.reason == "page_range_invalid" and beyond.facts["pages"] == len(words(convert(path)))


def test_a_long_sheet_tells_of_its_pages(tmp_path: Path) -> None:
    ran = convert(written(tmp_path / "a.csv", "a,b\n" + "1,2\n" * 30_000))
    assert len(look.texts_of(ran.path)) > 400
    steps = [done for done, _, _ in ran.steps]
    assert steps == sorted(steps) and any(0.5 < done < 0.95 for done in steps)
