"""What goes wrong in a browser, and how a person gets out of it."""

import re

from playwright.sync_api import expect

from tests import look, make, make_broken, make_scan, make_scans
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
    desk.open("/PdfRotate").drop(path)
    expect(desk.see("password-prompt")).to_be_visible()
    desk.see("password").fill("wrong")
    desk.start()
    expect(desk.page.locator('[data-testid=password-prompt][data-wrong="true"]')).to_be_visible()
    desk.see("password").fill("芝麻开门")
    desk.finish()
    assert len(puts) == 1


DRAG = """() => {
  const area = document.querySelector('[data-testid=upload-area]');
  area.dispatchEvent(new DragEvent('dragenter', {bubbles: true, cancelable: true, dataTransfer: new DataTransfer()}));
  return document.querySelector('[data-state=Dragging]');
}"""
DROP = """() => {
  const carried = new DataTransfer();
  carried.items.add(new File(['x'], 'a.pdf'));
  const drop = new DragEvent('drop', {bubbles: true, cancelable: true, dataTransfer: carried});
  return !document.body.dispatchEvent(drop);
}"""


def test_dragging_over_the_area_shows(desk):
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


def test_a_long_name_does_not_widen_the_phone(visitor, tmp_path):
    name = "关于二〇二六年度第三季度采购合同的补充协议书（最终版，请勿外传）" * 2 + ".pdf"
    visitor.open("/watermark").drop(make.text(tmp_path / name, 2))
    expect(visitor.see("thumbnail")).to_be_visible()
    assert visitor.page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    assert visitor.see("start").bounding_box()["width"] < visitor.page.viewport_size["width"]
