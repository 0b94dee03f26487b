"""Excel to PDF before the start: how a table of text is read, and the sheets of a workbook, hidden ones too."""

from pathlib import Path

import openpyxl
from playwright.sync_api import expect

from tests import look
from tests.site.conftest import DESKTOP_ONLY, PHONE_ONLY, Visitor


@PHONE_ONLY
def test_a_table_of_text_is_shown_as_it_is_read(visitor: Visitor, tmp_path: Path) -> None:
    path = tmp_path / "名单.csv"
    path.write_bytes("姓名;编号;备注\r\n张三;0071;一,二\r\n李四;0082;\r\n".encode("gbk"))
    visitor.open("/Excel2Pdf")
    visitor.drop(path)
    visitor.options()
    encoding, rows = visitor.see("encoding"), visitor.see("text-rows")
    expect(encoding.locator("option:checked")).to_have_text("自动：GBK")
    expect(visitor.see("separator").locator("option:checked")).to_have_text("自动：分号")
    expect(rows.locator("tr").nth(1).locator("td")).to_have_text(["张三", "0071", "一,二"])
    encoding.select_option("big5")
    expect(rows).not_to_contain_text("姓名")
    encoding.select_option("auto")
    visitor.see("separator").select_option("comma")
    expect(rows.locator("tr").nth(1).locator("td")).to_have_text(["张三;0071;一", "二"])
    visitor.finish()
    assert "张三;0071;一" in look.text_of(visitor.save(tmp_path / "out"))


@DESKTOP_ONLY
def test_a_hidden_sheet_is_chosen(visitor: Visitor, tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for title in ("汇总", "一,二", "底稿"):
        book.create_sheet(title).append([f"在{title}里"])
    book.remove(book.worksheets[0])
    book["底稿"].sheet_state = "hidden"
    book.save(tmp_path / "账.xlsx")
    visitor.open("/Excel2Pdf")
    visitor.drop(tmp_path / "账.xlsx")
    names = visitor.see("sheet-names")
    expect(names.get_by_role("checkbox", checked=True)).to_have_count(2)
    names.get_by_text("汇总").click()
    names.get_by_text("底稿").click()
    visitor.finish()
    text = "".join(look.texts_of(visitor.save(tmp_path / "out")))
    assert "在底稿里" in text and "在一,二里" in text and "在汇总里" not in text
