"""Number formats of an xlsx as Excel means them, said so that LibreOffice understands.

    path = localized(path, work.scratch("formats"))

A format below 164 that a file only numbers is one of the country that Excel runs in: of China for a file with 汉字 in
it, where LibreOffice would write dates and money as in America. Sheets lose their protection, under which no cell could
be dressed. Only the copy that LibreOffice opens is changed.
"""

import re
import zipfile
from pathlib import Path
from typing import Any

from cluster.engines.office.package import parsed, restated, written

_STYLES, _BOOK, _TEXTS = "xl/styles.xml", "xl/workbook.xml", "xl/sharedStrings.xml"
#: 汉字 of the first plane, as UTF-8 has them or as numbers.
_HAN = re.compile(rb"[\xe4-\xe9][\x80-\xbf]{2}|&#(?:1[4-9]\d{3}|[2-3]\d{4}|40[0-8]\d{2});|&#x[4-9][\da-f]{3};", re.I)
_SHEET, _GUARD = re.compile(r"xl/worksheets/[^/]+\.xml"), re.compile(rb"<(?:\w+:)?sheetProtection\b[^>]*/>")
_DAY, _MONTH_DAY, _MONTH = 'yyyy"年"m"月"d"日"', 'm"月"d"日"', 'yyyy"年"m"月"'
_TIME, _SECONDS = 'h"时"mm"分"', 'h"时"mm"分"ss"秒"'
#: LibreOffice has 上午 and 下午 only where a format names the country.
_HALF = "[$-804]AM/PM"
#: Fonts and the record of the country (86) by which an .xls is known as Chinese: its texts cannot be told from numbers.
_CHINESE_XLS = re.compile(
    b"|".join(re.escape(name.encode("utf-16-le")) for name in ("宋体", "等线", "微软雅黑", "黑体", "仿宋", "楷体"))
    + rb"|\x8c\x00\x04\x00(?:V\x00|..V\x00)",
    re.S,
)
#: ECMA-376 18.8.30 for zh-CN: numbers that only formats of East Asia have.
_EASTERN = {
    **dict.fromkeys((27, 36, 50, 52, 57), _MONTH),
    **dict.fromkeys((28, 29, 51, 53, 54, 58), _MONTH_DAY),
    30: "m-d-yy",
    31: _DAY,
    32: _TIME,
    33: _SECONDS,
    **dict.fromkeys((34, 55), _HALF + _TIME),
    **dict.fromkeys((35, 56), _HALF + _SECONDS),
}
_MONEY = {0: '"¥"#,##0;{}"¥"-#,##0', 2: '"¥"#,##0.00;{}"¥"-#,##0.00'}
_CHINESE = {
    **_EASTERN,
    5: _MONEY[0].format(""),
    6: _MONEY[0].format("[Red]"),
    7: _MONEY[2].format(""),
    8: _MONEY[2].format("[Red]"),
    14: "yyyy/m/d",
    22: "yyyy/m/d h:mm",
    42: '_ "¥"* #,##0_ ;_ "¥"* -#,##0_ ;_ "¥"* "-"_ ;_ @_ ',
    44: '_ "¥"* #,##0.00_ ;_ "¥"* -#,##0.00_ ;_ "¥"* "-"??_ ;_ @_ ',
}
#: "The country's own long date", "its time": what stands behind is America's.
_LONG_DATE, _LONG_TIME = re.compile(r"^\[\$-[Ff]800\].*"), re.compile(r"^\[\$-[Ff]400\].*")
_HALVES = re.compile(r"(?:\[\$-804\])?上午/下午")
#: Days of the week in a format that names no country.
_WEEKDAY = re.compile(r'(?!.*\[\$-)(?=(?:[^"]|"[^"]*")*?aaa)', re.I)


def localized(path: Path, folder: Path) -> Path:
    """The xlsx for LibreOffice: a copy in `folder`, or the one at `path` where nothing has to be said otherwise."""
    return restated(path, folder, _changed)


def _changed(archive: zipfile.ZipFile) -> dict[str, bytes]:
    tree, changed = parsed(archive.read(_STYLES)), _unguarded(archive)
    if _said(tree, _is_chinese(archive)):
        changed[_STYLES] = written(tree)
    return changed


def _unguarded(archive: zipfile.ZipFile) -> dict[str, bytes]:
    """Protected sheets without that: nobody writes into a PDF, and LibreOffice would dress none of their cells."""
    sheets = {name: archive.read(name) for name in archive.namelist() if _SHEET.fullmatch(name)}
    return {name: _GUARD.sub(b"", data) for name, data in sheets.items() if _GUARD.search(data)}


def country_of_xls(path: Path) -> str:
    """Where an .xls is from, as far as its formats go: zh-CN or nobody knows."""
    return "zh-CN" if _CHINESE_XLS.search(path.read_bytes()) else ""


def _is_chinese(archive: zipfile.ZipFile) -> bool:
    """Whether 汉字 are in its fonts' names, its sheets' names or its texts."""
    names = set(archive.namelist())
    return any(name in names and _HAN.search(archive.read(name)) for name in (_STYLES, _BOOK, _TEXTS))


def _said(tree: Any, chinese: bool) -> bool:
    """Say the formats in the tree of the styles; whether there was one to say."""
    room = tree.tag.rpartition("}")[0] + "}"
    listed = tree.find(f"{room}numFmts")
    own = {} if listed is None else {each.get("numFmtId"): each for each in listed}
    known = _CHINESE if chinese else _EASTERN
    used = {each.get("numFmtId", "") for each in tree.iterfind(f"{room}cellXfs/{room}xf")}
    missing = {number: code for number, code in known.items() if str(number) in used - set(own)}
    changed = [each for each in own.values() if chinese and _respoken(each)]
    if missing:
        _add(tree, listed, room, missing)
    return bool(missing or changed)


def _respoken(element: Any) -> bool:
    """A format that leaves it to the country, with China's own."""
    was = element.get("formatCode", "")
    code = _LONG_TIME.sub("h:mm:ss", _LONG_DATE.sub(_DAY, was))
    code = _HALVES.sub(lambda _: _HALF, code)
    element.set("formatCode", f"[$-804]{code}" if _WEEKDAY.match(code) else code)
    return bool(element.get("formatCode") != was)


def _add(tree: Any, listed: Any, room: str, missing: dict[int, str]) -> None:
    from lxml import etree

    if listed is None:
        listed = etree.Element(f"{room}numFmts")
        tree.insert(0, listed)
    for number, code in missing.items():
        etree.SubElement(listed, f"{room}numFmt", numFmtId=str(number), formatCode=code)
    listed.set("count", str(len(listed)))
