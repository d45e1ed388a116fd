"""Verifies the events that are sent to a webhook."""

import hashlib
import hmac
import json
import time

OLDEST = 300
EARLIEST = 60


class SignatureError(Exception):
    """A delivery that is not ours, or too old: do not process it, and answer 400."""


def verify_event(raw_body, headers, secrets, now=None):
    """The event of a delivery whose signature is right, as a dict.

    raw_body: the bytes that were received, before any parser changed them.
    headers: any mapping of names to values.
    secrets: a secret, or all that you hold for the environment: two while a secret is being replaced.
    now: Unix seconds; the time of this machine unless given.

    A delivery may come more than once: process each event's "id" once. Raises SignatureError, and ValueError for an empty
    secret.
    """
    given = {name.lower(): value for name, value in dict(headers).items()}
    try:
        event_id = given["service-event-id"]
        timestamp = given["service-timestamp"]
        signatures = given["service-signature"].split(" ")
        age = (time.time() if now is None else now) - float(timestamp)
    except (KeyError, ValueError):
        raise SignatureError("A header of the signature is missing.") from None
    if not -EARLIEST <= age <= OLDEST:
        raise SignatureError("The delivery is too old, or from the future.")
    message = f"{event_id}.{timestamp}.".encode() + raw_body
    known = [secrets] if isinstance(secrets, str) else list(secrets)
    if not known or not all(known):
        raise ValueError("The signing secret is empty: anybody could sign an event.")
    for secret in known:
        right = "v1," + hmac.new(secret.encode(), message, hashlib.sha256).hexdigest()
        for signature in signatures:
            if hmac.compare_digest(signature.encode(), right.encode()):
                return json.loads(raw_body)
    raise SignatureError("No signature of the delivery is right.")
