import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { CART, call, cart, LIST } from "../support/api.ts";
import { HOUR, pass, realTime, SECOND } from "../support/later.ts";
import { auditOf, change, ops } from "../support/ops.ts";
import { until } from "../support/until.ts";

let count = 0;
const newId = () => {
  count += 1;
  return `partner-${count}`;
};

async function newPartner(): Promise<string> {
  const id = newId();
  expect((await change("partners", { id, name: "A new partner" })).status).toBe(201);
  return id;
}

async function newKey(partner: string, permissions: string[], more: object = {}) {
  return (await change(`partners/${partner}/keys`, { label: "shop", permissions, ...more })).body;
}

describe("a partner", () => {
  it("is added once, in a cell, with a line in the audit log", async () => {
    const id = newId();
    const made = await change("partners", { id, name: " Shop " });
    expect([made.status, made.body]).toEqual([
      201,
      { id, name: "Shop", status: "active", cell: "01", cancel_permission: null, contact: null, created_at: expect.stringMatching(/Z$/) },
    ]);
    expect(await change("partners", { id, name: "Other" })).toMatchObject({ status: 409, body: { error: expect.stringContaining(id) } });
    expect((await ops(`partners/${id}`)).body).toEqual({ ...made.body, earlier_cells: [] });
    expect(await auditOf(id)).toMatchObject([
      {
        action: "partner.create",
        actor: "Maria",
        partner_id: id,
        before: null,
        after: { name: "Shop", cell: "01" },
        request_id: made.headers.get("X-Request-Id"),
      },
    ]);
  });

  it.each([
    [{ id: "A", name: "x" }, /^id: must be 2 to 40 characters/],
    [{ id: "with space", name: "x" }, /^id:/],
    [{ id: "fine", name: "  " }, /^name: must not be empty/],
    [{ name: "x" }, /^id:/],
  ])("is not added as %j", async (body, error) => {
    expect(await change("partners", body)).toMatchObject({ status: 400, body: { success: false, error: expect.stringMatching(error) } });
    expect((await ops("partners/fine")).status).toBe(404);
  });

  it("works until it is disabled, and again once it is enabled; a change that changes nothing is not on record", async () => {
    const id = await newPartner();
    const { key } = await newKey(id, ["balance_view"]);
    const works = async () => (await call(LIST, {}, key)).body.success;
    expect(await works()).toBe(true);
    for (const _ of [1, 2]) expect((await change(`partners/${id}/disable`)).body).toMatchObject({ status: "disabled" });
    expect((await call(LIST, {}, key)).body).toMatchObject({ error_code: "INVALID_API_KEY" });
    for (const _ of [1, 2]) expect((await change(`partners/${id}/enable`)).body).toMatchObject({ status: "active" });
    expect(await works()).toBe(true);
    expect(await auditOf(id)).toMatchObject([
      { action: "partner.enable", before: { status: "disabled" }, after: { status: "active" } },
      { action: "partner.disable", before: { status: "active" }, after: { status: "disabled" } },
      { action: "partner.create" },
    ]);
    for (const verb of ["disable", "enable"]) expect((await change(`partners/nobody/${verb}`)).status).toBe(404);
  });

  it("gets another name, and a change that changes nothing is not on record", async () => {
    const id = await newPartner();
    for (const _ of [1, 2]) expect((await change(`partners/${id}/name`, { name: " Shops " })).body).toMatchObject({ id, name: "Shops" });
    expect(await auditOf(id)).toMatchObject([
      { action: "partner.rename", before: { name: "A new partner" }, after: { name: "Shops" } },
      { action: "partner.create" },
    ]);
    expect((await change("partners/nobody/name", { name: "Shops" })).status).toBe(404);
    expect((await ops("partners?limit=100")).body.data.filter(({ name }: { name: string }) => name === "Shops")).toHaveLength(1);
  });

  it("has a contact that operators write to, which the audit log does not repeat", async () => {
    const partner = await newPartner();
    expect((await ops(`partners/${partner}`)).body.contact).toBeNull();
    for (const contact of ["tech@acme.example", "https://chat.example/hooks/acme"]) {
      expect((await change(`partners/${partner}/contact`, { contact })).body).toMatchObject({ id: partner, contact });
    }
    expect((await change(`partners/${partner}/contact`, { contact: "none" })).body.contact).toBeNull();
    const entries = await auditOf(partner);
    expect(entries.slice(0, 3)).toMatchObject(
      Array.from({ length: 3 }, () => ({ action: "partner.set_contact", before: null, after: null })),
    );
    for (const contact of ["tech", "http://chat.example/x", `${"a".repeat(320)}@acme.example`]) {
      expect((await change(`partners/${partner}/contact`, { contact })).status).toBe(400);
    }
    expect((await change("partners/nobody/contact", { contact: "none" })).status).toBe(404);
  });

  it("is listed with the others, page by page", async () => {
    await newPartner();
    const seen: string[] = [];
    let cursor = "";
    do {
      const { body } = await ops(`partners?limit=2${cursor}`);
      expect(body.data.length).toBeLessThanOrEqual(2);
      seen.push(...body.data.map(({ id }: { id: string }) => id));
      cursor = body.next === null ? "" : `&cursor=${body.next}`;
    } while (cursor !== "");
    expect(seen).toEqual(seen.toSorted());
    expect(seen).toEqual(expect.arrayContaining(["acme", "globex", "initech"]));
    expect(new Set(seen).size).toBe(seen.length);
  });

  it.each([
    ["limit=0", /^limit: must be a whole number from 1 to 100/],
    ["limit=101", /^limit: must be a whole number/],
    ["limit=1.5", /^limit: must be a whole number/],
    ["limit=x", /^limit: must be a whole number/],
    ["cursor=nonsense", /^cursor: must be the `next`/],
  ])("is not listed by %s", async (query, error) => {
    expect(await ops(`partners?${query}`)).toMatchObject({ status: 400, body: { error: expect.stringMatching(error) } });
  });
});

describe("a person of a partner", () => {
  it("is added, and with them go their keys", async () => {
    const partner = await newPartner();
    const made = (await change(`partners/${partner}/employees`, { name: "Ann" })).body;
    expect(made).toMatchObject({ id: expect.stringMatching(/^emp_/), partner_id: partner, status: "active" });
    const { key } = await newKey(partner, ["balance_view"], { employee_id: made.id });
    await change(`employees/${made.id}/disable`);
    expect((await call(LIST, {}, key)).body).toMatchObject({ error_code: "INVALID_API_KEY" });
    expect((await ops(`partners/${partner}/employees`)).body.data).toMatchObject([{ id: made.id, status: "disabled" }]);
    await change(`employees/${made.id}/enable`);
    expect((await call(LIST, {}, key)).body).toMatchObject({ success: true });
    // A person's name is no value of the audit log.
    expect(JSON.stringify(await auditOf(made.id))).not.toContain("Ann");
  });

  it("may be given an id, once; and must belong to the partner whose key they get", async () => {
    const [one, other] = [await newPartner(), await newPartner()];
    const id = `${one}-ann`;
    expect((await change(`partners/${one}/employees`, { id, name: "Ann" })).status).toBe(201);
    expect((await change(`partners/${other}/employees`, { id, name: "Ann" })).status).toBe(409);
    const refused = await change(`partners/${other}/keys`, { label: "x", permissions: [], employee_id: id });
    expect(refused).toMatchObject({ status: 409, body: { error: expect.stringContaining(id) } });
    expect((await change("employees/nobody/disable")).status).toBe(404);
    expect((await change("partners/nobody/employees", { name: "Ann" })).status).toBe(404);
  });
});

describe("a key", () => {
  // interface K.1
  it("is shown once, works as permitted, and is never shown again", async () => {
    const partner = await newPartner();
    const made = await change(`partners/${partner}/keys`, { label: "shop", permissions: ["balance_view", "balance_view"] });
    const { key, ...listed } = made.body;
    expect(made.status).toBe(201);
    expect(key).toMatch(/^[0-9a-f-]{36}$/);
    expect(made.headers.get("Cache-Control")).toBe("no-store");
    expect(listed).toMatchObject({
      partner_id: partner,
      label: "shop",
      permissions: ["balance_view"],
      employee_id: null,
      revoked_at: null,
    });
    expect((await call(LIST, {}, key)).body).toMatchObject({ success: true });
    expect((await call(CART, cart(), key)).body).toMatchObject({ error_code: "PERMISSION_DENIED" });
    const all = await until(async () => {
      const answer = await ops(`partners/${partner}/keys`);
      expect(answer.body.data).toEqual([
        { ...listed, last_used_at: expect.any(String), summary: { en: expect.stringContaining(" works."), ru: expect.any(String) } },
      ]);
      return answer;
    });
    for (const text of [all.text, JSON.stringify(await auditOf(listed.key_id))]) expect(text).not.toContain(key);
  });

  it("has a hint, and the hour of its last use, which costs one write an hour", async () => {
    const partner = await newPartner();
    const { key, key_id, hint, last_used_at } = await newKey(partner, ["balance_view"]);
    expect([hint, last_used_at]).toEqual([key.slice(-4), null]);
    const lastUse = async () => (await ops(`partners/${partner}/keys`)).body.data[0].last_used_at;
    const hour = Math.floor(Date.now() / HOUR) * HOUR;
    expect((await call(LIST, {}, key)).body).toMatchObject({ success: true });
    await until(async () => expect(Date.parse(await lastUse())).toBe(hour));
    const { results } = await env.DIRECTORY.prepare("SELECT last_used_at FROM api_keys WHERE id = ?1").bind(key_id).all();
    expect(results).toEqual([{ last_used_at: hour }]);
    // Within the hour it is not written again, whatever the row says.
    await env.DIRECTORY.prepare("UPDATE api_keys SET last_used_at = 1 WHERE id = ?1").bind(key_id).run();
    expect((await call(LIST, {}, key)).body).toMatchObject({ success: true });
    expect(Date.parse(await lastUse())).toBe(1);
    pass(HOUR);
    expect((await call(LIST, {}, key)).body).toMatchObject({ success: true });
    await until(async () => expect(Date.parse(await lastUse())).toBe(hour + HOUR));
    realTime();
  });

  it("ends by itself where that was wanted, and not a moment earlier", async () => {
    const partner = await newPartner();
    const end = new Date(Date.now() + HOUR).toISOString();
    const { key, expires_at } = (
      await change(`partners/${partner}/keys`, { label: "guest", permissions: ["balance_view"], expires_at: end })
    ).body;
    expect(expires_at).toBe(end);
    pass(Date.parse(end) - Date.now() - SECOND);
    expect((await call(LIST, {}, key)).body).toMatchObject({ success: true });
    pass(2 * SECOND);
    expect((await call(LIST, {}, key)).body).toMatchObject({ error_code: "INVALID_API_KEY" });
    realTime();
    for (const expires of ["2020-01-01", "soon"]) {
      expect((await change(`partners/${partner}/keys`, { label: "x", permissions: [], expires_at: expires })).status).toBe(400);
    }
  });

  it("shows its own permissions, and not those of other keys", async () => {
    const partner = await newPartner();
    const [one, two] = [await newKey(partner, ["balance_view"]), await newKey(partner, ["products_view", "bank_payment"])];
    const { data } = (await ops(`partners/${partner}/keys`)).body;
    const of = (id: string) => data.find(({ key_id }: { key_id: string }) => key_id === id).permissions;
    expect([of(one.key_id), of(two.key_id)]).toEqual([["balance_view"], ["bank_payment", "products_view"]]);
  });

  it("is permitted other things from the next request on", async () => {
    const partner = await newPartner();
    const { key, key_id } = await newKey(partner, ["payment_read"]);
    expect((await call(LIST, {}, key)).body).toMatchObject({ error_code: "PERMISSION_DENIED" });
    const changed = await change(`keys/${key_id}/permissions`, { permissions: ["balance_view"] }, "PUT");
    expect(changed.body).toMatchObject({ permissions: ["balance_view"] });
    expect((await call(LIST, {}, key)).body).toMatchObject({ success: true });
    expect(await auditOf(key_id)).toMatchObject([
      { action: "key.set_permissions", before: { permissions: ["payment_read"] }, after: { permissions: ["balance_view"] } },
      { action: "key.issue", after: { permissions: ["payment_read"], employee_id: null } },
    ]);
    expect((await change(`keys/${key_id}/permissions`, { permissions: ["everything"] }, "PUT")).status).toBe(400);
    expect((await change("keys/key_none/permissions", { permissions: [] }, "PUT")).status).toBe(404);
  });

  it("is revoked at once and for good, on record once", async () => {
    const partner = await newPartner();
    const { key, key_id } = await newKey(partner, ["balance_view"]);
    const first = (await change(`keys/${key_id}/revoke`)).body;
    expect(first.revoked_at).toMatch(/Z$/);
    expect((await call(LIST, {}, key)).body).toMatchObject({ error_code: "INVALID_API_KEY" });
    expect((await change(`keys/${key_id}/revoke`)).body).toEqual(first);
    expect((await auditOf(key_id)).map(({ action }) => action)).toEqual(["key.revoke", "key.issue"]);
    expect((await change("keys/key_none/revoke")).status).toBe(404);
  });
});
