"""The operator's refund with the real wallets: money back, membership gone, and nothing before the gateway says so."""

import pytest

from tests.api.conftest import ONE_SHOP
from tests.api.paying import ORDERS, PAID, REFUNDED, UNPAID, WALLETS, Buyer, buyer, rows_of
from tests.conftest import wait_until
from tests.gateways.shop import Shop


@pytest.fixture
def ann(shop: Shop) -> Buyer:
    for gateway in (shop.alipay, shop.weixin):
        gateway.mood, gateway.refuses, gateway.holds = "fine", "", False
    return buyer(shop.server)


def paid(ann: Buyer, shop: Shop, wallet: str) -> str:
    """An order that was paid and settled."""
    number = str(ann.order(wallet, channel={"alipay": "qr", "weixin": "native"}[wallet])["orderNo"])
    shop.gateway(wallet).pay(number)
    assert shop.taken(wallet, shop.gateway(wallet).post(number)) and ann.member()["active"]
    return number


def kinds(ann: Buyer, number: str) -> list[str]:
    return [kind for kind, _ in ann.events(number) if kind not in ("created", "repeated")]


@pytest.mark.parametrize("wallet", WALLETS)
def test_money_back_and_membership_gone(shop: Shop, ann: Buyer, wallet: str) -> None:
    number = paid(ann, shop, wallet)
    done = shop.refund(number)
    assert (done.returncode, done.stdout.strip()) == (0, f"Order {number}: 19.00 yuan went back by {wallet}.")
    assert ann.status(number) == REFUNDED and not ann.member()["active"]
    assert ann.browser.data(ORDERS)["items"][0]["status"] == REFUNDED
    assert kinds(ann, number) == ["paid", "refunded"]
    trades = rows_of(
        shop.server, "SELECT DISTINCT trade FROM money_event WHERE order_number = :n AND kind != 'created'", n=number
    )
    assert len(trades) == 1 and trades[0][0], "the refund's row names the payment that it gives back"
    shop.gateway(wallet).mood = "down"
    again = shop.refund(number)
    assert again.returncode == 0 and "before" in again.stdout, "the gateway is not asked again"
    assert shop.taken(wallet, shop.gateway(wallet).post(number, shop.gateway(wallet).refund_notification(number)))
    assert kinds(ann, number) == ["paid", "refunded"], "news that come twice change nothing"


@pytest.mark.parametrize("wallet", WALLETS)
def test_under_way_is_not_done(shop: Shop, ann: Buyer, wallet: str) -> None:
    number = paid(ann, shop, wallet)
    shop.gateway(wallet).holds = True
    for _ in range(2):
        asked = shop.refund(number)
        assert asked.returncode == 0 and "has not finished" in asked.stdout
    assert ann.status(number) == PAID and ann.member()["active"]
    assert kinds(ann, number) == ["paid", "refund_asked"]
    assert any(number in line and "refund_asked" in line for line in shop.refund("--due").stdout.splitlines())
    shop.gateway(wallet).give_back(number)
    wait_until(lambda: ann.status(number) == REFUNDED, what="the refund, which the watch asks for")
    assert not ann.member()["active"] and kinds(ann, number) == ["paid", "refund_asked", "refunded"]
    assert number not in shop.refund("--due").stdout


@ONE_SHOP
def test_an_answer_that_was_lost_is_made_good_by_asking_again(shop: Shop, ann: Buyer) -> None:
    """Alipay gave the money back, we never heard: the same refund again moves nothing and is done."""
    number = paid(ann, shop, "alipay")
    shop.alipay.mood = "foreign"
    assert "answer_not_signed" in shop.refund(number).stderr and ann.status(number) == PAID
    assert shop.alipay.trades[number].refunded == {number: "REFUND_SUCCESS"}
    shop.alipay.mood = "fine"
    assert shop.refund(number).returncode == 0
    assert ann.status(number) == REFUNDED and kinds(ann, number) == ["paid", "refunded"]


@ONE_SHOP
@pytest.mark.parametrize("wallet", WALLETS)
def test_a_gateway_that_refuses(shop: Shop, ann: Buyer, wallet: str) -> None:
    number, word = paid(ann, shop, wallet), {"alipay": "ACQ.SELLER_BALANCE_NOT_ENOUGH", "weixin": "NOT_ENOUGH"}[wallet]
    shop.gateway(wallet).refuses = word
    unchanged(ann, shop, number, word)


@ONE_SHOP
@pytest.mark.parametrize("wallet", WALLETS)
def test_a_gateway_in_trouble(shop: Shop, ann: Buyer, wallet: str) -> None:
    number = paid(ann, shop, wallet)
    shop.gateway(wallet).mood = "down"
    unchanged(ann, shop, number, wallet)
    shop.gateway(wallet).mood = "fine"
    assert shop.refund(number).returncode == 0 and ann.status(number) == REFUNDED


def unchanged(ann: Buyer, shop: Shop, number: str, word: str) -> None:
    """The operator reads one sentence; order, membership and ledger are as before."""
    failed = shop.refund(number)
    assert failed.returncode != 0 and "Traceback" not in failed.stderr
    assert number in failed.stderr and word in failed.stderr and "Nothing was changed" in failed.stderr
    assert ann.status(number) == PAID and ann.member()["active"] and kinds(ann, number) == ["paid"]


@ONE_SHOP
def test_a_refund_that_ends_badly_is_the_operators(shop: Shop, ann: Buyer) -> None:
    """The payer's bank card is gone: WeChat says ABNORMAL and asks the merchant to see to it."""
    number = paid(ann, shop, "weixin")
    shop.weixin.holds = True
    shop.refund(number)
    shop.weixin.give_back(number, "ABNORMAL")
    wait_until(lambda: kinds(ann, number)[-1] == "refund_failed", what="the watch")
    assert ann.status(number) == PAID and ann.member()["active"]
    assert any(number in line and "ABNORMAL" in line for line in shop.refund("--due").stdout.splitlines())
    again = shop.refund(number)
    assert again.returncode != 0 and "ABNORMAL" in again.stderr and "merchant pages" in again.stderr
    shop.weixin.give_back(number)
    assert shop.refund(number).returncode == 0 and ann.status(number) == REFUNDED
    assert kinds(ann, number) == ["paid", "refund_asked", "refund_failed", "refunded"]


@ONE_SHOP
@pytest.mark.parametrize("wallet", WALLETS)
def test_the_gateway_tells_of_a_refund(shop: Shop, ann: Buyer, wallet: str) -> None:
    """Also of one made on its own pages: of all the membership ends, of part it stays."""
    number, gateway = paid(ann, shop, wallet), shop.gateway(wallet)
    part = gateway.refund_notification(number, part="1.00" if wallet == "alipay" else 100)
    assert shop.taken(wallet, gateway.post(number, part))
    assert ann.status(number) == PAID and ann.member()["active"]
    assert shop.taken(wallet, gateway.post(number, gateway.refund_notification(number)))
    assert ann.status(number) == REFUNDED and not ann.member()["active"] and kinds(ann, number)[-1] == "refunded"


@ONE_SHOP
@pytest.mark.parametrize("wallet", WALLETS)
def test_a_forged_refund_takes_nothing(shop: Shop, ann: Buyer, wallet: str) -> None:
    number, gateway = paid(ann, shop, wallet), shop.gateway(wallet)
    body = gateway.refund_notification(number)
    forged = body.replace(b"19.00", b"19.01") if wallet == "alipay" else body
    headers = {} if wallet == "alipay" else {"headers": {**gateway.signature(body), "Wechatpay-Signature": "Zm9v"}}
    assert not shop.taken(wallet, gateway.post(number, forged, **headers))
    assert ann.status(number) == PAID and ann.member()["active"]


@ONE_SHOP
@pytest.mark.parametrize("wallet", WALLETS)
def test_what_is_not_paid_is_not_refunded(shop: Shop, ann: Buyer, wallet: str) -> None:
    number = str(ann.order(wallet, channel={"alipay": "qr", "weixin": "native"}[wallet])["orderNo"])
    shop.gateway(wallet).mood = "down"
    refused = shop.refund(number)
    assert refused.returncode != 0 and "not paid" in refused.stderr, "the gateway is not asked"
    shop.gateway(wallet).mood = "fine"
    assert ann.status(number) == UNPAID
    assert "There is no order" in shop.refund("nothing").stderr
