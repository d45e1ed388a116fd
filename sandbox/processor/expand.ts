import { findObject, listObjects, type World } from "../world.ts";
import { invalidRequest } from "./failure.ts";
import { expandableIn } from "./publish.ts";
import { schemaNamed, schemaNameOf } from "./shapes.ts";

/**
 * A copy of an answer in which ids along each path, such as `data.invoice`, are replaced by their objects.
 * @throws ProcessorError for an invalid path.
 */
export function expand(world: World, answer: object, paths: readonly string[], kind: string, isList: boolean): object {
  for (const path of paths) checkPath(path, kind, isList);
  const copy = structuredClone(answer) as Record<string, unknown>;
  for (const path of paths) expandPath(world, copy, path.split("."));
  return copy;
}

const MAX_DEPTH = 4;

function checkPath(path: string, kind: string, isList: boolean): void {
  const names = path.split(".");
  const inList = isList && names[0] === "data" ? names.slice(1) : names;
  const schema = schemaNameOf(kind);
  let fields = schema === undefined || (isList && inList === names) ? null : schemaNamed(schema);
  for (const name of inList.filter((part) => part !== "data")) {
    const next = fields === null ? undefined : expandableIn(fields, name);
    if (next === undefined) throw invalidRequest(`This property cannot be expanded (${path}).`, "expand");
    fields = next;
  }
  if (names.length > MAX_DEPTH) throw invalidRequest(`You cannot expand more than ${MAX_DEPTH} levels of a property.`, "expand");
}

function expandPath(world: World, node: unknown, [key, ...rest]: readonly string[]): void {
  if (Array.isArray(node)) {
    for (const item of node) expandPath(world, item, key === undefined ? [] : [key, ...rest]);
    return;
  }
  if (key === undefined || node === null || typeof node !== "object") return;
  const fields = node as Record<string, unknown>;
  if (fields.object === "invoice" && key === "payments") fields.payments = paymentsOf(world, fields.id);
  const named = findObject(world, fields[key]);
  if (named !== undefined) fields[key] = structuredClone(named);
  if (rest.length > 0) expandPath(world, fields[key], rest);
}

/** The payments of an invoice are only included if they are requested. */
function paymentsOf(world: World, invoice: unknown) {
  const data = listObjects(world, "invoice_payment").filter((payment) => payment.invoice === invoice);
  return { object: "list", url: `/v1/invoice_payments?invoice=${String(invoice)}`, has_more: false, data: structuredClone(data) };
}
