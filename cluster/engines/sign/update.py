"""What is added to a document without touching what is there: stamp annotations, a signature."""

import secrets
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from cluster.engines.sign.identity import Identity
from cluster.engines.sign.looks import Shown
from cluster.problem import InputProblem, Problem

Level = Literal["approve", "certify_none", "certify_fill", "certify_comment"]

#: Bytes that a signature with a time stamp may take.
_ROOM = 32 << 10
#: A stamp is printed, and is not moved by accident.
_FLAGS = 4 | 128


class Unreadable(Exception):
    """Not a document that pyHanko adds to."""


@dataclass(frozen=True)
class Words:
    """What a signature says beside the name; empty ones are left out."""

    reason: str = ""
    place: str = ""


@contextmanager
def updating(path: Path, password: str | None) -> Iterator[Any]:
    """pyHanko's incremental writer over the document. Raises Unreadable, also for what fails within."""
    with path.open("rb") as stream:
        try:
            writer = _writer(stream)
            if writer.prev.encrypted:
                writer.encrypt(password or "")
            yield writer
        except Problem:
            raise
        except Exception as error:  # hostile files break it in every way, early and late
            raise Unreadable from error


def _writer(stream: Any) -> Any:
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter

    writer = IncrementalPdfFileWriter(stream, strict=False)
    # What the document says of itself stays as it was, also where it is no XML that pyHanko could read.
    writer._update_meta = lambda: None
    return writer


def add_stamps(writer: Any, looks: Path, stamps: Sequence[Shown]) -> None:
    """Stamp annotations that look as their pages among the looks."""
    from pyhanko.pdf_utils.reader import PdfFileReader

    with looks.open("rb") as stream:
        reader, taken = PdfFileReader(stream), dict[int, Any]()
        for stamp in stamps:
            if stamp.look not in taken:
                taken[stamp.look] = writer.import_page_as_xobject(reader, stamp.look)
            page, _ = writer.find_page_for_modification(stamp.page)
            writer.register_annotation(page, writer.add_object(_stamp(stamp, taken[stamp.look], page)))


def _stamp(stamp: Shown, look: Any, page: Any) -> Any:
    from pyhanko.pdf_utils.generic import ArrayObject, DictionaryObject, FloatObject, NameObject, NumberObject

    return DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Annot"),
            NameObject("/Subtype"): NameObject("/Stamp"),
            NameObject("/Rect"): ArrayObject([FloatObject(f"{side:.4f}") for side in stamp.rectangle]),
            NameObject("/F"): NumberObject(_FLAGS),
            NameObject("/P"): page,
            NameObject("/AP"): DictionaryObject({NameObject("/N"): look}),
        }
    )


@dataclass(frozen=True)
class Signing:
    """A signature to be made; `block` is where it is seen, on a page of the document `looks`.

    field: the full name of an empty field that takes it; its own rules (/Lock, /SV) hold. Empty: a new one.
    """

    identity: Identity
    words: Words
    level: Level
    block: Shown | None
    looks: Path | None
    field: str = ""

    def sign(self, writer: Any, output: Path, ask: Callable[[bytes], bytes] | None) -> bool:
        """Write the document with the signature; whether it has a time stamp of `ask`.

        Raises field_demands where the field's rules ask for what is not done here.
        """
        from pyhanko.sign.general import SigningError
        from pyhanko.sign.signers import PdfSigner

        from cluster.engines.sign.clock import FarClock, timed_signer

        key = timed_signer(self.identity.signer)
        signer = PdfSigner(
            self._metadata(name := self.field or f"Signature-{secrets.token_hex(4)}"),
            key,
            timestamper=FarClock(ask) if ask else None,
            stamp_style=self._style(),
            new_field_spec=None if self.field else self._field(name),
        )
        with output.open("w+b") as stream:
            try:
                signer.sign_pdf(writer, bytes_reserved=_ROOM if ask else None, output=stream)
            except (SigningError, NotImplementedError, ValueError) as error:
                if self.field:
                    raise InputProblem("field_demands", field=self.field[:80]) from error
                raise
        return key.timed

    def _metadata(self, name: str) -> Any:
        from pyhanko.sign.fields import MDPPerm, SigSeedSubFilter
        from pyhanko.sign.signers import PdfSignatureMetadata

        levels = {"certify_none": MDPPerm.NO_CHANGES, "certify_comment": MDPPerm.ANNOTATE}
        return PdfSignatureMetadata(
            field_name=name,
            md_algorithm="sha256",
            name=self.identity.name,
            reason=self.words.reason or None,
            location=self.words.place or None,
            subfilter=SigSeedSubFilter.PADES,
            certify=self.level != "approve",
            docmdp_permissions=levels.get(self.level, MDPPerm.FILL_FORMS),
        )

    def _field(self, name: str) -> Any:
        from pyhanko.sign.fields import SigFieldSpec

        if self.block is None:
            return SigFieldSpec(name)
        return SigFieldSpec(name, on_page=self.block.page, box=self.block.rectangle)

    def _style(self) -> Any:
        from pyhanko.pdf_utils.content import ImportedPdfPage
        from pyhanko.pdf_utils.layout import AxisAlignment, Margins, SimpleBoxLayoutRule
        from pyhanko.stamp import StaticStampStyle

        if self.block is None:
            return StaticStampStyle(border_width=0)
        middle = AxisAlignment.ALIGN_MID
        return StaticStampStyle(
            border_width=0,
            background=ImportedPdfPage(str(self.looks), self.block.look),
            background_layout=SimpleBoxLayoutRule(middle, middle, Margins()),
        )
