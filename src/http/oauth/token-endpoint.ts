import type { Context } from "hono";
import * as z from "zod";
import { noteWork } from "../../core/work.ts";
import { endGrant } from "../../grants/admin.ts";
import { EntryChanged, OAuthEntries } from "../../grants/entries.ts";
import { holderIn, isOfHolder } from "../../grants/holder-id.ts";
import type { AppEnv } from "../context.ts";
import { oauthError } from "./oauth-error.ts";
import { type OAuthServer, REPLACED } from "./server.ts";

/**
 * `POST /oauth/token`. A code or a token that is not of our making is refused without a query. Of two requests at once with one code
 * or one refresh token, one gets the library's answer. A code is spent then. The refresh may be sent again: the host has lost its
 * answer, or two of its processes have refreshed at once.
 */
export async function answerToken(context: Context<AppEnv>, oauth: OAuthServer): Promise<Response> {
  const form = new URLSearchParams(await context.req.raw.clone().text());
  const deps = context.get("deps");
  const refreshToken = form.get("refresh_token");
  const presented = form.get("code") ?? refreshToken ?? form.get("token");
  if (presented === null) return missingOf(form.get("grant_type"));
  if (!(await isOfHolder(deps.settings.encryptionKeys, presented))) {
    // What is given back and is none is gone already (RFC 7009).
    return form.has("token") ? new Response(null, { status: 200 }) : oauthError(400, "invalid_grant", "This is no code or token of ours.");
  }
  const { refusedKeys } = deps.rateLimits;
  const holder = holderIn(presented);
  const wait = await refusedKeys.turn(holder);
  if (wait > 0)
    return oauthError(429, "temporarily_unavailable", `Too many refused tokens of this key. Try again in ${wait} seconds.`, wait);
  try {
    const answer = await oauth.fetch(context.req.raw, deps, context.env.execution);
    if (answer.status >= 400) await refusedKeys.refuse(holder);
    if (!answer.headers.has(REPLACED)) return answer;
    await endReplaced(context, oauth, refreshToken ?? "");
    return oauthError(400, "invalid_grant", "This refresh token was replaced before, so its access has ended. Sign in again.");
  } catch (thrown) {
    if (!(thrown instanceof EntryChanged)) throw thrown;
    return form.get("grant_type") === "refresh_token"
      ? oauthError(503, "temporarily_unavailable", "The same token is being used at this moment. Try again in a second.", 1)
      : oauthError(400, "invalid_grant", "The code is used by another request.");
  }
}

/** What is missing in a request without a code and without a token. The library would look for its client first. */
function missingOf(grantType: string | null): Response {
  const isServed = grantType === "authorization_code" || grantType === "refresh_token";
  return isServed
    ? oauthError(400, "invalid_request", `Send ${grantType === "refresh_token" ? "the refresh_token" : "the code"}.`)
    : oauthError(400, "unsupported_grant_type", "grant_type is authorization_code or refresh_token.");
}

const grantEntry = z.object({ metadata: z.object({ grantId: z.string() }) });

/** Somebody else may have the tokens of a grant whose replaced refresh token is presented, so the grant ends (RFC 9700, 4.14.2). */
async function endReplaced(context: Context<AppEnv>, oauth: OAuthServer, token: string): Promise<void> {
  const deps = context.get("deps");
  const [holderId = "", libraryGrantId = ""] = token.split(":");
  const entry = grantEntry.safeParse(
    await new OAuthEntries(deps.directory, deps.clock).get(`grant:${holderId}:${libraryGrantId}`, { type: "json" }),
  );
  if (!entry.success) return;
  const { grantId } = entry.data.metadata;
  noteWork({ grant: grantId });
  deps.log.error("a replaced refresh token was presented: its grant is ended", { grant: grantId });
  const actor = { name: "the service", requestId: context.get("requestId") };
  await endGrant(deps, grantId, actor, "a replaced refresh token was presented");
  await oauth.helpers(deps).revokeGrant(libraryGrantId, holderId);
}
