import { expect } from "vitest";
import { auditLog } from "../../src/db/schema/index.ts";
import { opsCalls } from "../../src/http/ops/calls/index.ts";
import { partnerCalls } from "../../src/http/partner/calls/index.ts";
import type { Answer } from "./answer.ts";
import { rowsOf } from "./tables.ts";

/** Calls that change nothing that lasts. */
const UNAUDITED: ReadonlySet<string> = new Set([
  // A challenge, which is over in minutes; what it is answered with is audited.
  "session verify-begin",
  "passkeys begin",
  // A message to the partner's own chat.
  "chat test",
]);

/** Whether an answer says that nothing was changed: no event was restarted, or a code was sent and waits for its entry. */
const saysNothing = ({ restarted, state }: { readonly restarted?: unknown; readonly state?: unknown }) =>
  restarted === 0 || (Array.isArray(restarted) && restarted.length === 0) || state === "code_sent";

const changing = [...opsCalls, ...partnerCalls]
  .filter(({ method }) => method !== "GET")
  .map(({ command, method, path }) => ({ command, method, path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) }));

/** The requests of each changing call that succeeded since the test file began. */
const succeeded = new Map<string, string[]>();

/** Notes a request that may have changed something. */
export function noteChange(path: string, method: string, { status, headers, body }: Answer): void {
  const { pathname, searchParams } = new URL(`http://edge.test${path}`);
  if (method === "GET" || status > 299 || searchParams.get("dry_run") === "true") return;
  const call = changing.find((one) => one.method === method && one.path.test(pathname));
  if (call === undefined || UNAUDITED.has(call.command) || saysNothing(body)) return;
  const name = `${method} ${pathname.split("/")[1] ?? ""}: ${call.command}`;
  succeeded.set(name, [...(succeeded.get(name) ?? []), headers.get("X-Request-Id") ?? ""]);
}

/** The ids of requests with a row in the audit log, as far as it was read. */
const audited = new Set<string>();

/** Begins a test file. */
export function forgetChanges(): void {
  succeeded.clear();
  audited.clear();
}

/** Reads the audit log, before a test empties it too. */
export async function readAuditLog(): Promise<void> {
  const rows = await rowsOf(auditLog, {}, { columns: ["request_id"] });
  for (const { request_id } of rows) audited.add(request_id);
}

/** Each changing call that succeeded in this file has left its row in the audit log, with the id of its request, at least once. */
export async function expectAudited(): Promise<void> {
  if (succeeded.size === 0) return;
  await readAuditLog();
  const without = [...succeeded].filter(([, requests]) => !requests.some((request) => audited.has(request)));
  expect(without.map(([name]) => name)).toEqual([]);
}
