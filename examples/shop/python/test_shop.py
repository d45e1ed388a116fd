"""The tests of the shop, against the whole service on this machine."""

import http.client
import json
import os
import shlex
import subprocess
import threading
import time
import unittest
import urllib.request
from urllib.parse import parse_qs, urlsplit

from ppay import Client, PaymentsError
from shop import Shop, serve

# How the local service is started: another command where it is installed elsewhere.
LOCAL = shlex.split(os.environ.get("PPAY_LOCAL", "npx ppay-local"))


class ShopTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        command = [*LOCAL, "--json", "--port", "0", "--sandbox-port", "0"]
        cls.process = subprocess.Popen(command, stdout=subprocess.PIPE)
        cls.service = json.loads(cls.process.stdout.readline())
        cls.payments = Client(cls.service["url"], cls.service["key"])
        cls.secret = None
        cls.shop = Shop(cls.payments, lambda: [cls.secret], "prod_acmeTestUsd1")
        cls.server = serve(cls.shop)
        threading.Thread(target=cls.server.serve_forever, daemon=True).start()
        address = f"http://localhost:{cls.server.server_port}"
        cls.secret = cls.payments.webhooks.register(test_url=f"{address}/webhook")["registered"][0]["signing_secret"]

    @classmethod
    def tearDownClass(cls):
        cls.server.shutdown()
        cls.server.server_close()
        cls.process.terminate()
        cls.process.wait()
        cls.process.stdout.close()

    def control(self, path, body):
        request = urllib.request.Request(f"{self.service['sandbox']}/control/{path}", json.dumps(body).encode())
        with urllib.request.urlopen(request) as response:
            return json.load(response)

    def ask(self, method, path, headers=None, body=None):
        connection = http.client.HTTPConnection("localhost", self.server.server_port)
        connection.request(method, path, body, headers or {})
        response = connection.getresponse()
        answer = response.status, response.headers, response.read()
        connection.close()
        return answer

    def buy(self):
        """A customer presses the button, and pays."""
        _, headers, _ = self.ask("POST", "/orders")
        link = urlsplit(headers["Location"])
        order_id = parse_qs(link.query)["client_reference_id"][0]
        short_url = f"{link.scheme}://{link.netloc}{link.path}"
        return order_id, self.control("pay", {"short_url": short_url, "client_reference_id": order_id})

    def order(self, order_id):
        return json.loads(self.ask("GET", f"/orders/{order_id}")[2])

    def until(self, order_id, state):
        while self.order(order_id)["state"] != state:
            time.sleep(0.05)

    def test_an_order_is_paid_once_although_its_event_comes_three_times(self):
        order_id, _ = self.buy()
        self.until(order_id, "paid")
        listed = self.payments.deliveries.list(environment="test", event="Processor.payment.succeeded")
        shown = [self.payments.deliveries.show(event=one["event"]) for one in listed]
        [event] = [one["event"] for one in shown if order_id in one["request"]["body"]]
        for _ in range(2):
            self.assertTrue(self.payments.deliveries.resend(event=event)["success"])
        self.assertEqual(len(self.payments.deliveries.show(event=event)["attempt_list"]), 3)
        self.assertEqual(self.order(order_id)["paid"], 1)

    def test_a_refund_is_seen(self):
        order_id, paid = self.buy()
        self.until(order_id, "paid")
        self.control("refund", {"payment_intent": paid["payment_intent"], "amount": 500})
        self.until(order_id, "refunded")
        self.assertEqual(self.order(order_id)["refunded"], -5)

    def test_an_order_whose_answer_was_lost_has_one_link(self):
        self.control("faults", {"target": "processor", "call": "payment_links.create", "times": 1, "kind": "reset_after"})
        order_id, _ = self.buy()
        self.until(order_id, "paid")
        [sums] = self.payments.orders.list(environment="test", reference=order_id).page()["sums"]
        self.assertEqual((sums["orders"], sums["charged"]), (1, 19))

    def test_a_delivery_that_is_not_the_services_is_refused(self):
        headers = {"Service-Event-Id": "evt_1", "Service-Timestamp": str(int(time.time())), "Service-Signature": "v1," + "0" * 64}
        self.assertEqual(self.ask("POST", "/webhook", headers, b"{}")[0], 400)

    def test_a_refusal_says_what_to_correct(self):
        with self.assertRaises(PaymentsError) as refused:
            self.payments.links.create_for_cart(items=[])
        self.assertEqual((refused.exception.code, refused.exception.field), ("INVALID_INPUT", "items"))


if __name__ == "__main__":
    unittest.main()
