"""One-time passwords as the embedded server writes them: into its log."""

import json
import secrets
import time
from pathlib import Path


def new_account() -> str:
    """An e-mail address nobody has used; also its masked form is its own."""
    return f"someone@{secrets.token_hex(6)}.example"


def code_for(log: Path, account: str, seconds: float = 20, before: int = 0) -> str:
    """The newest code for `account` in the server's log, once there are more than `before` of them."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        found = codes_in(log, account)
        if len(found) > before:
            return found[-1]
        time.sleep(0.02)
    raise AssertionError(f"the log has no code for {_masked(account)}")


def codes_in(log: Path, account: str) -> list[str]:
    """Every code for `account` (or another of the same masked form), oldest first."""
    lines = [line for line in log.read_text("utf-8").splitlines() if '"one_time_password"' in line]
    told = [json.loads(line) for line in lines]
    return [str(each["code"]) for each in told if each["account"] == _masked(account)]


def _masked(account: str) -> str:
    if "@" in account:
        return f"{account[0]}***@{account.partition('@')[2]}"
    return f"{account[:3]}****{account[-4:]}"
