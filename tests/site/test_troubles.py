"""What goes wrong in a browser, and how a person gets out of it."""

import re

import pytest
from playwright.sync_api import expect

from tests import look, make, make_broken, make_scan, make_scans
from tests.site.conftest import DESKTOP_ONLY, PHONE_ONLY, Visitor
from tests.site.people import person_of


def big(path, mib=24):
    """A PDF that takes several parts to upload."""
    make.text(path, 2)
    path.write_bytes(path.read_bytes() + b"\n%" + b"x" * (mib << 20))
    return path


def test_one_bad_file_in_a_batch(desk, tmp_path):
    good, bad = make_scan.scan(tmp_path / "好.pdf", 1), tmp_path / "坏.pdf"
    make_broken.truncated(bad, make.text(tmp_path / "whole.pdf", 3), 0.02)
    desk.open("/PdfCompress").drop(good, bad)
    desk.finish()
    desk.is_in("PartiallyFailed")
    expect(desk.see("file-problem").first).to_contain_text("坏.pdf")
    assert look.page_count(desk.save(tmp_path / "out")) == 1


def test_all_bad(desk, tmp_path):
    bad = make_broken.truncated(tmp_path / "坏.pdf", make.text(tmp_path / "whole.pdf", 3), 0.02)
    desk.open("/PdfCompress").drop(bad)
    desk.start()
    expect(desk.see("failed")).to_be_visible()
    desk.is_in("AllFailed")
    expect(desk.see("failed")).to_contain_text("损坏")
    expect(desk.see("edit-options")).to_have_count(0)
    desk.see("start-over").click()
    desk.is_in("Default")


def test_the_wrong_kind_is_refused_at_once(desk, tmp_path):
    path = tmp_path / "图.txt"
    path.write_text("text")
    desk.open("/PdfCompress")
    desk.see("file-input").first.set_input_files(str(path))
    expect(desk.see("refusals")).to_contain_text("图.txt")
    desk.is_in("Default")


def test_a_password_is_asked_for_again_without_a_new_upload(desk, tmp_path):
    path = make_broken.encrypted(tmp_path / "密.pdf", make.text(tmp_path / "plain.pdf", 2), user="芝麻开门")
    puts = []
    desk.page.on("request", lambda request: puts.append(request.url) if request.method == "PUT" else None)
    desk.open("/Pdf2Image").drop(path)
    expect(desk.see("password-prompt")).to_be_visible()
    desk.see("password").fill("wrong")
    expect(desk.see("start")).to_be_enabled()
    desk.see("password").press("Enter")
    expect(desk.page.locator('[data-testid=password-prompt][data-wrong="true"]')).to_be_visible()
    assert tasks_of(desk) == 0, "the browser knew that the password is wrong"
    desk.see("password").fill("芝麻开门")
    desk.finish()
    assert len(puts) == 1


@DESKTOP_ONLY
def test_another_level_of_a_protected_file(visitor, tmp_path):
    """Its password is forgotten with its task: typed here it goes along, after a reload it is asked for."""
    path = make_broken.encrypted(tmp_path / "密.pdf", make_scan.scan(tmp_path / "plain.pdf", 1), user="芝麻开门")
    puts = []
    visitor.page.on("request", lambda request: puts.append(request.url) if request.method == "PUT" else None)
    visitor.open("/PdfCompress").drop(path)
    visitor.see("password").fill("芝麻开门")
    visitor.finish()
    result = visitor.see("done")
    first = result.get_attribute("data-task") or ""
    level(visitor, "strong")
    expect(result).not_to_have_attribute("data-task", first)
    second = result.get_attribute("data-task") or ""

    visitor.page.reload()
    level(visitor, "light")
    expect(visitor.see("forgotten")).to_contain_text("密.pdf")
    expect(visitor.see("result")).to_have_count(1)
    expect(visitor.see("start-again")).to_be_disabled()
    visitor.see("password").fill("wrong")
    visitor.see("start-again").click()
    expect(visitor.page.locator('[data-testid=forgotten][data-wrong="true"]')).to_contain_text("不正确")
    visitor.see("password").fill("芝麻开门")
    visitor.see("start-again").click()
    expect(result).not_to_have_attribute("data-task", second)
    expect(visitor.see("result")).to_have_count(1)
    assert look.page_count(visitor.save(tmp_path / "out")) == 1
    assert len(puts) == 1
    # The browser tells of every refused request: the API was asked twice without the password.
    assert len(visitor.complaints) == 2
    visitor.complaints.clear()


def level(visitor, name):
    visitor.page.locator(f'[data-testid=level][data-level="{name}"]').click()


def tasks_of(desk):
    """How many tasks this visitor has at the API."""
    return person_of(desk.page, desk.address).get("/api/task/task/getUserTasks")["total"]


def test_protected_files_do_not_stop_a_batch(visitor, tmp_path):
    plain = make.text(tmp_path / "plain.pdf", 2)
    locked = [make_broken.encrypted(tmp_path / f"密{number}.pdf", plain, user="芝麻") for number in range(3)]
    visitor.open("/PdfRotate").drop(plain, *locked)
    expect(visitor.see("password-prompt")).to_have_count(3)
    expect(visitor.see("start")).to_be_disabled()
    visitor.see("skip-locked").first.click()
    expect(visitor.see("file-row")).to_have_count(3)
    expect(visitor.see("skip-all-locked")).to_contain_text("2")
    visitor.see("skip-all-locked").click()
    visitor.finish()
    expect(visitor.see("result")).to_have_count(1)


def test_one_protected_file_alone_cannot_be_skipped(desk, tmp_path):
    locked = make_broken.encrypted(tmp_path / "密.pdf", make.text(tmp_path / "plain.pdf", 2), user="芝麻")
    desk.open("/PdfRotate").drop(locked)
    expect(desk.see("board-locked")).to_be_visible()
    expect(desk.see("start-hint")).to_contain_text("密码")
    expect(desk.see("skip-locked")).to_have_count(0)
    expect(desk.see("skip-all-locked")).to_have_count(0)


def test_many_refused_files_are_one_sentence_with_a_way_on(visitor, tmp_path):
    names = [f"表格{number}.xlsx" for number in range(11)]
    for name in names:
        (tmp_path / name).write_text("x")
    visitor.open("/PdfCompress")
    visitor.see("file-input").first.set_input_files([str(tmp_path / name) for name in names])
    expect(visitor.see("refused")).to_have_count(1)
    expect(visitor.see("refused").locator("p")).to_have_count(1)
    expect(visitor.see("refused").locator("p")).to_contain_text("11 个文件")
    visitor.see("refused-names").locator("summary").click()
    expect(visitor.see("refused-names").locator("li")).to_have_text(names)
    visitor.see("choose-others").locator("input").set_input_files(str(make.text(tmp_path / "a.pdf", 1)))
    expect(visitor.see("file-row")).to_have_count(1)


@pytest.mark.parametrize("answer", ["abort", "upgrading"])
def test_an_api_that_is_away_is_not_the_visitors_network(desk, tmp_path, answer):
    away = "**/getStsCredentials*"
    desk.page.route(away, lambda route: route.abort() if answer == "abort" else route.fulfill(status=502, body="no"))
    desk.open("/PdfRotate")
    desk.see("file-input").first.set_input_files(str(make.text(tmp_path / "a.pdf", 1)))
    expect(desk.see("upload-error")).to_contain_text("服务暂时无法访问")
    expect(desk.see("upload-error")).not_to_contain_text("网络")
    desk.page.unroute(away)
    desk.see("retry-upload").click()
    expect(desk.page.locator('[data-upload="stored"]')).to_be_visible()


def test_a_device_without_network_is_told_so_and_goes_on(desk, tmp_path):
    desk.open("/PdfRotate").drop(make.text(tmp_path / "a.pdf", 1))
    expect(desk.page.locator('[data-upload="stored"]')).to_be_visible()
    expect(desk.see("start")).to_be_enabled()
    desk.page.context.set_offline(True)
    desk.see("start").click()
    expect(desk.page.locator("[data-testid=upgrade][data-offline=true]")).to_contain_text("网络已断开")
    desk.page.context.set_offline(False)
    expect(desk.see("done")).to_be_visible()


def lose(desk, chunk):
    """Let a chunk never come, on a page that was reloaded for it a moment ago."""
    desk.page.add_init_script("sessionStorage.setItem(`reload:${location.pathname}`, Date.now() + 60_000)")
    desk.page.route(re.compile(rf"/assets/{chunk}"), lambda route: route.abort())


@pytest.mark.parametrize("route", ["/PdfRotate", "/PdfCompress"])
def test_options_that_never_come_end_in_a_sentence_and_a_button(desk, tmp_path, route):
    lose(desk, "(fields|editors)\\.")
    desk.open(route)
    desk.see("file-input").first.set_input_files(str(make.text(tmp_path / "a.pdf", 1)))
    expect(desk.see("part-lost").first).to_be_visible()
    expect(desk.see("options-loading")).to_have_count(0)
    expect(desk.see("file-row")).to_have_count(1)
    desk.page.unroute_all()
    desk.see("retry-part").first.click()
    expect(desk.page.locator('[data-upload="stored"]')).to_be_visible()
    desk.finish()


@pytest.mark.parametrize("path", ["/PdfRotate", "/UserInfo", "/pay/union"])
def test_an_island_that_never_comes_gives_its_place_to_a_button(desk, path):
    lose(desk, "mount\\.")
    desk.open(path)
    expect(desk.see("lost")).to_be_visible()
    desk.page.unroute_all()
    with desk.page.expect_navigation():
        desk.see("retry-lost").click()
    expect(desk.see("lost")).to_be_hidden()


@PHONE_ONLY
def test_a_visitor_finds_the_task_again_where_it_was_begun(visitor, tmp_path):
    """The task centre is for accounts: no link sends a visitor there."""
    visitor.open("/PdfRotate").drop(make.text(tmp_path / "合同.pdf", 2))
    visitor.finish()
    expect(visitor.see("to-centre")).to_have_count(0)
    expect(visitor.see("centre-offer")).to_be_visible()
    later = Visitor(visitor.page.context.new_page(), visitor.address).open("/PdfRotate")
    expect(later.see("recent-task")).to_have_count(1)
    expect(later.see("recent-task")).to_contain_text("合同.pdf")
    later.see("recent-open").click()
    expect(later.see("done")).to_be_visible()
    assert look.page_count(later.save(tmp_path / "out")) == 2
    assert later.crashes == []


DRAG = """() => {
  const carried = new DataTransfer();
  carried.items.add(new File(['x'], 'a.pdf'));
  document.body.dispatchEvent(new DragEvent('dragenter', {bubbles: true, cancelable: true, dataTransfer: carried}));
  return document.querySelector('[data-state=Dragging]');
}"""
DROP = """() => {
  const carried = new DataTransfer();
  carried.items.add(new File(['x'], 'a.pdf'));
  const drop = new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: carried});
  return !document.body.dispatchEvent(drop);
}"""


def test_dragging_over_the_page_shows(desk):
    """The first drag wakes the island; as long as it goes on, the area shows it."""
    desk.open("/PdfCompress")
    desk.page.wait_for_function(DRAG)


def test_a_file_dropped_beside_the_area_is_not_opened(desk):
    desk.open("/About")
    desk.page.wait_for_function(DROP)


def slow(desk, kbit=16_000):
    """A slow line, so that there is time to break it."""
    session = desk.page.context.new_cdp_session(desk.page)
    session.send("Network.enable")
    return lambda offline, rate=kbit * 128: session.send(
        "Network.emulateNetworkConditions",
        {"offline": offline, "latency": 0, "downloadThroughput": -1, "uploadThroughput": rate},
    )


def test_a_network_cut_pauses_and_goes_on(desk, tmp_path):
    desk.open("/PdfRotate")
    line = slow(desk)
    line(False)
    desk.drop(big(tmp_path / "大.pdf"))
    expect(desk.see("upload-progress")).to_be_visible()
    desk.is_in("Uploading")
    line(True)
    expect(desk.page.locator('[data-upload="paused"]')).to_be_visible()
    line(False, -1)
    expect(desk.page.locator('[data-upload="stored"]')).to_be_visible()
    desk.finish()


def part(number):
    """The address of one part of an upload."""
    return re.compile(rf"partNumber={number}(&|$)")


def test_a_reload_during_an_upload_goes_on(desk, tmp_path):
    """The first part has arrived and the third hangs when the page goes."""
    sent = []
    desk.page.on("request", lambda request: sent.append(request.url) if request.method == "PUT" else None)
    desk.page.route(part(3), lambda route: None)
    desk.open("/PdfRotate")
    with desk.page.expect_response(part(1)):
        desk.drop(big(tmp_path / "大.pdf"))
    expect(desk.see("upload-progress")).to_be_visible()
    desk.page.unroute(part(3))
    desk.page.reload()
    expect(desk.page.locator('[data-upload="stored"]')).to_be_visible()
    assert len([url for url in sent if part(1).search(url)]) == 1, "the first part went twice"
    desk.finish()


def test_a_reload_during_a_task_goes_on(desk, tmp_path):
    desk.open("/Image2Text").drop(make_scans.page(["一页需要一会儿的文字"] * 20).save(tmp_path / "页.png"))
    desk.start()
    expect(desk.see("running")).to_be_visible()
    desk.page.reload()
    expect(desk.see("done")).to_be_visible()


def test_cancelling_ends_the_task(desk, tmp_path):
    desk.open("/Image2Text").drop(make_scans.page(["一页需要一会儿的文字"] * 30).save(tmp_path / "页.png"))
    desk.start()
    expect(desk.see("running")).to_be_visible()
    desk.see("cancel").click()
    expect(desk.see("start")).to_be_visible()
    assert person_of(desk.page, desk.address).get("/api/task/task/getUserTasks")["total"] == 0


def test_the_api_unreachable_shows_the_upgrade_screen_and_comes_back(desk, tmp_path):
    desk.open("/PdfRotate")
    desk.drop(make.text(tmp_path / "a.pdf", 1))
    expect(desk.page.locator('[data-upload="stored"]')).to_be_visible()
    desk.page.route("**/api/**", lambda route: route.fulfill(status=503, body="upgrading"))
    desk.start()
    expect(desk.see("upgrade")).to_be_visible()
    # The page looks for the API by itself too: the button is pressed while that is still in vain.
    with desk.page.expect_navigation():
        desk.see("retry").click()
    desk.page.unroute("**/api/**")
    expect(desk.see("done")).to_be_visible()


@PHONE_ONLY
def test_a_long_name_does_not_widen_the_phone(visitor, tmp_path):
    name = "关于二〇二六年度第三季度采购合同的补充协议书（最终版，请勿外传）" * 2 + ".pdf"
    visitor.open("/watermark").drop(make.text(tmp_path / name, 2))
    expect(visitor.see("thumbnail")).to_be_visible()
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert visitor.see("start").bounding_box()["width"] < visitor.page.viewport_size["width"]
