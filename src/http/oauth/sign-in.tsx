import { type AuthRequest, authorizationErrorRedirect } from "@cloudflare/workers-oauth-provider";
import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import { environments } from "../../core/environment.ts";
import { ServiceFailure, toServiceError } from "../../core/errors.ts";
import { limits } from "../../core/limits.ts";
import { annotateTrace } from "../../core/trace.ts";
import type { Deps } from "../../deps.ts";
import { endGrant } from "../../grants/admin.ts";
import { endOfGrant, giveGrant } from "../../grants/give.ts";
import { sealToken } from "../../grants/sealed-token.ts";
import { countOpenGrants, hasLiveRule } from "../../grants/store.ts";
import { authenticateHolder, holderOfKey, type KeyHolder } from "../../partners/authenticate.ts";
import { isAdmitted } from "../../partners/change-counts.ts";
import { answerPage } from "./answer-page.ts";
import { mayLeadBack } from "./app-address.ts";
import { describeConsent, formOf, leadBack, type PageContext, problemPage, textOf } from "./page-parts.tsx";
import { ChoicePage, KeyPage } from "./pages.tsx";
import { isOffered, type OAuthServer } from "./server.ts";

/** Kept between the two pages, sealed with the browser's cookie. */
const pastedKey = z.object({ keyId: z.string() });

const choices = z.object({
  permissions: z.array(z.string()).min(1),
  environment: z.enum([...environments, "both"]),
  /** Whether what it makes live waits for a person. */
  confirm: z.literal("live").nullable(),
});

const NOTHING_TICKED = "Tick at least one permission for the app, and choose its payments.";
const NOTHING_TO_GIVE = "The key has no permission that an agent can get. Use another key.";
const TOO_MANY_TODAY = `More than ${limits.grant.perDay} apps were let in today by keys of this account. Try again after midnight UTC.`;
const TOO_MANY = `${limits.grant.perKey} apps already have access by this key. End some in the dashboard, under Developers, Agents, or use another key.`;
const KEY_ENDED = "The key no longer works: it was revoked, or its owner was disabled.";

/** `GET` of the first page: the app that asks. @throws AuthorizationError, CimdFetchError. */
export async function showKeyPage(context: PageContext, oauth: OAuthServer): Promise<Response> {
  const address = new URL(context.req.url);
  oauth.nameResource(address.searchParams);
  const request = await oauth.helpers(context.get("deps")).parseAuthRequest(new Request(address, context.req.raw));
  // The library requires PKCE only of public clients; OAuth 2.1 requires it of all.
  if (request.codeChallenge === undefined) return problemPage(context, "The app sent no code_challenge (PKCE, S256).");
  if (!mayLeadBack(request.redirectUri)) return problemPage(context, "The app's own address has a scheme that is no app's.");
  return keyPage(context, oauth, request);
}

async function keyPage(
  context: PageContext,
  oauth: OAuthServer,
  request: AuthRequest,
  refused?: { readonly status: 403 | 429; readonly problem: string; readonly headers: Headers },
): Promise<Response> {
  const deps = context.get("deps");
  const helpers = oauth.helpers(deps);
  const details = await describeConsent(context, oauth, request);
  const service = deps.settings.brand.name ?? "Partner payments";
  const { handle, headers } = await helpers.beginConsent(request);
  for (const cookie of refused?.headers.getSetCookie() ?? []) headers.append("Set-Cookie", cookie);
  return answerPage(context, { status: refused?.status ?? 200, headers }, (nonce) => (
    <KeyPage nonce={nonce} details={details} handle={handle} service={service} problem={refused?.problem} />
  ));
}

/**
 * `POST` of the first page: the key. @throws AuthorizationError if the page belongs to another browser, or was used.
 */
export async function takeKey(context: PageContext, oauth: OAuthServer): Promise<Response> {
  const deps = context.get("deps");
  const helpers = oauth.helpers(deps);
  const form = await formOf(context);
  const handle = textOf(form, "handle");
  if (textOf(form, "decision") !== "go_on") {
    const { headers, redirectTo } = await helpers.denyConsent(context.req.raw, handle);
    return leadBack(context, headers, redirectTo);
  }
  const { request, headers } = await helpers.approveConsent(context.req.raw, handle);
  try {
    const holder = await authenticateHolder(deps, textOf(form, "key").trim());
    const { partnerId, permissions } = holder.caller;
    annotateTrace({ partner: partnerId });
    if (![...permissions].some(isOffered))
      return await keyPage(context, oauth, request, { status: 403, problem: NOTHING_TO_GIVE, headers });
    return await choicePage(context, oauth, { request, headers, holder });
  } catch (thrown) {
    if (!(thrown instanceof ServiceFailure)) throw thrown;
    const error = toServiceError(thrown);
    if (error.kind !== "key_invalid" && error.kind !== "rate_limited") throw thrown;
    annotateTrace({ outcome: "refused", code: error.kind });
    const refused =
      error.kind === "rate_limited"
        ? { status: 429 as const, problem: error.message }
        : { status: 403 as const, problem: "The API key is not valid, or its partner account or employee is disabled." };
    return keyPage(context, oauth, request, { ...refused, headers });
  }
}

interface Choosing {
  readonly request: AuthRequest;
  readonly headers: Headers;
  readonly holder: KeyHolder;
  readonly problem?: string;
  /** Whether the person has ticked that what it makes live waits; undefined the first time. */
  readonly isConfirmed?: boolean;
}

async function choicePage(
  context: PageContext,
  oauth: OAuthServer,
  { request, headers, holder, problem, isConfirmed }: Choosing,
): Promise<Response> {
  const deps = context.get("deps");
  const helpers = oauth.helpers(deps);
  const details = await describeConsent(context, oauth, request);
  const { state } = await helpers.beginUpstream(request, { data: { keyId: holder.keyId }, headers });
  const { partnerId } = holder.caller;
  const isUsual = await hasLiveRule(deps.directory, { partnerId, keyId: holder.keyId }, deps.clock.now());
  const until = `${isoTime(endOfGrant(deps.clock.now())).slice(0, 10)} (UTC)`;
  return answerPage(context, { status: problem === undefined ? 200 : 400, headers }, (nonce) => (
    <ChoicePage
      nonce={nonce}
      details={details}
      holder={holder}
      until={until}
      state={state}
      mayConfirm={deps.settings.dashboardOrigin !== null}
      isConfirmed={isConfirmed ?? isUsual}
      problem={problem}
    />
  ));
}

/**
 * `POST` of the second page: the agent's permissions. @throws AuthorizationError if the page belongs to another
 * browser, or was used.
 */
export async function takeChoice(context: PageContext, oauth: OAuthServer): Promise<Response> {
  const deps = context.get("deps");
  const helpers = oauth.helpers(deps);
  const form = await formOf(context);
  const { request, data, headers } = await helpers.finishUpstream(context.req.raw);
  if (textOf(form, "decision") !== "allow") return leadBack(context, headers, authorizationErrorRedirect(request, "access_denied"));
  const holder = await holderOfKey(deps, pastedKey.parse(data).keyId);
  if (holder === null) return problemPage(context, KEY_ENDED);
  const { caller, keyId } = holder;
  const chosen = choices.safeParse({
    permissions: form.getAll("permission"),
    environment: form.get("environment"),
    confirm: form.get("confirm"),
  });
  const permissions = (chosen.data?.permissions ?? []).filter(isOffered).filter((one) => caller.permissions.has(one));
  if (!chosen.success || permissions.length === 0) {
    const isConfirmed = form.get("confirm") !== null;
    return choicePage(context, oauth, { request, headers, holder, problem: NOTHING_TICKED, isConfirmed });
  }
  if ((await countOpenGrants(deps.directory, { partnerId: caller.partnerId, keyId }, deps.clock.now())) >= limits.grant.perKey)
    return problemPage(context, TOO_MANY);
  // Each leaves rows, also one that is ended at once.
  if (!(await isAdmitted(deps, "grant", caller.partnerId))) return problemPage(context, TOO_MANY_TODAY);
  const { environment, confirm } = chosen.data;
  const { clientId, clientName } = await describeConsent(context, oauth, request);
  const grant = await giveGrant(
    deps,
    {
      partnerId: caller.partnerId,
      keyId,
      clientId,
      clientName,
      permissions,
      environments: environment === "both" ? environments : [environment],
      confirmations: confirm === null || deps.settings.dashboardOrigin === null ? {} : { [confirm]: { demand: "all" } },
    },
    context.get("requestId"),
  );
  annotateTrace({ partner: caller.partnerId, grant: grant.id });
  const complete = helpers.completeAuthorization({
    request,
    userId: keyId,
    metadata: { grantId: grant.id },
    scope: permissions,
    props: { grantId: grant.id, keyId },
    // Two people may sign in with one key from one assistant.
    revokeExistingGrants: false,
  });
  try {
    return await leadBack(context, headers, await withSealedCode(deps, (await complete).redirectTo));
  } catch (thrown) {
    // The app's description may have changed since the page was shown. A grant that no app can use is ended.
    await endGrant(deps, grant.id, { name: `holder of ${keyId}`, requestId: context.get("requestId") });
    throw thrown;
  }
}

async function withSealedCode({ settings }: Deps, address: string): Promise<string> {
  const url = new URL(address);
  url.searchParams.set("code", await sealToken(settings.encryptionKeys, url.searchParams.get("code") ?? ""));
  return url.href;
}
