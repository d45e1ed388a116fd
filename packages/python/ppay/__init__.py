"""The client of the partner payment service, and the verification of its events."""

from .calls import VERSION as __version__
from .client import Client
from .events import SignatureError, verify_event
from .failure import PaymentsError

__all__ = ["Client", "PaymentsError", "SignatureError", "verify_event", "__version__"]
