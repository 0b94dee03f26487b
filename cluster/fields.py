"""The vocabulary of options: what a field may hold and how the site shows it.

Each type carries bounds for pydantic and a `ui` object for the form (see `shown`). Tools
write `name: Pages = ""` or `dpi: Annotated[int, Field(ge=72, le=600), shown("分辨率", "Resolution", "number")]`.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, Field
from pydantic.fields import FieldInfo

from cluster.passwords import LONGEST, prepared

Words = tuple[str, str]
"""(Chinese, English)."""


def shown(
    zh: str,
    en: str,
    widget: str,
    *,
    hint: Words | None = None,
    choices: Mapping[str, Words] | None = None,
    unit: str | None = None,
    when: Mapping[str, Sequence[Any]] | None = None,
    advanced: bool = False,
    details: Mapping[str, Words] | None = None,
    **more: Any,
) -> FieldInfo:
    """A field's place in the form.

    `choices` names each value; `when` shows the field only while the other field (a sibling)
    has one of the values; `advanced` folds it away, as it does `details`: what few want to know of a value.
    """
    ui: dict[str, Any] = {"widget": widget, "title": _words((zh, en)), **more}
    if hint:
        ui["hint"] = _words(hint)
    if choices:
        ui["choices"] = {value: _words(words) for value, words in choices.items()}
    if details:
        ui["details"] = {value: _words(words) for value, words in details.items()}
    if unit:
        ui["unit"] = unit
    if when:
        ui["when"] = {name: list(values) for name, values in when.items()}
    if advanced:
        ui["advanced"] = True
    info: FieldInfo = Field(json_schema_extra={"ui": ui})
    return info


def _words(words: Words) -> dict[str, str]:
    return {"zh": words[0], "en": words[1]}


Pages = Annotated[
    str,
    Field(max_length=1000),
    shown("页码范围", "Pages", "pages", hint=("例如 1-3,5,8-；留空为全部", "e.g. 1-3,5,8-; empty means all")),
]
"""Pages by the grammar of cluster.pages; empty means all of them."""

PageList = Annotated[
    str,
    Field(max_length=1000, pattern=r"\S"),
    shown("页码", "Pages", "pages", hint=("例如 1-3,odd,last", "e.g. 1-3,odd,last")),
]
"""The pages that something is done to, in their order, by the grammar of cluster.pages; unlike `Pages` never all by
saying nothing."""

Toggle = bool
Colour = Annotated[str, Field(pattern=r"^#[0-9a-fA-F]{6}$"), shown("颜色", "Colour", "colour")]
Upload = Annotated[
    str,
    Field(max_length=500, json_schema_extra={"upload": True}),
]
"""A storage key of the caller's: the API checks it, the worker stages it into `work.extras`."""


def picture(zh: str, en: str, hint: Words) -> FieldInfo:
    """An Upload of a picture that is put on pages or on pictures."""
    accept = [".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".bmp", ".gif"]
    return shown(zh, en, "file", hint=hint, accept=accept)


MarkPicture = Annotated[
    Upload,
    Field(min_length=1),
    picture("水印图片", "Picture", ("PNG 的透明部分会保留", "Transparent parts of a PNG stay so")),
]
"""The uploaded picture of a watermark."""

Password = Annotated[str, Field(max_length=LONGEST), AfterValidator(prepared)]
"""A document's new password, prepared as the standard says; show it with the widget `password`, which also seals it
while the task waits, and `strength=True` for a meter of how hard it is to guess."""

PERMISSIONS: Mapping[str, Words] = {
    "print": ("打印", "Print"),
    "print_fine": ("高质量打印", "Print in high quality"),
    "copy": ("复制内容", "Copy text and pictures"),
    "edit": ("修改内容", "Change the content"),
    "annotate": ("批注", "Comment"),
    "fill": ("填写表单", "Fill in forms"),
    "assemble": ("插入、删除和旋转页面", "Insert, delete and turn pages"),
}
Permission = Literal["print", "print_fine", "copy", "edit", "annotate", "fill", "assemble"]
EVERYTHING: tuple[Permission, ...] = get_args(Permission)
Permissions = Annotated[tuple[Permission, ...], Field(max_length=len(EVERYTHING))]
"""What the owner of a document allows; show it with the widget `checks` and the choices PERMISSIONS."""

Font = Annotated[
    Literal["sans", "serif", "mono"],
    shown(
        "字体",
        "Font",
        "select",
        choices={"sans": ("黑体", "Sans serif"), "serif": ("宋体", "Serif"), "mono": ("等宽", "Monospaced")},
    ),
]
"""A family of cluster.engines.fonts; letters that it lacks come from the other two."""

Bold = Annotated[Toggle, shown("加粗", "Bold", "toggle")]

Size = Annotated[float, Field(ge=4, le=400), shown("字号", "Size", "number", unit="pt")]
"""The height of letters in points, 4 to 400."""

PLACES: Mapping[str, Words] = {
    "top-left": ("左上", "Top left"),
    "top": ("上中", "Top"),
    "top-right": ("右上", "Top right"),
    "left": ("左中", "Left"),
    "centre": ("居中", "Centre"),
    "right": ("右中", "Right"),
    "bottom-left": ("左下", "Bottom left"),
    "bottom": ("下中", "Bottom"),
    "bottom-right": ("右下", "Bottom right"),
}
Place = Annotated[
    Literal["top-left", "top", "top-right", "left", "centre", "right", "bottom-left", "bottom", "bottom-right"],
    shown("位置", "Place", "position", choices=PLACES),
]
"""One of nine places on the visible page, as it is read; cluster.engines.marks.place says where that is."""

Margin = Annotated[float, Field(ge=0, le=2000), shown("边距", "Margin", "number", unit="pt")]
"""Points, 0 to 2000, between the edge of the visible page and what is put near it."""

Gap = Annotated[float, Field(ge=0, le=2000)]
"""Points, 0 to 2000, between things in a row; show it with the widget `number`."""

Opacity = Annotated[int, Field(ge=1, le=100), shown("不透明度", "Opacity", "slider", unit="%")]
"""Percent, 1 (hardly there) to 100 (hides what is below)."""

Angle = Annotated[float, Field(ge=-180, le=180), shown("旋转角度", "Angle", "slider", unit="°")]
"""Degrees, -180 to 180, counter-clockwise on the page as it is read."""


DateFormatOf = Annotated[
    Literal["iso", "dots", "zh", "chinese", "en"],
    shown(
        "日期格式",
        "Date format",
        "select",
        choices={
            "iso": ("2026-01-31", "2026-01-31"),
            "dots": ("2026.01.31", "2026.01.31"),
            "zh": ("2026年1月31日", "Year, month, day in Chinese"),
            "chinese": ("二〇二六年一月三十一日", "Chinese numerals"),
            "en": ("31 Jan 2026", "31 Jan 2026"),
        },
    ),
]
"""How a day is written; cluster.engines.marks.stamp writes it."""

Day = Annotated[
    str,
    Field(pattern=r"^(\d{4}-\d{2}-\d{2})?$"),
    shown("日期", "Date", "date", hint=("留空为今天", "Empty means today")),
]
"""A day as 2026-01-31, or empty for today."""
PAPER_NAMES: Mapping[str, Words] = {
    "a4": ("A4", "A4"),
    "a3": ("A3", "A3"),
    "a5": ("A5", "A5"),
    "letter": ("Letter", "Letter"),
}
"""Sizes of paper (cluster.paper), as choices."""

ORIENTATIONS: Mapping[str, Words] = {
    "auto": ("自动", "Automatic"),
    "portrait": ("纵向", "Portrait"),
    "landscape": ("横向", "Landscape"),
}
ORDERS: Mapping[str, Words] = {"given": ("按列表顺序", "As listed"), "name": ("按文件名", "By name")}
"""How files follow each other."""
Order = Annotated[Literal["given", "name"], shown("顺序", "Order", "choice", choices=ORDERS, editor=True)]


def quality_of(*formats: str) -> FieldInfo:
    """The quality of pictures, shown while the field `format` has one of these values."""
    return shown("图片质量", "Quality", "slider", when={"format": formats})


def upload_fields(schema: Mapping[str, Any]) -> frozenset[str]:
    """Names of the fields that the JSON `schema` marks as an Upload, at any depth."""
    definitions = schema.get("$defs", {})
    fields = (field for each in (schema, *definitions.values()) for field in each.get("properties", {}).items())
    return frozenset(name for name, field in fields if _marks_upload(field))


def uploads_in(marked: frozenset[str], options: Any) -> list[str]:
    """Storage keys in `options` under the `marked` names, at any depth."""
    return sorted(set(_named(options, marked))) if marked else []


def _marks_upload(field: Mapping[str, Any]) -> bool:
    """Whether a field holds a key, or a list of them."""
    items = field.get("items")
    listed = isinstance(items, Mapping) and _marks_upload(items)
    return bool(field.get("upload")) or listed or any(_marks_upload(each) for each in field.get("anyOf", ()))


def _named(options: Any, marked: frozenset[str]) -> list[str]:
    if isinstance(options, Mapping):
        own = [key for name, value in options.items() if name in marked for key in _keys(value)]
        return own + [key for value in options.values() for key in _named(value, marked)]
    if isinstance(options, list | tuple):
        return [key for value in options for key in _named(value, marked)]
    return []


def _keys(value: Any) -> list[str]:
    listed = value if isinstance(value, list | tuple) else [value]
    return [each for each in listed if isinstance(each, str) and each]
