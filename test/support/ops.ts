import type { Answer } from "./answer.ts";
import { send } from "./api.ts";

export interface OpsRequest {
  readonly method?: string;
  /** A text, or bytes, go out as they are. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An operators' call with the local token, as the operator Maria. */
export async function ops(path: string, { method = "GET", body, headers = {} }: OpsRequest = {}): Promise<Answer> {
  return send(`/ops/${path}`, {
    method,
    headers: { Authorization: "Bearer ops-local", "Content-Type": "application/json", "X-Operator": "Maria", ...headers },
    ...(body === undefined
      ? {}
      : { body: typeof body === "string" || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body) }),
  });
}

/** {@link ops} that changes something. */
export const change = (path: string, body: unknown = {}, method = "POST"): Promise<Answer> => ops(path, { method, body });

/** The newest entries of the audit log about a target, newest first. */
export async function auditOf(target: string): Promise<Record<string, any>[]> {
  return (await ops(`audit?target=${encodeURIComponent(target)}`)).body.data;
}
