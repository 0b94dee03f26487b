"""The task centre: everything somebody processed, on a desktop and on a phone."""

import re
import zipfile

import pytest
from playwright.sync_api import expect

from tests import look, make, make_broken, make_scan
from tests.site.audit import chinese, violations
from tests.site.conftest import DESKTOP_ONLY, PHONE_ONLY, visiting
from tests.site.people import arrive_as, person_of, sign_in_by_dialog
from tests.stack import Person

LONG = "关于二〇二六年度第三季度采购合同的补充协议书（最终版，请勿外传）之附件三技术规格与验收标准说明.pdf"
COMPRESS, ROTATE, TO_IMAGE = 1, 16, 12
UNENDED = ("1", "2", "99")


@pytest.fixture
def account(stack):
    """Somebody signed in who has no task yet."""
    person = Person(stack.address)
    person.sign_in(stack.log)
    return person


def narrow_enough(visitor):
    return visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


@DESKTOP_ONLY
def test_what_a_visitor_processed_is_in_the_centre_after_sign_in(visitor, stack, tmp_path):
    visitor.open("/PdfCompress").drop(make_scan.scan(tmp_path / LONG, 1))
    visitor.finish()
    visitor.open("/tasks")
    expect(visitor.see("sign-in-dialog")).to_be_visible()
    expect(visitor.see("signed-out")).to_contain_text("不会丢失")
    sign_in_by_dialog(visitor, stack)

    expect(visitor.see("task")).to_have_count(1)
    expect(visitor.see("task-name")).to_have_text(LONG)
    expect(visitor.see("task-status")).to_have_text("已完成")
    expect(visitor.see("expires")).to_have_text(re.compile(r"^(12 小时|11 小时 \d+ 分)后删除$"))
    assert look.page_count(visitor.save(tmp_path / "out")) == 1
    assert narrow_enough(visitor)


def test_receipt_another_level_continue_and_delete(visitor, account, tmp_path):
    account.perform(COMPRESS, make_scan.scan(tmp_path / "扫描.pdf", 1))
    arrive_as(visitor, account)
    visitor.open("/tasks")
    expect(visitor.see("task")).to_have_count(1)
    expect(visitor.see("receipt")).to_have_count(0)
    visitor.see("open-receipt").click()
    expect(visitor.see("receipt-line").first).to_contain_text("→")

    visitor.see("open-level").click()
    visitor.page.locator('[data-testid=level][data-level="strong"]').click()
    expect(visitor.see("task")).to_have_count(2)
    expect(visitor.see("task").first).to_contain_text("新任务")
    expect(visitor.see("task-status")).to_have_text(["已完成", "已完成"])

    visitor.see("open-delete").first.click()
    expect(visitor.see("delete-keep")).to_be_focused()
    visitor.see("delete-keep").click()
    expect(visitor.see("delete-ask")).to_have_count(0)
    visitor.see("open-delete").first.click()
    visitor.see("delete-confirm").click()
    expect(visitor.see("task")).to_have_count(1)
    assert account.get("/api/task/task/getUserTasks")["total"] == 1

    uploads = []
    visitor.page.on("request", lambda request: uploads.append(request.url) if request.method == "PUT" else None)
    visitor.see("open-continue").click()
    visitor.page.locator('[data-testid=continue-tool][data-tool="rotate"]').click()
    expect(visitor.see("file-row").first).to_be_visible()
    visitor.is_at("/PdfRotate")
    visitor.finish()
    assert uploads == []


def test_another_level_of_a_protected_file_asks_for_its_password(desk, account, tmp_path):
    plain = make_scan.scan(tmp_path / "plain.pdf", 1)
    (file,) = account.upload(make_broken.encrypted(tmp_path / "密.pdf", plain, user="芝麻开门"))
    locked = [{**file, "password": "芝麻开门"}]
    account.follow(account.create(COMPRESS, locked, level="light", gray=True)["data"]["taskId"])
    arrive_as(desk, account)
    desk.open("/tasks")
    desk.see("open-level").click()
    desk.page.locator('[data-testid=level][data-level="strong"]').click()
    expect(desk.see("forgotten")).to_contain_text("密.pdf")
    expect(desk.see("start-again")).to_be_disabled()
    desk.see("password").fill("芝麻开门")
    desk.see("start-again").click()
    expect(desk.see("task")).to_have_count(2)
    expect(desk.see("task-status")).to_have_text(["已完成", "已完成"])
    newest, _ = account.get("/api/task/task/getUserTasks")["items"]
    assert (newest["options"]["level"], newest["options"]["gray"]) == ("strong", True)


@PHONE_ONLY
def test_a_running_task_shows_its_progress_and_can_be_cancelled(visitor, account, tmp_path):
    """The page is open before the second task begins; nothing is reloaded by hand but the list, by coming back."""
    path = make.text(tmp_path / "长篇.pdf", 300)
    files = account.upload(path)
    first = account.create(TO_IMAGE, files, size={"how": "dpi", "dpi": 200})["data"]["taskId"]
    arrive_as(visitor, account)
    visitor.open("/tasks")
    task = visitor.page.locator(f'[data-task="{first}"]')
    expect(task.get_by_test_id("progress-text")).to_have_text(re.compile(r"^[1-9]\d?%$"))
    early = task.get_by_test_id("progress-text").inner_text()
    expect(task.get_by_test_id("progress-text")).not_to_have_text(early)
    expect(task.get_by_test_id("stage")).not_to_be_empty()

    task.get_by_test_id("open-delete").click()
    expect(task.get_by_test_id("delete-ask")).to_contain_text("停止")
    task.get_by_test_id("delete-confirm").click()
    expect(visitor.see("empty")).to_be_visible()

    second = account.create(ROTATE, account.upload(make.text(tmp_path / "短.pdf", 1)), turn=2)["data"]["taskId"]
    visitor.page.evaluate("dispatchEvent(new Event('focus'))")
    expect(visitor.page.locator(f'[data-task="{second}"]').get_by_test_id("task-status")).to_have_text("已完成")


@DESKTOP_ONLY
def test_a_batch_one_by_one_as_zip_and_what_failed(visitor, person, stack, tmp_path):
    good = [make_scan.scan(tmp_path / name, 1) for name in ("一.pdf", "二.pdf")]
    bad = make_broken.truncated(tmp_path / "坏.pdf", make.text(tmp_path / "whole.pdf", 3), 0.02)
    person.perform(COMPRESS, good[0], bad, good[1])
    person.perform(COMPRESS, bad)
    person.sign_in(stack.log)
    arrive_as(visitor, person)
    visitor.open("/tasks")
    failed, batch = visitor.see("task").nth(0), visitor.see("task").nth(1)
    expect(failed.get_by_test_id("task-problem")).to_contain_text("坏.pdf")
    expect(failed.get_by_test_id("task-problem")).to_contain_text("损坏")
    expect(failed).to_have_attribute("data-layout", "single")

    expect(batch).to_have_attribute("data-layout", "multi")
    expect(batch.get_by_test_id("task-status")).to_have_text("部分完成")
    expect(batch.get_by_test_id("file-problem")).to_contain_text("坏.pdf")
    with visitor.page.expect_download() as begun:
        batch.get_by_test_id("download-one").nth(1).click()
    assert begun.value.suggested_filename == "二_压缩.pdf"
    with zipfile.ZipFile(visitor.save(tmp_path / "out", testid="download-all")) as archive:
        assert sorted(archive.namelist()) == ["一_压缩.pdf", "二_压缩.pdf"]

    failed.get_by_test_id("try-again").click()
    expect(visitor.see("file-row")).to_have_attribute("data-name", "坏.pdf")
    visitor.is_at("/PdfCompress")


@pytest.fixture(scope="module")
def many(stack, tmp_path_factory):
    """Somebody signed in who turned 21 documents, seven at a time, and has a damaged one."""
    person, folder = Person(stack.address), tmp_path_factory.mktemp("many")
    (file,) = person.upload(make.text(folder / "页.pdf", 1))
    for number in range(21):
        made = person.create(ROTATE, [{**file, "name": f"第{number:02}份.pdf"}], turn=2)
        if number % 7 == 6:
            person.follow(made["data"]["taskId"])
    person.perform(COMPRESS, make_broken.truncated(folder / "坏.pdf", make.text(folder / "whole.pdf", 3), 0.02))
    person.sign_in(stack.log)
    return person


def test_filters_order_and_pages(visitor, many):
    arrive_as(visitor, many)
    visitor.open("/tasks")
    expect(visitor.see("count")).to_have_text("共 22 个任务")
    expect(visitor.see("task")).to_have_count(20)
    visitor.see("next-page").click()
    expect(visitor.see("task-name")).to_have_text(["第01份.pdf", "第00份.pdf"])
    visitor.page.reload()
    expect(visitor.see("page")).to_have_text("第 2 / 2 页")

    visitor.see("order").click()
    expect(visitor.see("task-name").first).to_have_text("第00份.pdf")
    visitor.page.locator('label:has([data-filter="failed"])').click()
    expect(visitor.see("task-name")).to_have_text(["坏.pdf"])
    visitor.see("filter-tool").select_option(label="PDF 旋转")
    expect(visitor.see("no-match")).to_be_visible()
    visitor.see("clear-filter").click()
    expect(visitor.see("count")).to_have_text("共 22 个任务")
    assert narrow_enough(visitor)


@PHONE_ONLY
def test_an_empty_centre_leads_to_the_tools(visitor, account):
    arrive_as(visitor, account)
    visitor.open("/tasks")
    expect(visitor.see("empty")).to_be_visible()
    expect(visitor.see("empty-tool")).to_have_count(3)
    visitor.see("to-tools").click()
    expect(visitor.see("home-drop")).to_be_visible()


def test_signing_out_empties_the_page(desk, account, tmp_path):
    account.perform(ROTATE, make.text(tmp_path / "秘密.pdf", 1), turn=2)
    arrive_as(desk, account)
    desk.open("/tasks")
    expect(desk.see("task")).to_have_count(1)
    desk.see("account-button").click()
    desk.see("sign-out").click()
    expect(desk.see("signed-out")).to_be_visible()
    expect(desk.see("task")).to_have_count(0)


def test_the_keyboard_alone(desk, account, tmp_path):
    account.perform(ROTATE, make.text(tmp_path / "键盘.pdf", 1), turn=2)
    arrive_as(desk, account)
    desk.open("/tasks")
    desk.see("open-delete").focus()
    desk.page.keyboard.press("Enter")
    expect(desk.see("delete-keep")).to_be_focused()
    desk.page.keyboard.press("Tab")
    expect(desk.see("delete-confirm")).to_be_focused()
    desk.page.keyboard.press("Enter")
    expect(desk.see("empty")).to_be_visible()


@pytest.fixture
def english(browser, stack):
    """Somebody with a phone who asked for less motion."""
    with visiting(browser, stack, "phone", reduced_motion="reduce") as made:
        yield made


def test_english_and_axe(english, stack, person, tmp_path):
    """Every state of a card at once, in light and dark."""
    bad = make_broken.truncated(tmp_path / "bad.pdf", make.text(tmp_path / "whole.pdf", 3), 0.02)
    person.language = "en"
    person.http.headers["Accept-Language"] = "en"
    person.perform(COMPRESS, make_scan.scan(tmp_path / "scan.pdf", 1), bad)
    person.perform(COMPRESS, bad)
    english.open("/en/tasks")
    english.see("dialog-close").click()
    expect(english.see("signed-out")).to_be_visible()
    assert violations(english.page) + chinese(english.page) == []
    person.sign_in(stack.log)
    arrive_as(english, person)
    english.open("/en/tasks?status=running")
    expect(english.see("no-match")).to_be_visible()
    assert violations(english.page) + chinese(english.page) == []
    english.see("clear-filter").click()
    expect(english.see("task")).to_have_count(2)
    english.see("open-receipt").last.click()
    english.see("open-delete").first.click()
    assert violations(english.page) == []
    assert chinese(english.page) == []
    english.see("open-level").click()
    assert violations(english.page) == []
    assert person_of(english.page, stack.address).get("/api/task/task/getUserTasks")["total"] == 2
