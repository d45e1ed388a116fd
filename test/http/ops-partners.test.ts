import { describe, expect, it } from "vitest";
import { CART, call, cart, LIST } from "../support/api.ts";
import { auditOf, change, ops } from "../support/ops.ts";

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
      { id, name: "Shop", status: "active", cell: "01", cancel_permission: null, created_at: expect.stringMatching(/Z$/) },
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
    const all = await ops(`partners/${partner}/keys`);
    expect(all.body.data).toEqual([listed]);
    for (const text of [all.text, JSON.stringify(await auditOf(listed.key_id))]) expect(text).not.toContain(key);
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
