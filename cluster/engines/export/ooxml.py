"""What writers of Office files share: the families that fonts mean, text as XML, lengths."""

import re
from xml.sax.saxutils import escape, quoteattr

from cluster.engines.layout.model import Style

_UNHOLDABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_STYLE_WORDS = re.compile(
    r"[-,_ ]?(bold|italic|oblique|regular|medium|light|semibold|psmt|ps|mt|black|heavy|vk|identity-h)+(?![a-z])", re.I
)
_ANY = "Microsoft YaHei"
#: Letters of a name, at least.
_NAMED = 2
#: What PDFs call the fonts that people have, by the begin of the bare name.
_FAMILIES = (
    ("carlito", "Calibri"),
    ("calibri", "Calibri"),
    ("caladea", "Cambria"),
    ("cambria", "Cambria"),
    ("liberationserif", "Times New Roman"),
    ("liberationsans", "Arial"),
    ("liberationmono", "Courier New"),
    ("timesnewroman", "Times New Roman"),
    ("times", "Times New Roman"),
    ("nimbusrom", "Times New Roman"),
    ("cmr", "Times New Roman"),
    # What OCR programs call the font of words that nobody sees.
    ("glyphless", "Arial"),
    ("arial", "Arial"),
    ("helvetica", "Arial"),
    ("nimbussan", "Arial"),
    ("courier", "Courier New"),
    ("nimbusmon", "Courier New"),
    ("simsun", "SimSun"),
    ("stsong", "SimSun"),
    ("songti", "SimSun"),
    ("宋体", "SimSun"),
    ("黑体", "SimHei"),
    ("楷体", "KaiTi"),
    ("仿宋", "FangSong"),
    ("微软雅黑", "Microsoft YaHei"),
    ("simhei", "SimHei"),
    ("stheiti", "SimHei"),
    ("simkai", "KaiTi"),
    ("kaiti", "KaiTi"),
    ("fangsong", "FangSong"),
    ("microsoftyahei", "Microsoft YaHei"),
    ("notosanscjk", "Noto Sans CJK SC"),
    ("notoserifcjk", "Noto Serif CJK SC"),
    ("dejavusans", "DejaVu Sans"),
)
#: Families that people have, with Word or with their system.
KNOWN = {named for _, named in _FAMILIES} | {
    *("Microsoft YaHei", "DengXian", "Verdana", "Georgia", "Tahoma", "Trebuchet MS", "Segoe UI", "Consolas", "Aptos"),
    *(
        "Garamond",
        "Century",
        "Century Gothic",
        "Candara",
        "Corbel",
        "Constantia",
        "Franklin Gothic",
        "Palatino Linotype",
    ),
    *("Book Antiqua", "Bookman Old Style", "Comic Sans MS", "Impact", "Lucida Console", "Lucida Sans Unicode"),
    *("Symbol", "Wingdings", "Webdings", "Noto Sans", "Noto Serif"),
}
#: Fonts that Word brings along everywhere, and for which others have one of the same widths.
_EVERYBODYS = {
    *("arial", "timesnewroman", "couriernew", "calibri", "cambria"),
    *("simsun", "nsimsun", "simhei", "simkai", "kaiti", "fangsong", "microsoftyahei", "宋体", "黑体", "楷体", "仿宋"),
    "微软雅黑",
}
#: What stands for fonts that nobody has, by the kind of their letters.
_INSTEAD = {"serif": "Times New Roman", "mono": "Courier New", "": "Arial"}


def emu(points: float) -> int:
    """English metric units."""
    return max(1, round(points * 12700))


def family(name: str) -> str:
    """The family that a PDF's font name means; one for all scripts where it has none, or a number ("CIDFont+F3")."""
    bare = _STYLE_WORDS.sub("", _spelt(name.split("+")[-1]))
    key = re.sub(r"[^a-z\u4e00-\u9fff]", "", bare.lower())
    if len(key) < _NAMED:
        return _ANY
    for begin, known in _FAMILIES:
        if key.startswith(begin):
            return known
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", bare.split("-")[0])
    return holdable(spaced).strip()[:60] or "Arial"


def everybodys(name: str) -> bool:
    """Whether a PDF's font is itself, and no other cut of it, one that people have, or another as wide."""
    bare = _STYLE_WORDS.sub("", _spelt(name.split("+")[-1]))
    return re.sub(r"[^a-z\u4e00-\u9fff]", "", bare.lower()) in _EVERYBODYS


def face(style: Style) -> str:
    """The family to write where every line has its place: the font's own if people have it, else one as its kind is."""
    named = family(style.font)
    return named if named in KNOWN or not style.font else _INSTEAD[style.kind]


def _spelt(name: str) -> str:
    """The name as it was meant: Chinese ones come as bytes of UTF-8 or GBK that were taken for letters."""
    for code in ("utf-8", "gbk"):
        try:
            meant = name.encode("latin-1").decode(code)
        except UnicodeError:
            continue
        return meant if name.isascii() or any("\u4e00" <= letter <= "\u9fff" for letter in meant) else name
    return name


def holdable(text: str) -> str:
    """The text without what XML cannot hold."""
    return _UNHOLDABLE.sub("", text)


def clean(text: str) -> str:
    """The text without what XML cannot hold, escaped."""
    return escape(holdable(text))


def attribute(text: str) -> str:
    """Escaped and quoted."""
    return quoteattr(holdable(text))
