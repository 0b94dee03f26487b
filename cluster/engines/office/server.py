"""The warm half of the office engine: LibreOffice held by unoserver's converter, one document at a time.

Run as `-m cluster.engines.office.server <home>` by the Python that has `uno` (Debian: /usr/bin/python3), with
unoserver on its path; it imports nothing else of ours but office_steps. The socket `<home>/office.sock` takes
JSON lines {"open": …}, {"do": …}, {"store": …}; the document closes with the connection. unoserver's own server
is not used: its start sleeps 7 s (this one takes 1 to 2), and it can neither forbid macros and links on load,
nor pass import options, nor settle changes before the export. It has no handler for SIGTERM: Python would run it
only when LibreOffice answers; the kernel ends both at once.
"""

import contextlib
import ctypes
import json
import os
import resource
import select
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uno
import unohelper
from com.sun.star.task import XStatusIndicator
from unoserver.converter import UnoConverter, get_doc_type

from cluster.engines.office import steps as office_steps

#: Address space of LibreOffice: a document that wants more fails alone.
MEMORY = 6 << 30
START_SECONDS = 40
_START_AGAIN = (79, 81)
_DIE_WITH_PARENT = 1
_MESSAGE = 1 << 20
#: Seconds between two words about an export.
_TOLD_EVERY = 0.5
#: What takes answers on their way to the client.
Tell = Callable[[dict[str, Any]], None]
#: A document of each kind is exported once before the first one: loads fonts, filters and the PDF writer.
_WARM_UP = (
    '<?xml version="1.0" encoding="UTF-8"?><office:document '
    'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" '
    'xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" '
    'xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" '
    'xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" office:version="1.3" '
    'office:mimetype="application/vnd.oasis.opendocument.{kind}"><office:body><office:{kind}>{body}'
    "</office:{kind}></office:body></office:document>"
)
_WARM = "<text:p>Warm 暖</text:p>"
_WARM_BODIES = {
    "text": ("writer", _WARM),
    "spreadsheet": (
        "calc",
        f"<table:table><table:table-row><table:table-cell>{_WARM}</table:table-cell></table:table-row></table:table>",
    ),
    "presentation": (
        "impress",
        f"<draw:page><draw:frame><draw:text-box>{_WARM}</draw:text-box></draw:frame></draw:page>",
    ),
}


class OfficeGone(Exception):
    """LibreOffice ended; `killed` says that somebody ended it, so that the document is not to blame."""

    def __init__(self, killed: bool) -> None:
        super().__init__("LibreOffice ended")
        self.killed = killed


class Indicator(unohelper.Base, XStatusIndicator):  # type: ignore[misc]
    """Hears from LibreOffice how many pages of an export are done, and passes it on twice a second at most."""

    def __init__(self, tell: Tell) -> None:
        self.tell, self.whole, self.next = tell, 0, time.monotonic() + _TOLD_EVERY

    def start(self, _text: str, whole: int) -> None:
        self.whole = whole

    def setValue(self, value: int) -> None:
        if time.monotonic() > self.next:
            self.next = time.monotonic() + _TOLD_EVERY
            self.tell({"progress": [value, self.whole]})

    def setText(self, _text: str) -> None: ...

    def end(self) -> None: ...

    def reset(self) -> None: ...


class Office:
    """One LibreOffice process and the converter that talks to it."""

    def __init__(self, home: Path) -> None:
        self.home = home
        self.process: subprocess.Popen[bytes] | None = None
        self.converter: Any = None
        self.fonts: frozenset[str] = frozenset()
        self.cold: list[str] = []
        self.country = ""

    def start(self) -> None:
        """(Re)start LibreOffice with a fresh profile and export one small document."""
        self.stop()
        profile = self.home / "profile"
        shutil.rmtree(profile, ignore_errors=True)
        (profile / "user").mkdir(parents=True)
        shutil.copy(Path(__file__).with_name("office_profile.xcu"), profile / "user" / "registrymodifications.xcu")
        port = _free_port()
        self._connect(_soffice(profile, port), port)
        self.cold, self.country = list(_WARM_BODIES), ""
        self.warm_up()

    def ensure(self) -> None:
        """Start again when the last document ended it."""
        if self.process is None or self.process.poll() is not None:
            self.start()

    def forget(self) -> None:
        """Start again when a document had fonts within it: LibreOffice keeps them and sets the next one in them."""
        if any((self.home / "profile" / "user" / "temp" / "embeddedfonts").rglob("*.*")):
            self.start()

    def stop(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def _connect(self, program: list[str], port: int) -> None:
        until = time.monotonic() + START_SECONDS
        while time.monotonic() < until:
            # With a new profile LibreOffice ends once with a code that asks for another start.
            if self.process is None or self.process.poll() in _START_AGAIN:
                self.process = subprocess.Popen(program, preexec_fn=_limit, stdout=subprocess.DEVNULL)
            with contextlib.suppress(uno.getClass("com.sun.star.connection.NoConnectException")):
                self.converter = UnoConverter(port=str(port))
                return
            time.sleep(0.02)
        raise TimeoutError("LibreOffice does not answer")

    def warm_up(self) -> None:
        """Export a document of the next kind that has had none."""
        kind = self.cold.pop(0)
        program, body = _WARM_BODIES[kind]
        path = self.home / "warm.xml"
        path.write_text(_WARM_UP.format(kind=kind, body=body), encoding="utf-8")
        with Document(self, str(path), {}) as document:
            document.store(str(self.home / "warm.pdf"), f"{program}_pdf_Export", {}, lambda _: None)
            document.do("stand_ins", {"names": ["warm"]})

    def service(self, name: str) -> Any:
        """A service of LibreOffice's by its name."""
        return self.converter.service.createInstanceWithContext(name, self.converter.context)

    def live_in(self, country: str) -> None:
        """Read formats that leave it to the country as in this one: zh-CN, or the empty word for America."""
        if country == self.country:
            return
        node = (office_steps.named_value("nodepath", "/org.openoffice.Setup/L10N"),)
        settings = self.service("com.sun.star.configuration.ConfigurationProvider").createInstanceWithArguments(
            "com.sun.star.configuration.ConfigurationUpdateAccess", node
        )
        settings.setPropertyValue("ooSetupSystemLocale", country)
        settings.commitChanges()
        self.country = country

    def gone(self) -> OfficeGone | None:
        """How LibreOffice ended, when it did."""
        if self.process is None:
            return OfficeGone(killed=True)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(0.2)
        code = self.process.poll()
        return None if code is None else OfficeGone(killed=code in (-signal.SIGKILL, -signal.SIGTERM))


class Document:
    """An open document; closed on exit."""

    def __init__(self, office: Office, path: str, properties: dict[str, Any]) -> None:
        loading = {"Hidden": True, "ReadOnly": True, "MacroExecutionMode": 0, "UpdateDocMode": 0} | properties
        url = uno.systemPathToFileUrl(path)
        self.office = office
        self.component = office.converter.desktop.loadComponentFromURL(url, "_blank", 0, _properties(loading))
        if self.component is None:
            raise ValueError("LibreOffice does not open it")

    def __enter__(self) -> "Document":
        return self

    def __exit__(self, *_: object) -> None:
        with contextlib.suppress(Exception):  # a document that does not close goes with its process
            self.component.close(True)

    def told(self) -> dict[str, Any]:
        """What the client wants to know of every document."""
        return {"type": get_doc_type(self.component).rpartition(".")[2], **office_steps.size(self.component)}

    def do(self, step: str, facts: dict[str, Any]) -> Any:
        return office_steps.STEPS[step](self, **facts)

    def store(self, path: str, filter_name: str, data: dict[str, Any], tell: Tell) -> None:
        """Export; `tell` hears of the pages that are done."""
        chosen = {"FilterName": filter_name, "Overwrite": True, "StatusIndicator": Indicator(tell)}
        properties = _properties(chosen)
        if data:
            packed = uno.Any("[]com.sun.star.beans.PropertyValue", _properties(data))
            properties += _properties({"FilterData": packed})
        self.component.storeToURL(uno.systemPathToFileUrl(path), properties)


def serve(home: Path) -> None:
    """Serve documents one after another; LibreOffice is started anew when one of them ended it."""
    office = Office(home)
    listener = socket.socket(socket.AF_UNIX)
    path = home / "office.sock"
    path.unlink(missing_ok=True)
    try:
        office.start()
        listener.bind(str(path))
        listener.listen()
        while True:
            # The other kinds are warmed while nobody waits: the first to come has it soonest.
            while office.cold and not select.select([listener], [], [], 0)[0]:
                with contextlib.suppress(Exception):  # what that ended is started again before the next document
                    office.warm_up()
            connection, _ = listener.accept()
            with connection:
                office.ensure()
                _serve_one(office, connection)
            office.forget()
    finally:
        office.stop()


def _serve_one(office: Office, connection: socket.socket) -> None:
    documents: list[Document] = []
    # A client that went away is no trouble: the next one is served.
    with contextlib.suppress(OSError), connection.makefile("rb") as orders, contextlib.ExitStack() as stack:
        while line := orders.readline(_MESSAGE):

            def tell(answer: dict[str, Any]) -> None:
                connection.sendall(json.dumps(answer).encode() + b"\n")

            try:
                answer = _obey(office, json.loads(line), documents, stack, tell)
            except Exception as error:
                answer = _trouble(office, error)
            tell(answer)


def _obey(
    office: Office, order: dict[str, Any], documents: list[Document], stack: contextlib.ExitStack, tell: Tell
) -> dict[str, Any]:
    if "open" in order:
        office.live_in(order.get("country", ""))
        documents.append(stack.enter_context(Document(office, order["open"], order["properties"])))
        return documents[-1].told()
    document = documents[-1]
    if "do" in order:
        return {"did": document.do(order["do"], order["facts"])}
    document.store(order["store"], order["filter"], order["data"], tell)
    return {"stored": True}


def _trouble(office: Office, error: Exception) -> dict[str, Any]:
    if gone := office.gone():
        return {"error": "killed" if gone.killed else "crashed"}
    return {"error": type(error).__name__, "detail": str(error)[:300]}


def _properties(values: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(office_steps.named_value(name, value) for name, value in values.items())


def _soffice(profile: Path, port: int) -> list[str]:
    # soffice.bin itself: the launchers around it would hide how it ended and outlive a kill.
    binary = Path(os.path.realpath(shutil.which("soffice") or "soffice")).with_name("soffice.bin")
    program = str(binary) if binary.exists() else "soffice"
    flags = ("headless", "invisible", "nocrashreport", "nodefault", "nologo", "nofirststartwizard", "norestore")
    accept = f"--accept=socket,host=127.0.0.1,port={port},tcpNoDelay=1;urp;StarOffice.ComponentContext"
    return [program, *(f"--{flag}" for flag in flags), f"-env:UserInstallation={profile.as_uri()}", accept]


def _limit() -> None:
    # Outside a pid namespace a killed server must not leave LibreOffice behind.
    ctypes.CDLL(None).prctl(_DIE_WITH_PARENT, signal.SIGKILL)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


if __name__ == "__main__":
    serve(Path(sys.argv[1]))
