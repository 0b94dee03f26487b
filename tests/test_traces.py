"""After a deletion nothing of it is found anywhere: not in the store, scratch, Redis's files or any log.

And while it lives, what Redis keeps of it is sealed; the folder of all this is closed to others.
"""

import secrets
import stat
import time
from pathlib import Path

import httpx

from deploy.audit import forms
from tests.make import text
from tests.stack import Person, Stack, s3_of, wait_for
from tests.test_logs import everything_written

ROTATE, WATERMARK, SUCCESS, FAIL = 16, 18, 3, 4


def places_of(stack: Stack, *words: str) -> list[tuple[str, Path]]:
    """Where a word is written, or is the name of a file."""
    files = [path for path in stack.data.rglob("*") if path.is_file() and not path.is_symlink()]
    found = []
    for path in {*files, *everything_written(stack)}:
        try:
            held = bytes(path) + path.read_bytes()
        except OSError:  # it went while we looked
            continue
        found += [(word, path) for word in words if any(each in held for each in forms(word))]
    return found


def redis_files(stack: Stack) -> list[Path]:
    return [path for path in (stack.data / "redis").rglob("*") if path.is_file()]


def test_words_of_a_person_are_gone_with_their_task(stack: Stack, person: Person, tmp_path: Path) -> None:
    mark = secrets.token_hex(6)
    name, words, broken = f"工资-{mark}.pdf", f"机密 {mark}", f"坏了-{mark}.pdf"
    good = text(tmp_path / "a.pdf", 2)
    bad = tmp_path / "bad.pdf"
    bad.write_bytes(b"%PDF-1.7\n" + b"x" * 99)
    mark_of = {"mark": {"kind": "text", "text": words}}
    tasks = []
    for path, called, status in ((good, name, SUCCESS), (bad, broken, FAIL)):
        files = person.upload(path, names={0: called})
        done = person.follow(person.create(WATERMARK, files, **mark_of)["data"]["taskId"])
        assert done["status"] == status
        assert done["inputs"][0]["name"] == called
        tasks.append(done["taskId"])
    person.download(person.task(tasks[0]), tmp_path / "saved")
    unread_body(stack, person, name)
    held = [path.read_bytes() for path in redis_files(stack)]
    assert any(tasks[0].encode() in each for each in held), "Redis keeps its files elsewhere"
    assert [path for _, path in places_of(stack, mark) if "redis" in path.parts] == []
    for task in tasks:
        person.get("/api/task/task/deleteTask", taskId=task)
    wait_for(lambda: not list((stack.data / "scratch").rglob("in/*")), 30)
    assert places_of(stack, name, words, broken, mark) == []


def unread_body(stack: Stack, person: Person, name: str) -> None:
    """A good answer to a request whose body nobody reads, of which Sanic tells with its path."""
    grant = person.get("/api/file/upload/getStsCredentials", files=1, bytes=100)
    s3 = s3_of(stack.address, grant)
    where = {"Bucket": grant["bucket"], "Key": f"{grant['prefix']}{name}"}
    url = s3.generate_presigned_url("delete_object", Params=where)
    assert httpx.request("DELETE", url, content=b"x" * 5000).status_code == 204
    wait_for(lambda: '"library"' in stack.log.read_text("utf-8"), 20)


def test_what_we_keep_is_closed_to_others(stack: Stack, person: Person, tmp_path: Path) -> None:
    assert person.perform(ROTATE, text(tmp_path / "a.pdf", 2), turn=1)["status"] == SUCCESS
    assert stat.S_IMODE(stack.data.stat().st_mode) == 0o700
    open_to_others = [
        path
        for path in stack.data.rglob("*")
        if path.is_file() and not path.is_symlink() and stat.S_IMODE(path.stat().st_mode) & 0o077
    ]
    assert open_to_others == []
    assert time.time() - (stack.data / "log" / "slots.log").stat().st_mtime < 600
