"""Packages, orders, payments, memberships, refunds, transfers.

Decisions:
- An order is one per preorder, wallet, channel and payer (where WeChat is told of one): gateways refuse a number
  that returns with other parameters.
- The first money for a preorder buys the membership, also when it comes after the order was closed; any other is
  flagged `refund_due`. Months are calendar months in China, added to what is left.
- `key` in a cashier's address opens paying and status of one preorder, so the phone that scans need not sign in.
- What was received by transfer is not passed on again. A refund follows the grant to whoever holds it, and is done
  only when the gateway says so; until then the order stays paid. A partial refund changes nothing.
- Inside WeChat the payer's openid comes by its silent authorization (`PAPERCRANE_API_WEIXIN_SECRET`); without it
  the cashier falls back to the h5 page.
- Alipay and WeChat notifications of the sandbox are written in the real formats and read by the real code.
"""
