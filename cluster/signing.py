"""What a person signs with: marks put on pages by hand, and a certificate. The options of the tool sign."""

from typing import Annotated, Literal

from pydantic import Field

from cluster.fields import Colour, DateFormatOf, Day, Pages, Password, Toggle, Upload, Words, shown
from cluster.hands import Hand
from cluster.tool import options

HANDS: dict[str, Words] = {
    "ma-shan-zheng": ("马善政毛笔", "Ma Shan Zheng"),
    "zhi-mang-xing": ("志莽行书", "Zhi Mang Xing"),
    "liu-jian-mao-cao": ("刘建毛草", "Liu Jian Mao Cao"),
    "long-cang": ("龙藏体", "Long Cang"),
    "caveat": ("Caveat", "Caveat"),
    "dancing-script": ("Dancing Script", "Dancing Script"),
}
PICTURES = [".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff", ".bmp", ".gif"]

HandOf = Annotated[Hand, shown("手写体", "Handwriting", "select", choices=HANDS)]
Role = Annotated[Literal["signature", "initials", "text"], shown("是什么", "What it is", "hidden")]
Number = Annotated[float, Field(ge=-20_000, le=20_000, allow_inf_nan=False)]
Stroke = Annotated[tuple[Number, ...], Field(min_length=3, max_length=20_000)]


@options
class Spot:
    """Where a mark was put: its centre as fractions of the visible page from its upper left corner; height in pt."""

    pages: Pages = ""
    x: Annotated[float, Field(ge=0, le=1), shown("横向", "Across", "hidden")] = 0.72
    y: Annotated[float, Field(ge=0, le=1), shown("纵向", "Down", "hidden")] = 0.85
    height: Annotated[float, Field(ge=4, le=3000), shown("高度", "Height", "hidden", unit="pt")] = 42
    angle: Annotated[float, Field(ge=-180, le=180), shown("旋转", "Turned", "hidden")] = 0


Spots = Annotated[tuple[Spot, ...], Field(max_length=200), shown("位置", "Spots", "hidden")]


@options
class Drawn:
    """Strokes as cluster.engines.marks.ink states them, in a box of `width` by `height` of their own units."""

    kind: Annotated[Literal["drawn"], shown("手写", "Drawn", "hidden")] = "drawn"
    role: Role = "signature"
    strokes: Annotated[tuple[Stroke, ...], Field(min_length=1, max_length=500), shown("笔画", "Strokes", "hidden")]
    width: Annotated[float, Field(gt=0, le=20_000), shown("宽", "Width", "hidden")]
    height: Annotated[float, Field(gt=0, le=20_000), shown("高", "Height", "hidden")]
    colour: Colour = "#14213d"
    spots: Spots = (Spot(),)


@options
class Typed:
    kind: Annotated[Literal["typed"], shown("输入", "Typed", "hidden")] = "typed"
    role: Role = "signature"
    text: Annotated[str, Field(max_length=60, pattern=r"\S"), shown("文字", "Words", "text")]
    face: HandOf = "ma-shan-zheng"
    colour: Colour = "#14213d"
    spots: Spots = (Spot(),)


@options
class Picture:
    kind: Annotated[Literal["picture"], shown("图片", "Picture", "hidden")] = "picture"
    role: Role = "signature"
    file: Annotated[Upload, Field(min_length=1), shown("签名图片", "Picture", "file", accept=PICTURES)]
    clear: Annotated[Toggle, shown("去除白底", "Remove the white paper", "toggle")] = True
    spots: Spots = (Spot(),)


@options
class Dated:
    kind: Annotated[Literal["dated"], shown("日期", "Date", "hidden")] = "dated"
    day: Day = ""
    format: DateFormatOf = "zh"
    face: HandOf = "ma-shan-zheng"
    colour: Colour = "#14213d"
    spots: Spots = (Spot(height=24),)


@options
class Block:
    """Where the certificate's block stands: page (0: the last), centre as fractions, width in points."""

    page: Annotated[int, Field(ge=0, le=20_000), shown("页", "Page", "hidden")] = 0
    x: Annotated[float, Field(ge=0, le=1), shown("横向", "Across", "hidden")] = 0.28
    y: Annotated[float, Field(ge=0, le=1), shown("纵向", "Down", "hidden")] = 0.88
    width: Annotated[float, Field(ge=40, le=2000), shown("宽度", "Width", "hidden", unit="pt")] = 180


@options
class NoCertificate:
    how: Annotated[Literal["none"], shown("不用证书", "No certificate", "hidden")] = "none"


@options
class Certificate:
    how: Annotated[Literal["pkcs12"], shown("数字证书签名", "With a certificate", "hidden")] = "pkcs12"
    file: Annotated[
        Upload,
        Field(min_length=1),
        shown(
            "证书文件",
            "Certificate file",
            "file",
            hint=("PKCS#12 文件（.p12 或 .pfx），含您的私钥", "A PKCS#12 file (.p12 or .pfx) with your private key"),
            accept=[".p12", ".pfx"],
        ),
    ]
    password: Annotated[
        Password,
        shown(
            "证书密码",
            "Its password",
            "password",
            hint=("只用于这一次签名，不会保存", "Used for this signature only, and not kept"),
        ),
    ] = ""
    reason: Annotated[
        str,
        Field(max_length=120),
        shown(
            "签名原因", "Reason", "text", hint=("可不填，例如：同意合同条款", "Optional, e.g. I approve this contract")
        ),
    ] = ""
    place: Annotated[str, Field(max_length=120), shown("签名地点", "Place", "text", hint=("可不填", "Optional"))] = ""
    visible: Annotated[Toggle, shown("在页面上显示签名框", "Show it on a page", "toggle")] = True
    level: Annotated[
        Literal["approve", "certify_none", "certify_fill", "certify_comment"],
        shown(
            "签名之后允许",
            "Allowed afterwards",
            "select",
            choices={
                "approve": ("其他人继续签名", "Others sign, too"),
                "certify_none": ("不允许任何改动", "Nothing more"),
                "certify_fill": ("填写表单和签名", "Forms and signatures"),
                "certify_comment": ("填写表单、签名和批注", "Forms, signatures and comments"),
            },
            advanced=True,
        ),
    ] = "approve"
    field: Annotated[str, Field(max_length=2000), shown("签名域", "Field", "hidden")] = ""
    """The full name of an empty signature field that is signed in its own place; empty: a new one at `block`."""
    block: Annotated[Block, shown("签名框", "Block", "hidden")] = Block()


AnyMark = Annotated[Drawn | Typed | Picture | Dated, Field(discriminator="kind")]


@options
class Options:
    marks: Annotated[
        tuple[AnyMark, ...], Field(max_length=20), shown("签名、缩写和日期", "Signatures", "hidden", editor=True)
    ] = ()
    certificate: Annotated[
        NoCertificate | Certificate,
        Field(discriminator="how"),
        shown("证书签名（可选）", "Certificate signature (optional)", "tabs"),
    ] = NoCertificate()
