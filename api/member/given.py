"""What the calls about membership and payment take."""

from typing import Annotated, Literal

from pydantic import Field

from api.body import Given

_Id = Annotated[str, Field(min_length=1, max_length=64)]


class PackageQuery(Given):
    package_id: Annotated[str, Field(min_length=1, max_length=40)]


class PreorderQuery(Given):
    """`key`: what lets somebody see and pay it who is not signed in."""

    preorder_id: _Id
    key: Annotated[str | None, Field(max_length=64, repr=False)] = None


class AlipayQuery(Given):
    """`key`: what lets somebody pay who is not signed in."""

    preorder_id: _Id
    channel: Literal["page", "wap", "qr"]
    key: Annotated[str | None, Field(max_length=64, repr=False)] = None


class WeixinQuery(Given):
    """`openid`: the payer in WeChat's own browser, needed for `jsapi`."""

    preorder_id: _Id
    channel: Literal["native", "h5", "jsapi"]
    openid: Annotated[str | None, Field(max_length=128, repr=False)] = None
    key: Annotated[str | None, Field(max_length=64, repr=False)] = None


class OpenidQuery(Given):
    """`code`: what WeChat gave the payer's page, good for once."""

    preorder_id: _Id
    code: Annotated[str, Field(min_length=1, max_length=128, repr=False)]
    key: Annotated[str | None, Field(max_length=64, repr=False)] = None


class PayQuery(Given):
    order_no: Annotated[str | None, Field(max_length=64)] = None
    preorder_id: Annotated[str | None, Field(max_length=64)] = None
    key: Annotated[str | None, Field(max_length=64, repr=False)] = None


class OrdersQuery(Given):
    page: Annotated[int, Field(ge=1, le=100_000)] = 1
    size: Annotated[int, Field(ge=1, le=100)] = 20


class TransferQuery(Given):
    account: Annotated[str, Field(min_length=1, max_length=300, repr=False)]
    pwd: Annotated[str, Field(min_length=1, max_length=20, repr=False)]
