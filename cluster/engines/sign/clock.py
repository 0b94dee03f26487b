"""Time stamps (RFC 3161) by way of who runs the part: the sandbox itself has no network."""

from collections.abc import Callable
from typing import Any

from pyhanko.sign.signers import SimpleSigner
from pyhanko.sign.timestamps import TimeStamper
from pyhanko.sign.timestamps.common_utils import TimestampRequestError


class NoTimeStamp(Exception):
    """The server gave none, or one for something else."""


class FarClock(TimeStamper):  # type: ignore[misc]
    """Asks `ask` with a SHA-256 digest for the server's answer, as bytes; nothing where there is none."""

    def __init__(self, ask: Callable[[bytes], bytes]) -> None:
        super().__init__(include_nonce=False)
        self.ask = ask

    async def async_request_tsa_response(self, req: Any) -> Any:
        from asn1crypto import tsp

        wanted = req["message_imprint"]["hashed_message"].native
        try:
            response = tsp.TimeStampResp.load(self.ask(wanted), strict=True)
            stamped = response["time_stamp_token"]["content"]["encap_content_info"]["content"].parsed
            fits = stamped["message_imprint"]["hashed_message"].native == wanted
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise NoTimeStamp from error
        if not fits:
            raise NoTimeStamp
        return response


class TimedSigner(SimpleSigner):  # type: ignore[misc]
    """Signs without a time stamp where there is none; `timed` tells whether there was."""

    timed = False

    async def unsigned_attrs(self, *given: Any, timestamper: Any = None, **more: Any) -> Any:
        try:
            found = await super().unsigned_attrs(*given, timestamper=timestamper, **more)
        except (NoTimeStamp, TimestampRequestError):
            return await super().unsigned_attrs(*given, timestamper=None, **more)
        self.timed = timestamper is not None
        return found


def timed_signer(plain: SimpleSigner) -> TimedSigner:
    """The same key and certificates."""
    return TimedSigner(
        signing_cert=plain.signing_cert, signing_key=plain.signing_key, cert_registry=plain.cert_registry
    )
