"""The lock off PDFs, with a password or without one where only restrictions hold: options and work of (big) unlock."""

import shutil
from typing import Annotated

from pydantic import AfterValidator
from pydantic_core import PydanticCustomError

from cluster.fields import shown
from cluster.kinds import PDF
from cluster.opening import open_judged
from cluster.telling import tell_counts
from cluster.tool import Work, options


def _ticked(value: bool) -> bool:
    if not value:
        raise PydanticCustomError("must_be_ticked", "it must be ticked")
    return value


@options
class Options:
    owned: Annotated[
        bool,
        AfterValidator(_ticked),
        shown(
            "我是文件的所有者，或已获授权解除保护",
            "The file is mine, or its owner lets me unlock it",
            "toggle",
            hint=(
                "需要打开密码的文件请输入密码；仅有权限限制的不用密码。这里不会猜测密码",
                "A file that asks for a password needs it; one that is only restricted needs none. Nothing is guessed",
            ),
            must=True,
        ),
    ]


def unlock(work: Work[Options]) -> None:
    """Write the document without its lock; one that has none comes back as it is."""
    from cluster.engines.forms.signed import signatures
    from cluster.engines.pdf.counts import count
    from cluster.engines.pdf.lock import opens
    from cluster.engines.pdf.open import save_pdf
    from cluster.engines.pdf.rescue import pages_by_pdfium
    from cluster.engines.pdf.unlocked import wrote_unlocked

    source = work.source
    with open_judged(work, source, drawn=False) as (pdf, damaged):
        held, output = count(pdf), work.output(PDF)
        output.pages = len(pdf.pages)
        work.allow(output.pages)
        if not pdf.is_encrypted:
            work.note("told", "not_protected")
            if not damaged and pages_by_pdfium(source.path, None) == output.pages:
                shutil.copyfile(source.path, output.path)
                return
        else:
            open_to_all = not source.password or opens(source.path, "")
            work.note("changed", "restrictions_removed" if open_to_all else "password_removed")
        if signed := signatures(pdf):
            work.note("lost", "signature_broken", count=signed)
        object_for_object = pdf.is_encrypted and not damaged and wrote_unlocked(work, pdf, output.path)
        if not object_for_object or pages_by_pdfium(output.path, None) != output.pages:
            save_pdf(work, pdf, output.path)
        tell_counts(work, held, held if object_for_object else count(pdf))
