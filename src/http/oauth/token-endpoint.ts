import type { Context } from "hono";
import * as z from "zod";
import { SERVICE_NAME } from "../../core/actor.ts";
import { SECOND } from "../../core/clock.ts";
import type { Settings } from "../../core/settings.ts";
import { annotateTrace } from "../../core/trace.ts";
import { endGrant } from "../../grants/admin.ts";
import { EntryChanged, OAuthEntries } from "../../grants/entries.ts";
import { sealToken, unsealToken } from "../../grants/sealed-token.ts";
import { type Successor, Successors } from "../../grants/successors.ts";
import type { AppEnv } from "../context.ts";
import { type OAuthServer, PAUSED, REPLACED } from "./server.ts";

/** An OAuth error (RFC 6749), also for hosts that run in a browser. `retryAfter` in seconds. */
export function oauthError(status: 400 | 413 | 429 | 503, error: string, description: string, retryAfter?: number): Response {
  annotateTrace({ outcome: "refused", code: error });
  const headers = { "Access-Control-Allow-Origin": "*", "Cache-Control": "no-store" };
  return Response.json(
    { error, error_description: description },
    { status, headers: retryAfter === undefined ? headers : { ...headers, "Retry-After": String(retryAfter) } },
  );
}

/** The fields of a request that carry a code or a token. */
const CARRIERS = ["code", "refresh_token", "token"] as const;

/**
 * `POST /oauth/token`. A code or token without our seal is refused without a query. If two parallel requests use one code, one
 * succeeds, and the code is spent then. A refresh may be repeated: the host lost its answer, or several of its processes hold the same
 * token. For a while all of them get the same successor.
 */
export async function answerToken(context: Context<AppEnv>, oauth: OAuthServer): Promise<Response> {
  const form = new URLSearchParams(await context.req.raw.clone().text());
  const deps = context.get("deps");
  const carriers = CARRIERS.filter((name) => form.has(name));
  const [carrier] = carriers;
  if (carrier === undefined) return missingOf(form.get("grant_type"));
  if (carriers.length > 1 || form.getAll(carrier).length > 1) return oauthError(400, "invalid_request", "Send one code or one token.");
  const token = await unsealToken(deps.settings.encryptionKeys, form.get(carrier) ?? "");
  // Revoking an invalid token succeeds (RFC 7009).
  if (token === null && carrier === "token") return new Response(null, { status: 200 });
  if (token === null) return oauthError(400, "invalid_grant", "This code or token is invalid.");
  const { signIns } = deps.rateLimits;
  const grant = `grant ${grantIn(token)}`;
  const wait = signIns.waitOf(grant);
  if (wait > 0)
    return oauthError(429, "temporarily_unavailable", `Too many requests with this access. Try again in ${wait} seconds.`, wait);
  await signIns.refuse(grant);
  form.set(carrier, token);
  oauth.nameResource(form);
  if (carrier === "refresh_token") return refreshOnce(context, oauth, { form, token });
  try {
    return await answerOfLibrary(context, oauth, { form, token });
  } catch (thrown) {
    if (!(thrown instanceof EntryChanged)) throw thrown;
    return oauthError(400, "invalid_grant", "The code is used by another request.");
  }
}

/** A request with the library's own code or token. */
interface Carried {
  readonly form: URLSearchParams;
  readonly token: string;
}

/** Answers a refresh: the first one by the library, and the same one again by what the first was answered, while that is useful. */
async function refreshOnce(context: Context<AppEnv>, oauth: OAuthServer, carried: Carried): Promise<Response> {
  const deps = context.get("deps");
  const successors = new Successors(deps);
  const said = `${context.req.header("Authorization") ?? ""}\n${[...carried.form]
    .map((field) => field.join("="))
    .toSorted()
    .join("\n")}`;
  const found = await claimed(successors, said);
  if (found.state === "busy") return inUse();
  if (found.state === "given") {
    const { expires_in, ...tokens } = tokensSchema.parse(JSON.parse(found.answer));
    const left = { ...tokens, expires_in: Math.max(0, Math.floor(expires_in - found.age / SECOND)) };
    // At its very end the access token says nothing of the grant any more; its refresh token is still good.
    const isAlive = left.expires_in <= ENDING || (await oauth.granteeOf(deps, tokens.access_token)) !== null;
    if (!isAlive && (await oauth.isPaused(deps, tokens.access_token))) return oauthError(PAUSED.status, PAUSED.code, PAUSED.says);
    if (!isAlive) return oauthError(400, "invalid_grant", "This access has ended. Sign in again.");
    return sealing(deps.settings.encryptionKeys, Response.json(left, { headers: { "Cache-Control": "no-store" } }));
  }
  let answer: Response | undefined;
  try {
    answer = await answerOfLibrary(context, oauth, carried, (text) => successors.keep(said, text));
    return answer;
  } catch (thrown) {
    if (!(thrown instanceof EntryChanged)) throw thrown;
    return inUse();
  } finally {
    if (answer?.status !== 200) await successors.release(said);
  }
}

/** Seconds. */
const ENDING = 5;

/** How often a refresh looks for the answer of one that goes on, and the time in between in milliseconds. */
const LOOKS = 5;
const LOOK_EVERY = 100;

/** Claims a refresh, or waits a little for the answer of the same one: all processes of a host often ask at the same moment. */
async function claimed(successors: Successors, said: string): Promise<Successor> {
  for (let looks = 1; ; looks += 1) {
    const found = await successors.claim(said);
    if (found.state !== "busy" || looks === LOOKS) return found;
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY));
  }
}

const inUse = () => oauthError(503, "temporarily_unavailable", "The same token is in use by another request. Try again in a second.", 1);

/** The library's answer, with sealed tokens. `keep` gets the text of an answer with tokens before it is given out. */
async function answerOfLibrary(
  context: Context<AppEnv>,
  oauth: OAuthServer,
  { form, token }: Carried,
  keep?: (text: string) => Promise<void>,
): Promise<Response> {
  const deps = context.get("deps");
  const request = new Request(context.req.raw, { method: "POST", body: form.toString() });
  const answer = await oauth.fetch(request, deps, context.env.execution);
  if (!answer.headers.has(REPLACED)) {
    if (answer.status === 200) await keep?.(await answer.clone().text());
    return sealing(deps.settings.encryptionKeys, answer);
  }
  await endReplaced(context, oauth, token);
  return oauthError(400, "invalid_grant", "This refresh token was already replaced, so its access has ended. Sign in again.");
}

/** The missing field of a request without a code and without a token. The library would look up its client first. */
function missingOf(grantType: string | null): Response {
  const isServed = grantType === "authorization_code" || grantType === "refresh_token";
  return isServed
    ? oauthError(400, "invalid_request", `Send ${grantType === "refresh_token" ? "the refresh_token" : "the code"}.`)
    : oauthError(400, "unsupported_grant_type", "grant_type is authorization_code or refresh_token.");
}

const tokensSchema = z.looseObject({ access_token: z.string(), refresh_token: z.string().optional(), expires_in: z.number() });

/** Seals the tokens in the library's answer; any other answer stays unchanged. */
async function sealing(keys: Settings["encryptionKeys"], answer: Response): Promise<Response> {
  const text = await answer.text();
  const tokens = answer.status === 200 && text !== "" ? tokensSchema.safeParse(JSON.parse(text)).data : undefined;
  if (tokens === undefined) return new Response(text === "" ? null : text, answer);
  const { access_token, refresh_token, ...rest } = tokens;
  const given = {
    access_token: await sealToken(keys, access_token),
    ...(refresh_token === undefined ? {} : { refresh_token: await sealToken(keys, refresh_token) }),
  };
  return new Response(JSON.stringify({ ...rest, ...given }), answer);
}

/** The ids of holder and grant at the start of each code and token of the library. */
function grantIn(token: string): string {
  return token.split(":").slice(0, 2).join(":");
}

const grantEntry = z.object({ metadata: z.object({ grantId: z.string() }) });

/**
 * If a replaced refresh token is presented, another party may have the tokens, so the grant ends (RFC 9700, 4.14.2).
 */
async function endReplaced(context: Context<AppEnv>, oauth: OAuthServer, token: string): Promise<void> {
  const deps = context.get("deps");
  const entry = grantEntry.safeParse(await new OAuthEntries(deps).get(`grant:${grantIn(token)}`, { type: "json" }));
  if (!entry.success) return;
  const { grantId } = entry.data.metadata;
  annotateTrace({ grant: grantId });
  deps.log.error("a replaced refresh token was presented: its grant is ended", { grant: grantId });
  const actor = { name: SERVICE_NAME, requestId: context.get("requestId") };
  await endGrant(deps, grantId, actor, "a replaced refresh token was presented");
  const [holderId = "", libraryGrantId = ""] = token.split(":");
  await oauth.helpers(deps).revokeGrant(libraryGrantId, holderId);
}
