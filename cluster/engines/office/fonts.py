"""Which font families a docx or pptx really asks for: runs and the styles in use, theme names resolved.

The fontTable part lists far more than the text uses, so it is not read.
"""

import re
from html import unescape
from xml.etree import ElementTree

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_BODY, _STYLES, _THEME = "word/document.xml", "word/styles.xml", "word/theme/theme1.xml"
#: The parts that are asked: what has text, and what dresses it.
PARTS = re.compile(r"word/(?:document|styles|theme/theme1|(?:header|footer)\d*|footnotes|endnotes)\.xml")
#: Strict OOXML says the same under other names.
_STRICT = b"http://purl.oclc.org/ooxml/"
_USUAL = b"http://schemas.openxmlformats.org/"
_WESTERN, _ASIAN = ("ascii", "hAnsi"), ("eastAsia",)
_IDEOGRAPH = re.compile("[⺀-鿿가-힯豈-﫿︰-￯\U00020000-\U0003ffff]")


#: The same for a pptx; and what tells of its effects.
SLIDE_PARTS = re.compile(r"ppt/(?:slides/slide\d+|theme/theme1)\.xml")
_FACE = re.compile(r"<a:(?:latin|ea)\b[^>]*?typeface=\"([^\"+]+)\"")


def fonts_of_slides(parts: dict[str, bytes]) -> list[str]:
    """Family names, sorted; `parts` are those of SLIDE_PARTS that the file has. Raises ElementTree.ParseError."""
    theme = _theme(_parsed(parts["ppt/theme/theme1.xml"])) if "ppt/theme/theme1.xml" in parts else {}
    slides = [data.decode("utf-8", "replace") for name, data in parts.items() if "/slides/" in name]
    return sorted({*theme.values(), *(unescape(face) for text in slides for face in _FACE.findall(text))} - {""})


def fonts_of(parts: dict[str, bytes]) -> list[str]:
    """Family names, sorted; `parts` are those of PARTS that the file has. Raises ElementTree.ParseError."""
    if _BODY not in parts:
        raise ElementTree.ParseError("no body")
    roots = {name: _parsed(data) for name, data in parts.items()}
    styles, theme = roots.pop(_STYLES, ElementTree.Element("none")), _theme(roots.pop(_THEME, None))
    text = "".join(each for root in roots.values() for each in root.itertext())
    scripts = (_ASIAN if _IDEOGRAPH.search(text) else ()) + (_WESTERN if re.search("[0-9A-Za-z]", text) else ())
    asked = [fonts for root in roots.values() for run in root.iter(W + "r") for fonts in run.iter(W + "rFonts")]
    asked += _of_styles(list(roots.values()), styles)
    return sorted({name for fonts in asked for script in scripts if (name := _name(fonts, script, theme))})


def _parsed(data: bytes) -> ElementTree.Element:
    for room in (b"wordprocessingml/", b"drawingml/"):
        data = data.replace(_STRICT + room, _USUAL + room + b"2006/")
    return ElementTree.fromstring(data)  # noqa: S314 - a DOCTYPE was refused before


def _of_styles(texts: list[ElementTree.Element], styles: ElementTree.Element) -> list[ElementTree.Element]:
    """rFonts of the styles that the texts name, of the defaults, and of what they are based on."""
    by_id = {style.get(W + "styleId"): style for style in styles.iter(W + "style")}
    tags = [W + tag for tag in ("pStyle", "rStyle", "tblStyle")]
    used = {node.get(W + "val") for text in texts for tag in tags for node in text.iter(tag)}
    used |= {key for key, style in by_id.items() if style.get(W + "default") == "1"}
    for name in list(used):
        while (style := by_id.get(name)) is not None and (base := style.find(W + "basedOn")) is not None:
            name = base.get(W + "val")
            if name in used:
                break
            used.add(name)
    chosen = [by_id[name] for name in used if name in by_id] + styles.findall(W + "docDefaults")
    return [fonts for style in chosen for fonts in style.iter(W + "rFonts")]


def _name(fonts: ElementTree.Element, script: str, theme: dict[str, str]) -> str:
    themed = fonts.get(f"{W}{script}Theme", "")
    return theme.get(themed, "") or fonts.get(W + script, "")


def _theme(root: ElementTree.Element | None) -> dict[str, str]:
    if root is None:
        return {}
    named: dict[str, str] = {}
    for size in ("major", "minor"):
        scheme = root.find(f".//{A}{size}Font")
        if scheme is None:
            continue
        for tag, tails in (("latin", ("Ascii", "HAnsi")), ("ea", ("EastAsia",))):
            node = scheme.find(A + tag)
            chinese = scheme.find(f"{A}font[@script='Hans']") if tag == "ea" else None
            face = node.get("typeface", "") if node is not None else ""
            face = face or (chinese.get("typeface", "") if chinese is not None else "")
            named |= dict.fromkeys((f"{size}{tail}" for tail in tails), face)
    return named
