"""Time stamps: the part says a digest, the host asks the operator's server; without an answer the receipt says so."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from asn1crypto import tsp, x509
from asn1crypto.keys import PrivateKeyInfo
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from pyhanko.pdf_utils.reader import PdfFileReader
from pyhanko.sign.timestamps.dummy_client import DummyTimeStamper

from cluster.settings import settings
from cluster.worker.sandbox import Limits, Sandbox
from tests import make
from tests.make_certificates import PASSWORD, certificate, key, p12
from tests.running import tool

KEY = "u/me.p12"


@contextmanager
def server(status: int = 200) -> Iterator[str]:
    """A time-stamp server; its address."""
    own = x509.Certificate.load(certificate("Clock").public_bytes(Encoding.DER))
    secret = PrivateKeyInfo.load(key().private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()))
    clock = DummyTimeStamper(own, secret, include_nonce=False)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = tsp.TimeStampReq.load(self.rfile.read(int(self.headers["Content-Length"])))
            self.send_response(status)
            self.end_headers()
            self.wfile.write(clock.request_tsa_response(asked).dump())

        def log_message(self, *_: object) -> None: ...

    made = HTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=made.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{made.server_port}"
    made.shutdown()


def tokens(path: Path) -> int:
    """Signatures of the document with a time stamp that is of this very signature."""
    with path.open("rb") as stream:
        signers = [each.signer_info for each in PdfFileReader(stream).embedded_signatures]
        return sum(stamped(each) == sha256(each["signature"].native).digest() for each in signers)


def stamped(signer: Any) -> bytes:
    """The digest in its time stamp; empty without one."""
    for each in signer["unsigned_attrs"] or ():
        if each["type"].native == "signature_time_stamp_token":
            content = each["values"][0]["content"]["encap_content_info"]["content"].parsed
            return bytes(content["message_imprint"]["hashed_message"].native)
    return b""


@pytest.mark.parametrize(("status", "timed"), [(200, 1), (500, 0)])
def test_a_signature_is_timed_by_the_operators_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int, timed: int
):
    """Through the sandbox's own wall; a server that fails costs the stamp only."""
    with server(status) as address:
        monkeypatch.setenv("PAPERCRANE_TIMESTAMP_URL", address)
        settings.cache_clear()
        box = Sandbox(tmp_path / "job", "cluster.worker.inside", ("quick",))
        (box.folder / "in").mkdir(parents=True)
        source = make.text(box.folder / "in" / "0.pdf", 1)
        p12(box.folder / "in" / "extra0")
        chosen = {"how": "pkcs12", "file": KEY, "password": PASSWORD}
        given = {"file": "in/0.pdf", "name": "a.pdf", "size": source.stat().st_size, "password": None, "index": 0}
        order = {
            "mode": "run", "tool": tool("sign").id, "options": {"certificate": chosen}, "language": "zh",
            "inputs": [given], "extras": {KEY: "in/extra0"}, "share": None, "max_pages": 100,
        }  # fmt: skip
        try:
            ended = box.run(order, Limits(60, lambda _: 60), lambda _: None)
        finally:
            box.kill()
            settings.cache_clear()
    assert ended.answer is not None and "outputs" in ended.answer, ended
    whats = [note["what"] for note in ended.answer["notes"]]
    assert whats == (["signed_timed"] if timed else ["signed_with", "timestamp_missing"])
    assert tokens(box.folder / ended.answer["outputs"][0]["file"]) == timed
