import { beforeAll, describe, expect, it } from "vitest";
import { limits } from "../../src/core/limits.ts";
import { auditLog, paymentLinks, subscriptions } from "../../src/db/schema/index.ts";
import { CART, CODE, callV1, cart, keys, LINK, link, promotion, REGISTER, ROTATE, send } from "../support/api.ts";
import { invitationOf, Person } from "../support/authenticator.ts";
import { cellDeps } from "../support/cells.ts";
import { realTime } from "../support/later.ts";
import { change } from "../support/ops.ts";
import { control, SANDBOX } from "../support/stack.ts";
import { rowOf, rowsOf } from "../support/tables.ts";
import { virtualTime } from "../support/virtual-time.ts";

/** A signed-in person carries out operations from the dashboard's forms. */

const owner = new Person();
const viewer = new Person();
const operate = (person: Person, operation: string, body: object) => person.ask("POST", `operations/${operation}`, body);

/** A subscription that a customer has bought by a link of ours. */
async function startSubscription(): Promise<string> {
  const { body } = await callV1(LINK, link({ stripe_product_id: "prod_acmeTestMonthly", price: { unit_amount: 900 } }));
  const { subscription } = await control<{ subscription: string }>("/pay", { short_url: body.short_url });
  await expect.poll(() => rowOf(subscriptions, { id: subscription })).not.toBeNull();
  return subscription;
}

beforeAll(async () => {
  await owner.accept(await invitationOf("emp_acme_owner"));
  const { body } = await change("partners/acme/employees", { name: "Viewer", permissions: ["products_view"] });
  await viewer.accept(await invitationOf(body.id));
});

describe("an operation of a signed-in person", () => {
  it("does what the operation does, and a repeat with the same token makes nothing twice", async () => {
    const order = cart({ client_token: "by-form" });
    const first = await operate(owner, CART, order);
    expect([first.status, first.body]).toMatchObject([200, { success: true, duplicate: false }]);
    const again = await operate(owner, CART, order);
    expect(again.body).toEqual({ ...first.body, duplicate: true });
    expect(await rowsOf(paymentLinks, { id: first.body.payment_link_id })).toHaveLength(1);
  });

  it("is refused with its own code, its field and a real status", async () => {
    const { status, body } = await operate(owner, CART, cart({ items: [], client_token: "by-form-2" }));
    expect([status, body]).toMatchObject([400, { success: false, error_code: "INVALID_INPUT", details: { field: "items" } }]);
    const unknown = await operate(owner, CART, cart({ nothing_of_this: 1, client_token: "by-form-3" }));
    expect(unknown.status).toBe(400);
    expect((await operate(owner, "list-partner-processor-transactions", {})).status).toBe(400);
  });

  it("of the first generation says what to do in its own words, and that a key has failed for good", async () => {
    const jump = virtualTime();
    const request = promotion({ idempotency_key: "by-form-v1" });
    await control("/faults", { target: "processor", call: "promotion_codes.create", times: 1, kind: "timeout", ms: 60_000 });
    const late = await operate(owner, CODE, request);
    expect([late.status, late.body]).toMatchObject([502, { error_code: "INTEGRATION_TIMEOUT" }]);
    expect(late.body.error_message).toContain("Repeat the same request with the same idempotency_key: nothing is created twice.");
    // The processor ends what it began meanwhile.
    jump(60_000);
    expect((await operate(owner, CODE, request)).body).toMatchObject({ success: true });

    const refused = promotion({ idempotency_key: "by-form-refused" });
    await control("/faults", { target: "processor", call: "promotion_codes.create", times: 99, kind: "http_400" });
    for (let attempt = 0; attempt < limits.failedAttempts.count; attempt += 1)
      expect(await operate(owner, CODE, refused)).toMatchObject({ status: 502, body: { error_code: "INTEGRATION_UPSTREAM_ERROR" } });
    await operate(owner, CODE, refused);
    await control("/faults", undefined, "DELETE");
    const { status, body } = await operate(owner, CODE, refused);
    expect([status, body.error_code]).toEqual([409, "PREVIOUS_ATTEMPT_FAILED"]);
    expect(body.error_message).toContain("Use a new key.");
    realTime();
  });

  it("needs the permission of the operation", async () => {
    const { status, body } = await operate(viewer, CART, cart({ client_token: "by-form-4" }));
    expect([status, body]).toMatchObject([403, { error_code: "PERMISSION_DENIED" }]);
    expect(body.error_message).toContain("product_create");
  });

  it("is for people: a key calls the operation itself", async () => {
    const headers = { "X-Partner-Api-Key": keys.acme, "Content-Type": "application/json" };
    const answer = await send(`/partner/operations/${CART}`, { method: "POST", headers, body: JSON.stringify(cart()) });
    expect(answer.status).toBe(403);
  });

  it("comes from our own page alone", async () => {
    const other = await owner.ask("POST", `operations/${CART}`, cart({ client_token: "by-form-5" }), { Origin: "https://evil.example" });
    expect(other.status).toBe(403);
  });
});

describe("the signing secret of a webhook", () => {
  it("is shown on demand, and says until when the one before it signs", async () => {
    const registered = await operate(owner, REGISTER, { test_url: `${SANDBOX}/inbox/secret` });
    const secret = () => owner.ask("POST", "webhooks/test/secret");
    expect((await secret()).body).toEqual({
      webhook: "test",
      environment: "test",
      signing_secret: registered.body.registered[0].signing_secret,
      created_at: expect.any(String),
      previous_valid_until: null,
    });
    expect((await owner.get("webhooks")).body.data[0].previous_secret_until).toBeNull();
    const rotated = await operate(owner, ROTATE, { environment: "test", client_token: "by-form-6" });
    expect((await secret()).body).toMatchObject({
      signing_secret: rotated.body.signing_secret,
      previous_valid_until: rotated.body.previous_valid_until,
    });
    expect((await owner.get("webhooks")).body.data[0].previous_secret_until).toBe(rotated.body.previous_valid_until);
    expect((await owner.ask("POST", "webhooks/live/secret")).status).toBe(404);
    expect((await viewer.ask("POST", "webhooks/test/secret")).status).toBe(403);
  });
});

describe("a subscription's end, by a person", () => {
  const cancel = (person: Person, id: string, value: unknown = true) =>
    person.ask("PUT", `subscriptions/${id}/cancel-at-period-end`, { cancel_at_period_end: value });

  it("is set and taken back, and is in the audit log", async () => {
    const id = await startSubscription();
    const set = await cancel(owner, id);
    expect([set.status, set.body]).toEqual([
      200,
      { subscription_id: id, cancel_at_period_end: true, cancel_at: expect.stringMatching(/^\d{4}-.*Z$/), changed_at: expect.any(String) },
    ]);
    expect((await cancel(owner, id, false)).body).toMatchObject({ cancel_at_period_end: false, cancel_at: null });
    const audited = await rowsOf(
      auditLog,
      { action: "subscription.set_cancel", target: id },
      { columns: ["actor", "partner_id", "after"] },
    );
    expect(audited).toEqual(
      [true, false].map((value) => ({
        actor: "person emp_acme_owner",
        partner_id: "acme",
        after: JSON.stringify({ cancel_at_period_end: value }),
      })),
    );
  });

  it("needs the agreed right, or else product_create, though any key may do it", async () => {
    const refused = await cancel(viewer, "sub_any");
    expect([refused.status, refused.body.error_code]).toEqual([403, "PERMISSION_DENIED"]);
    expect(refused.body.error_message).toContain("product_create");
  });

  it("is refused as operation 4 refuses it", async () => {
    expect((await cancel(owner, "sub_unknown")).status).toBe(404);
    expect((await cancel(owner, "pi_unknown")).body).toMatchObject({ error_code: "INVALID_INPUT" });
    const wrong = await cancel(owner, "sub_unknown", "yes");
    expect([wrong.status, wrong.body.details]).toEqual([400, { field: "cancel_at_period_end" }]);
  });
});

it("a page does not act as another person, who has signed in in a second tab", async () => {
  const of = (person: string) => owner.ask("GET", "session", undefined, { "X-Expected-Person": person });
  expect((await of("emp_acme_owner")).status).toBe(200);
  const other = await of("emp_other");
  expect([other.status, other.headers.get("X-Signed-In-Person")]).toEqual([409, "emp_acme_owner"]);
});

it("the session says where programs find the API", async () => {
  expect((await owner.get("session")).body.api).toBe(cellDeps().settings.apiOrigin);
});
