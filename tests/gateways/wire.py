"""What both simulated gateways share: a small HTTP server, RSA keys, and the ways in which a gateway can misbehave."""

import threading
import time
from base64 import b64decode, b64encode
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Protocol

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa


@dataclass
class Said:
    """One answer of a gateway."""

    status: int
    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass
class Keys:
    """A key pair."""

    private: rsa.RSAPrivateKey = field(default_factory=lambda: rsa.generate_private_key(65537, 2048))

    def sign(self, text: bytes) -> str:
        return b64encode(self.private.sign(text, padding.PKCS1v15(), hashes.SHA256())).decode()

    def signed(self, text: bytes, signature: str) -> bool:
        try:
            self.private.public_key().verify(b64decode(signature), text, padding.PKCS1v15(), hashes.SHA256())
        except (InvalidSignature, ValueError):
            return False
        return True

    def private_file(self, path: Path) -> str:
        pem = self.private.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        path.write_bytes(pem)
        return str(path)

    def public_file(self, path: Path) -> str:
        """As Alipay's key tool gives it: base64 in one line, without PEM's frame."""
        key = self.private.public_key()
        der = key.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        path.write_bytes(b64encode(der))
        return str(path)


class Gateway(Protocol):
    """What the HTTP server serves."""

    mood: str

    def answer(self, method: str, path: str, headers: Mapping[str, str], body: bytes) -> Said: ...


@contextmanager
def listening(gateway: Gateway) -> Iterator[str]:
    """Serve `gateway`; its address. Moods: fine, down (cuts the line), slow (answers too late), broken (HTTP 500)."""
    released = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def _serve(self) -> None:
            body = self.rfile.read(int(self.headers.get("content-length") or 0))
            if gateway.mood == "down":
                self.close_connection = True
                return
            if gateway.mood == "slow":
                released.wait(60)
            said = Said(500, b"oops")
            if gateway.mood != "broken":
                said = gateway.answer(self.command, self.path, dict(self.headers.items()), body)
            self.send_response(said.status)
            for name, value in said.headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(said.body)))
            self.end_headers()
            self.wfile.write(said.body)

        do_GET = do_POST = _serve

        def log_message(self, format: str, *args: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    server.handle_error = lambda *_: None  # type: ignore[method-assign]
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        released.set()
        server.shutdown()
        server.server_close()
        thread.join(5)


def china(form: str, at: float | None = None) -> str:
    """A moment (seconds, now by default) on China's clocks."""
    return time.strftime(form, time.gmtime((time.time() if at is None else at) + 8 * 3600))
