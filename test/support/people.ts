import { expect } from "vitest";
import { send } from "./api.ts";
import { invitationOf, Person } from "./authenticator.ts";

let count = 0;

/** A person of a partner with these rights, who has not signed in yet. */
export async function newPerson(permissions: readonly string[], partner = "acme"): Promise<string> {
  count += 1;
  const { body } = await send(`/ops/partners/${partner}/employees`, {
    method: "POST",
    headers: { Authorization: "Bearer ops-local", "Content-Type": "application/json" },
    body: JSON.stringify({ id: `person-${count}-${Date.now()}`, name: "A person", permissions }),
  });
  return body.id;
}

/** A signed-in person with these rights. */
export async function signedIn(permissions: readonly string[], partner = "acme"): Promise<Person & { id: string }> {
  const id = await newPerson(permissions, partner);
  const person = Object.assign(new Person(), { id });
  expect((await person.accept(await invitationOf(id))).status).toBe(201);
  return person;
}

/** All that a person may have. */
export const ALL_RIGHTS = ["product_create", "balance_view", "products_view", "payment_read", "bank_payment", "webhook_config", "owner"];
