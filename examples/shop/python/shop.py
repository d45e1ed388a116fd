"""A shop that sells one product. Start it with PAYMENTS_URL, PAYMENTS_KEY, SIGNING_SECRET and PRODUCT."""

import json
import os
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ppay import Client, SignatureError, verify_event

PAGE = """<!doctype html><title>Shop</title><h1>A book for $19</h1>
<form method="post" action="/orders"><button>Buy</button></form>"""


class Shop:
    """payments: a client of the service. secrets: says the signing secrets of its webhook. clock: says the time in seconds."""

    def __init__(self, payments, secrets, product, clock=time.time):
        self.payments = payments
        self.secrets = secrets
        self.product = product
        self.clock = clock
        self.orders = {}
        self.seen = set()
        self.lock = threading.Lock()

    def buy(self):
        """The customer wants to buy: the order is stored first, and its number makes a repeat safe."""
        order_id = f"order-{uuid.uuid4()}"
        self.orders[order_id] = {"id": order_id, "state": "new", "paid": 0, "refunded": 0}
        link = self.payments.links.create_for_cart(
            items=[{"stripe_product_id": self.product, "unit_amount": 1900, "quantity": 1}],
            client_token=order_id,
        )
        return f"{link['short_url']}?client_reference_id={order_id}"

    def apply(self, event):
        """What an event changes. An event that was processed before changes nothing."""
        with self.lock:
            if event["id"] in self.seen:
                return
            self.seen.add(event["id"])
            transaction = event.get("transaction", {})
            order = self.orders.get(transaction.get("client_reference_id"))
            if order is None:
                return
            if event["event"] == "Processor.payment.succeeded":
                order["state"] = "paid"
                order["paid"] += 1
            if event["event"] == "Processor.refund.succeeded":
                order["state"] = "refunded"
                order["refunded"] += transaction["amount"]


def serve(shop, port=0):
    """The shop as a server; port 0 takes a free one."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self, status, body=b"", headers=()):
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            if self.path == "/":
                return self.answer(200, PAGE.encode(), [("Content-Type", "text/html")])
            order = shop.orders.get(self.path.removeprefix("/orders/"))
            return self.answer(404 if order is None else 200, json.dumps(order).encode())

        def do_POST(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            if self.path == "/orders":
                return self.answer(303, headers=[("Location", shop.buy())])
            if self.path != "/webhook":
                return self.answer(404)
            try:
                event = verify_event(body, self.headers, shop.secrets(), now=shop.clock())
            except SignatureError:
                return self.answer(400)
            shop.apply(event)
            return self.answer(204)

        def log_message(self, *_):
            pass

    return ThreadingHTTPServer(("localhost", port), Handler)


if __name__ == "__main__":
    client = Client(os.environ["PAYMENTS_URL"], os.environ["PAYMENTS_KEY"])
    secret = os.environ["SIGNING_SECRET"]
    server = serve(Shop(client, lambda: [secret], os.environ["PRODUCT"]), int(os.environ.get("PORT", 3000)))
    print(f"The shop is at http://localhost:{server.server_port}")
    server.serve_forever()
