"""Lock PDFs with AES-256: a password to open, permissions, and an owner password that lifts them."""

from typing import Annotated

from pydantic import AfterValidator, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from cluster.fields import EVERYTHING, PERMISSIONS, Password, Permissions, Toggle, shown
from cluster.kinds import PDF
from cluster.opening import open_judged
from cluster.telling import tell_counts
from cluster.tool import Group, Tool, Work, options


def _protects(owner: str, info: ValidationInfo) -> str:
    """Refuse what Acrobat refuses: equal passwords, of which the first would lift all restrictions, and no lock."""
    password, allowed = info.data.get("password"), info.data.get("allowed")
    if owner and owner == password:
        raise PydanticCustomError("passwords_equal", "the same as the password to open")
    if password == "" and not owner and allowed is not None and len(set(allowed)) == len(EVERYTHING):
        raise PydanticCustomError("protects_nothing", "nothing would be protected")
    return owner


@options
class Options:
    password: Annotated[
        Password,
        shown(
            "打开密码",
            "Password to open",
            "password",
            hint=(
                "打开文件时要输入。忘记后无法找回，请另行保存",
                "Asked for when the file is opened. It cannot be recovered: keep it somewhere safe",
            ),
            strength=True,
        ),
    ] = ""
    allowed: Annotated[
        Permissions,
        shown(
            "允许的操作",
            "What readers may do",
            "checks",
            choices=PERMISSIONS,
            hint=(
                "限制由阅读软件遵守，并非所有软件都会执行；真正防止查看要靠打开密码",
                "Reader programs are asked to respect this, and not all do; only the password to open keeps people out",
            ),
        ),
    ] = EVERYTHING
    owner: Annotated[
        Password,
        Field(validate_default=True),
        AfterValidator(_protects),
        shown(
            "权限密码",
            "Owner password",
            "password",
            hint=(
                "用它可以解除限制；不填则随机生成且不保留。不能与打开密码相同",
                "Lifts the restrictions; left empty, a random one is made and not kept. Not the same as the other",
            ),
            strength=True,
            advanced=True,
        ),
    ] = ""
    metadata: Annotated[
        Toggle,
        shown(
            "同时加密文档属性",
            "Encrypt the metadata, too",
            "toggle",
            hint=("关闭后，不用密码也能读到标题、作者等", "If off, title and author can be read without a password"),
            advanced=True,
        ),
    ] = True  # fmt: skip


def encrypt(work: Work[Options]) -> None:
    """Write the document under its new lock; an older one is replaced."""
    from cluster.engines.forms.signed import signatures
    from cluster.engines.pdf.counts import count
    from cluster.engines.pdf.lock import lock_of
    from cluster.engines.pdf.open import save_pdf

    chosen = work.options
    with open_judged(work, work.source, drawn=False) as (pdf, _):
        held, was_locked, signed = count(pdf), pdf.is_encrypted, signatures(pdf)
        output = work.output(PDF)
        output.pages, output.password = len(pdf.pages), "password" if chosen.password else None
        work.allow(output.pages)
        lock = lock_of(chosen.password, chosen.owner, chosen.allowed, metadata=chosen.metadata)
        save_pdf(work, pdf, output.path, lock=lock)
        _tell(work, was_locked=was_locked)
        if signed:
            work.note("lost", "signature_broken", count=signed)
        tell_counts(work, held, count(pdf))


def _tell(work: Work[Options], *, was_locked: bool) -> None:
    chosen = work.options
    if chosen.password:
        work.note("changed", "locked")
    if was_locked:
        work.note("changed", "lock_replaced")
    if refused := len(EVERYTHING) - len(set(chosen.allowed)):
        work.note("changed", "restricted", count=refused)
        if not chosen.owner:
            work.note("told", "owner_random")
    if not chosen.metadata:
        work.note("told", "metadata_plain")


TOOL = Tool(
    id=14,
    key="encrypt",
    route="/PdfEncrypt",
    group=Group.PROTECT,
    options=Options,
    run=encrypt,
    suffix=("加密", "protected"),
    icon="lock",
    example={"password": "开门 Sésame 1"},
)
