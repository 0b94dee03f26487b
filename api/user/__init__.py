"""Who is asking: visitors, accounts, sign-in by one-time password and QR, rights, erasing.

Decisions:
- The tokens of a browser are renewed at sign-in; what the visitor had (tasks, uploads, used tries) goes to the
  account, files keep their keys.
- A look at a one-time password is a try, counted before it is compared. Wrong, used and expired codes get one
  answer.
- A QR sign-in answers only the browser that asked for it. The phone sees the browser, its address, and whether both
  are in one network; there is no table of places, so "place" is the address.
- `sendDynamicPwd` without `account` sends to the signed-in person, whose page knows the account only masked.
- Who never signed in on a browser is not asked about: a first visit from a search engine makes no call.
- deleteAccount closes sessions first and deletes the row last; SQLite overwrites what it deletes. Orders stay,
  unnamed.
- A code belongs to the browser that asked (`sendDynamicPwd` therefore makes an anonymous identity); other browsers
  share five tries of the newest code.
"""
