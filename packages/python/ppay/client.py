"""Sends calls, and repeats those that may be repeated safely."""

import http.client
import json
import random
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid

from .calls import KEY_HEADER, REPEATS, VERSION, Calls
from .failure import PaymentsError

LONGEST_WAIT = 60
FIRST_WAIT = 0.5
FILE_TYPES = ("text/csv", "application/x-ndjson")


class _NoRedirect(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the key to another address."""

    def redirect_request(self, *_):
        return None


class Client(Calls):
    """A client of the service for one key.

    url: the address of the service, such as https://api.example.com.
    key: your key.
    retries: how often a call is repeated that may be repeated safely.
    timeout: the time limit of one attempt in seconds; an operation takes up to 25.

    Its methods are the operations and your own calls: client.links.create_for_cart(items=[...]). Their names are those of
    the TypeScript client, and their fields those of the API description. A list is iterated over all pages:
    for order in client.orders.list(status="paid"). They raise PaymentsError.
    """

    def __init__(self, url, key, retries=3, timeout=40, sleep=time.sleep, open_url=None):
        parts = urllib.parse.urlsplit(url)
        if parts.scheme != "https" and parts.hostname not in ("localhost", "127.0.0.1", "::1"):
            raise _mistake(f"{url} is without https: your key would be known to others.")
        if not key or any(not "!" <= letter <= "~" for letter in key):
            raise _mistake("The key must be printable characters without white space.")
        self._origin = f"{parts.scheme}://{parts.netloc}"
        self._key = key
        self._retries = retries
        self._timeout = timeout
        self._sleep = sleep
        self._open = open_url or urllib.request.build_opener(_NoRedirect).open
        super().__init__(self._call)

    def _call(self, call, fields):
        if call["kind"] == "pages":
            return Pages(lambda more: self._answer(call, {**fields, **more}))
        return self._answer(call, dict(fields))

    def _answer(self, call, fields):
        token = None
        if "token" in call:
            given = fields.get(call["token"])
            token = str(uuid.uuid4()) if given is None else given
            if not isinstance(token, str) or not token:
                raise _mistake(f"{call['token']} must be a text.")
            fields[call["token"]] = token
        request = self._request(call, fields)
        # What a DELETE ended is not found by its repeat.
        is_safe = call["method"] not in ("POST", "DELETE") or token is not None or call.get("isSafe", False)
        attempt = 0
        while True:
            failure, after = None, None
            try:
                with self._open(request, timeout=self._timeout) as response:
                    return _answer_of(response, call, token)
            except PaymentsError as refused:
                failure = refused
            except urllib.error.HTTPError as refused:
                failure, after = _failure_of(refused.code, refused.headers, _parsed(_read(refused)), token)
            except (OSError, ValueError, http.client.HTTPException) as lost:
                failure = PaymentsError("No answer came from the service.", "NO_ANSWER", "now", token=token)
                failure.__cause__ = lost
            may_repeat = failure.repeat == "now" and (is_safe or failure.status == 429)
            delay = after if after is not None else FIRST_WAIT * 2**attempt * (1 + random.random())
            if not may_repeat or attempt >= self._retries or delay > LONGEST_WAIT:
                if failure.repeat == "now" and not is_safe and failure.status != 429:
                    failure.repeat = "unknown"
                raise failure
            self._sleep(delay)
            attempt += 1

    def _request(self, call, fields):
        path = call["path"]
        for name in [part[1:-1] for part in path.split("/") if part.startswith("{")]:
            value = fields.pop(name, None)
            # A dot would be another address.
            if not isinstance(value, str) or value in ("", ".", ".."):
                raise _mistake(f"{name} must be given.")
            path = path.replace("{" + name + "}", urllib.parse.quote(value, safe=""))
        in_query = set(fields) if call["method"] == "GET" else set(call.get("query", []))
        query = {name: _text_of(value) for name, value in fields.items() if name in in_query and value is not None}
        address = self._origin + path + ("?" + urllib.parse.urlencode(query) if query else "")
        headers = {"Accept": "application/json, */*", "User-Agent": f"ppay-python/{VERSION}"}
        body = {name: value for name, value in fields.items() if name not in in_query}
        if call.get("keyInBody"):
            body.update(api_key=self._key, auth_mode="api_key")
        else:
            headers[KEY_HEADER] = self._key
        data = None
        if call["method"] != "GET":
            is_form = call.get("isForm", False)
            headers["Content-Type"] = "application/x-www-form-urlencoded" if is_form else "application/json"
            data = (urllib.parse.urlencode(body) if is_form else json.dumps(body)).encode()
        return urllib.request.Request(address, data=data, headers=headers, method=call["method"])


class Pages:
    """A list: iterated, all rows of all pages; page() is its first page, with what it says besides the rows."""

    def __init__(self, ask):
        self._ask = ask

    def page(self):
        return self._ask({})

    def __iter__(self):
        more = {}
        while True:
            page = self._ask(more)
            yield from page["data"]
            if page["next"] is None:
                return
            more = {"cursor": page["next"]}


def _answer_of(response, call, token):
    content = response.read()
    # Another page than a file, such as that of a proxy, is no answer of the service.
    if call["kind"] == "file" and response.headers.get_content_type() in FILE_TYPES:
        return content
    answer = _parsed(content)
    # An answer without a code may say that something else failed: a receiver refused a test event, and the call was carried out.
    if answer is None or (answer.get("success") is False and "error_code" in answer):
        raise _failure_of(response.status, response.headers, answer, token)[0]
    return answer


def _read(refused):
    """The body of a refusal; nothing if it breaks: the status is known."""
    try:
        return refused.read()
    except (OSError, http.client.HTTPException):
        return b""


def _failure_of(status, headers, answer, token):
    said = answer or {}
    code = said.get("error_code") or f"HTTP_{status}"
    message = said.get("error_message") or said.get("error") or f"The service answered {status}."
    is_broken = status == 429 or status >= 500 or (status < 400 and answer is None)
    repeat = "now" if is_broken else REPEATS.get(code, "corrected")
    after = headers.get("Retry-After")
    field = (said.get("details") or {}).get("field")
    failure = PaymentsError(message, code, repeat, status, headers.get("X-Request-Id"), field, token)
    return failure, float(after) if after and after.isdigit() else None


def _parsed(content):
    try:
        value = json.loads(content)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _text_of(value):
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _mistake(message):
    return PaymentsError(message, "WRONG_USE", "corrected")
