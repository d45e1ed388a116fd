"""What a failed call raises."""


class PaymentsError(Exception):
    """A call that was refused, failed, or got no answer. It never contains the key.

    code: as in the list of errors; NO_ANSWER if none came, HTTP_503 and the like if the answer was not the service's.
    repeat: what a repeat needs: "now" (it was tried already), "new_token", "corrected" (first a correction), or
        "unknown" (it may have been carried out; look before you repeat it).
    status: the HTTP status; None without an answer.
    request_id: quote it to support; None without an answer.
    field: the path of the field that caused it, as sent; None if none did.
    token: the token of the request, for a repeat; None if the call takes none.
    """

    def __init__(self, message, code, repeat, status=None, request_id=None, field=None, token=None):
        super().__init__(message)
        self.code = code
        self.repeat = repeat
        self.status = status
        self.request_id = request_id
        self.field = field
        self.token = token
