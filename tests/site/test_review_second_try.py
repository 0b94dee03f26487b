"""What the rights refused goes ahead after the membership dialog."""

from playwright.sync_api import expect

from tests import make
from tests.site.account import bring
from tests.site.test_membership import buy, use_tries_up
from tests.stack import Person


def test_a_refused_start_goes_ahead_only_when_the_dialog_lifts_the_limit(desk, stack, tmp_path):
    person = Person(stack.address)
    person.sign_in(stack.log)
    use_tries_up(person, tmp_path)
    before = person.get("/api/task/task/getUserTasks")["total"]
    bring(desk, person, "/PdfRotate")
    desk.drop(make.text(tmp_path / "一.pdf", 1))
    desk.start()
    desk.see("dialog-close").click()
    expect(desk.see("failed")).to_have_attribute("data-restriction", "2")
    desk.see("lift-limit").click()
    buy(desk)
    expect(desk.see("done")).to_be_visible()
    assert person.get("/api/task/task/getUserTasks")["total"] == before + 1


def test_a_download_over_the_limit_goes_on_for_a_new_member(desk, stack, tmp_path):
    """Without motion, too, the sentence about the limit stays long enough to be read."""
    person = Person(stack.address)
    person.sign_in(stack.log)
    task = person.perform(16, make.text(tmp_path / "一.pdf", 1))
    while person.call("GET", "/api/file/download/getDownloadInfo", params={"taskId": task["taskId"]})["code"] == 200:
        pass
    desk.page.emulate_media(reduced_motion="reduce")
    bring(desk, person, "/tasks")
    desk.see("download").click()
    desk.see("dialog-close").click()
    toast = desk.page.get_by_role("alert").filter(has_text="下载次数")
    expect(toast.locator(".Toastify__progress-bar--animated")).to_have_css("animation-duration", "5s")
    desk.see("download").click()
    with desk.page.expect_download() as begun:
        buy(desk)
    assert begun.value.suggested_filename == task["outputs"][0]["name"]
