import { control } from "./stack.ts";

/** Changes fields of an object that the sandbox holds, as its control does it. */
export function changeObject(id: string | undefined, fields: object): Promise<unknown> {
  return control("/objects/change", { id, fields });
}

/** Adds a copy of an object under another id, with these fields changed. */
export function copyObject(id: string | undefined, as: string, fields: object = {}): Promise<unknown> {
  return control("/objects/copy", { id, as, fields });
}

export function deleteObject(id: string | undefined): Promise<unknown> {
  return control("/objects/delete", { id });
}

/** Hides all objects of a kind from lists, or shows them again. */
export function hideObjects(kind: string, hidden = true): Promise<unknown> {
  return control("/objects/hide", { kind, hidden });
}

/** Makes these the held events of the test environment, in this order. */
export function setHeldEvents(ids: readonly string[]): Promise<unknown> {
  return control("/events/held", { environment: "test", ids });
}

/** Makes the stored answer of an idempotency key a failure, as the processor may. */
export function failKey(key: string | null | undefined): Promise<unknown> {
  return control("/keys/fail", { environment: "test", key });
}

/** Drops held events of the test environment: all, or all but those of some types, or but the first ones. */
export function dropHeldEvents(but: { keep?: readonly string[]; first?: number } = {}): Promise<{ held: number }> {
  return control("/events/drop", { environment: "test", ...but });
}
