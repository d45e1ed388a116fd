import * as z from "zod";
import { UserFault } from "../../local/processes.ts";
import type { Question } from "../prompt.ts";
import { complaintOf, jsonIn, runWrangler } from "./wrangler.ts";

const whoamiSchema = z.object({
  loggedIn: z.boolean(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
});

const LOG_IN =
  "Run `npx wrangler login`, or set CLOUDFLARE_API_TOKEN to a token with the permissions Workers Scripts, D1, Workers KV Storage, Workers R2 Storage, and Queues (edit), Account Analytics (read), and Zone: Workers Routes and DNS (edit), Zone (read).";

/** The accounts of the login. @throws UserFault without a login */
export async function accounts(): Promise<readonly { readonly id: string; readonly name: string }[]> {
  const said = await runWrangler(["whoami", "--json"]);
  // A refused token is an error; a login without accounts is not.
  const found = said.out.includes("loggedIn") ? whoamiSchema.safeParse(jsonIn("Who is logged in", said.out)).data : undefined;
  if (found?.loggedIn === true) return found.accounts;
  const why = found === undefined ? ` (${complaintOf(said)})` : "";
  throw new UserFault(`There is no login at the platform${why}. ${LOG_IN}`);
}

/** The question that chooses one of several accounts. */
export function askForAccount(all: readonly { readonly id: string; readonly name: string }[]): Question {
  const list = all.map(({ id, name }) => `${id} (${name})`);
  const choices = all.map(({ id }, index) => ({ value: id, label: list[index] ?? id }));
  return { name: "--account", what: `the id of the account: ${list.join(", ")}`, isSecret: false, choices };
}

const tokenSchema = z.object({ token: z.string() });
const subscriptionsSchema = z.object({
  result: z.array(z.object({ rate_plan: z.object({ id: z.string() }).optional() })),
});

/** The login's token, after wrangler has shown it. */
let token: string | null = null;

/** The answer of the platform's API. Null if the login may not ask. */
export async function askApi(path: string): Promise<unknown> {
  const { status, body } = await askApiStatus(path);
  return status >= 200 && status < 300 ? body : null;
}

/** The same with its HTTP status; 0 if the platform is unreachable, 401 without a token. */
export async function askApiStatus(
  path: string,
  sent?: object,
  method = sent === undefined ? "GET" : "POST",
): Promise<{ readonly status: number; readonly body: unknown }> {
  token ??= await tokenOfLogin();
  if (token === null) return { status: 401, body: null };
  const api = process.env.CLOUDFLARE_API_BASE_URL ?? "https://api.cloudflare.com/client/v4";
  const type = sent === undefined ? {} : { "Content-Type": "application/json" };
  const asked = {
    method,
    headers: { Authorization: `Bearer ${token}`, ...type },
    ...(sent === undefined ? {} : { body: JSON.stringify(sent) }),
  };
  const response = await fetch(`${api}${path}`, asked).catch(() => null);
  if (response === null) return { status: 0, body: null };
  return { status: response.status, body: await response.json().catch((): unknown => null) };
}

const errorsSchema = z.object({ errors: z.array(z.object({ message: z.string() })).min(1) });

/** What the platform says is wrong, in one line. */
export function faultIn({ status, body }: { readonly status: number; readonly body: unknown }): string {
  return (
    errorsSchema
      .safeParse(body)
      .data?.errors.map(({ message }) => message)
      .join("; ") ?? `HTTP ${status}`
  );
}

async function tokenOfLogin(): Promise<string | null> {
  const said = await runWrangler(["auth", "token", "--json"]);
  const found = said.code === 0 ? tokenSchema.safeParse(jsonIn("The login", said.out)) : null;
  return found?.data?.token ?? null;
}

/** Whether the account has a paid Workers plan. Null if the login may not see it. */
export async function isPaid(accountId: string): Promise<boolean | null> {
  const found = subscriptionsSchema.safeParse(await askApi(`/accounts/${accountId}/subscriptions`));
  return found.success ? found.data.result.some(({ rate_plan }) => rate_plan?.id.startsWith("workers_paid") === true) : null;
}
