import { type Context, Hono } from "hono";
import { createMiddleware } from "hono/factory";
import { html } from "hono/html";
import type { Child } from "hono/jsx";
import { NONCE, secureHeaders } from "hono/secure-headers";
import { ServiceFailure } from "../../../core/errors.ts";
import { limits } from "../../../core/limits.ts";
import { limitBody, limitBodyTo, rejectSizeOver } from "../../body.ts";
import { pageQuery } from "../../calls/paging.ts";
import { CallRefusal } from "../../calls/refusal.ts";
import type { AppEnv } from "../../context.ts";
import { opsCalls } from "../calls/index.ts";
import type { OpsCall } from "../define-call.ts";
import { statusAndMessageOf } from "../failure.ts";
import { isOpsToken, nameOf, refuseLogin, requireRole, signedInOperator } from "../operator-auth.ts";
import { beginSession, endSession } from "../session.ts";
import { CallForm, inputOf, titleOf } from "./forms.tsx";
import { Page } from "./layout.tsx";
import { pageOfCall } from "./links.ts";
import { Overview, overviewOf } from "./overview.tsx";
import { relatedCalls } from "./related.ts";
import { Shown } from "./shown.tsx";

/**
 * Nothing is loaded, no script runs, forms go to this host alone, and no other page may frame these. The two policies of cross-origin
 * isolation part these pages from all others of this host, so that no script of the API reference gets at them through a window.
 */
const guarded = secureHeaders({
  referrerPolicy: "same-origin",
  xFrameOptions: "DENY",
  crossOriginOpenerPolicy: "same-origin",
  crossOriginEmbedderPolicy: "require-corp",
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    styleSrc: [NONCE],
    formAction: ["'self'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
  },
});

/** A form is no larger than the largest file that one takes. */
const MAX_FORM = limits.productImport.bytes + limits.body.bytes;
const limitForm = limitBodyTo(MAX_FORM, rejectSizeOver(MAX_FORM));

const callsByPage = new Map(opsCalls.map((call) => [call.command.replaceAll(" ", "-"), call]));

/** Somebody who is not signed in is asked to. The token itself opens no page: only the sign-in counts who guesses it. */
const requireSignIn = createMiddleware<AppEnv>(async (context, next) => {
  context.header("Cache-Control", "no-store");
  const found = await signedInOperator(context);
  if (found === null) return context.redirect("/ops/login");
  context.set("actor", { name: found.name, requestId: context.get("requestId") });
  context.set("roles", found.roles);
  return next();
});

/** `/ops/` in a browser: every operators' call as a page, made of its definition. */
export function pageRoutes(): Hono<AppEnv> {
  const app = new Hono<AppEnv>();
  app.onError(async (thrown, context) => {
    const { status, message } = statusAndMessageOf(thrown, context);
    return page(context, "That did not work", <p class="bad">{message}</p>, status);
  });
  app.get("/ops/login", guarded, (context) => loginPage(context, null));
  app.post("/ops/login", guarded, limitBody, signIn);
  app.post("/ops/logout", guarded, async (context) => {
    // Browsers say where a form comes from: no other site's page signs anybody out.
    if (context.req.header("Origin") !== context.get("deps").settings.apiOrigin)
      return loginPage(context, "This form came from another site's page.", 403);
    await endSession(context);
    return context.redirect("/ops/login");
  });
  app.get("/ops", (context) => context.redirect("/ops/"));
  app.get("/ops/", guarded, requireSignIn, async (context) => {
    requireRole(context.get("roles"), "any");
    return page(context, "Overview", <Overview {...(await overviewOf(context.get("deps")))} calls={opsCalls} />);
  });
  app.get("/ops/pages/:page", guarded, requireSignIn, showCall);
  app.post("/ops/pages/:page", guarded, requireSignIn, limitForm, carryOut);
  return app;
}

function page(context: Context<AppEnv>, title: string, content: Child, status: 200 | 400 | 401 | 403 | 404 | 409 | 429 | 500 | 502 = 200) {
  const nonce = context.get("secureHeadersNonce") ?? "";
  const whole = (
    <Page title={title} nonce={nonce} operator={context.get("actor")?.name ?? null} searched={context.req.query("q")}>
      {content}
    </Page>
  );
  return context.html(html`<!doctype html>${whole}`, status);
}

function callOf(context: Context<AppEnv>): OpsCall {
  const call = callsByPage.get(context.req.param("page") ?? "");
  if (call === undefined) throw new CallRefusal(404, "There is no such page.");
  requireRole(context.get("roles"), call.role);
  return call;
}

/** A call that looks is carried out at once, if it was given what it needs; any other is shown as a form. */
async function showCall(context: Context<AppEnv>): Promise<Response> {
  const call = callOf(context);
  const given = context.req.query();
  const needs = call.positional.concat(Object.keys(call.params.shape)).filter((name) => (given[name] ?? "") === "");
  const related = <Related call={call} given={given} />;
  if (call.method !== "GET" || needs.length > 0) {
    return page(context, titleOf(call), [<CallForm call={call} given={given} alone />, related]);
  }
  const answer = await answerTo(call, context, given);
  if ("refused" in answer)
    return page(context, titleOf(call), [<p class="bad">{answer.refused}</p>, <CallForm call={call} given={given} alone />], 400);
  // Another filter is another list, from its beginning.
  const { cursor: _, ...filtered } = given;
  const filter = Object.keys(call.query.shape).some((name) => !(name in pageQuery) && !call.positional.includes(name));
  return page(context, titleOf(call), [
    filter ? <CallForm call={call} given={filtered} alone={false} caption="Filter" /> : null,
    <Shown call={call} answer={answer} here={new URL(context.req.url)} />,
    related,
  ]);
}

/** The answer of a call that looks; why, if what was asked for is wrong: it may be asked for otherwise. */
async function answerTo(call: OpsCall, context: Context<AppEnv>, given: Readonly<Record<string, string>>) {
  try {
    const { params, query } = inputOf(call, new Map(Object.entries(given).map(([name, value]) => [name, [value]])));
    return await call.perform(performing(context), { params, query, body: {}, file: "" });
  } catch (thrown) {
    if (thrown instanceof ServiceFailure && thrown.error.kind === "invalid_input") return { refused: thrown.error.message };
    throw thrown;
  }
}

/** A form was sent. The answer is shown once: a key that it has is never shown again. */
async function carryOut(context: Context<AppEnv>): Promise<Response> {
  const call = callOf(context);
  if (call.method === "GET") throw new CallRefusal(404, "This page is looked at, and takes nothing.");
  const { sent, file } = await readForm(context);
  if (call.irreversible !== null && sent.get("sure")?.[0] !== "yes")
    throw new CallRefusal(409, `${call.irreversible} Say that you are sure.`);
  const input = inputOf(call, sent);
  const answer = await call.perform(performing(context), { ...input, file });
  const given = Object.fromEntries(Object.entries(input.params).map(([name, value]) => [name, String(value)]));
  return page(context, `${titleOf(call)}: done`, [
    "key" in answer ? <p class="good">The key is shown this once. Hand it over by a safe way.</p> : null,
    <Shown call={call} answer={answer} here={new URL(context.req.url)} />,
    <Related call={call} given={given} />,
  ]);
}

/** What else can be done with the same thing. */
function Related({ call, given }: { readonly call: OpsCall; readonly given: Readonly<Record<string, string>> }) {
  const related = relatedCalls(opsCalls, call, given);
  const [seen, done] = [related.filter((one) => one.call.method === "GET"), related.filter((one) => one.call.method !== "GET")];
  return (
    <>
      {seen.length === 0 ? null : (
        <nav aria-label="More about it" class="more">
          {seen.map(({ call: other, given: known }) => (
            <a href={pageOfCall(other.command, known)}>{titleOf(other)}</a>
          ))}
        </nav>
      )}
      {done.length === 0 ? null : (
        <section>
          <h2>What can be done</h2>
          {done.map(({ call: other, given: known }) => (
            <CallForm call={other} given={known} alone={false} />
          ))}
        </section>
      )}
    </>
  );
}

function performing(context: Context<AppEnv>) {
  return { deps: context.get("deps"), actor: context.get("actor") };
}

async function readForm(context: Context<AppEnv>) {
  const form = await context.req.formData();
  const sent = new Map<string, string[]>();
  let file = "";
  for (const [name, value] of form) {
    if (typeof value === "string") sent.set(name, [...(sent.get(name) ?? []), value]);
    else file = await value.text();
  }
  return { sent, file };
}

async function signIn(context: Context<AppEnv>): Promise<Response> {
  const deps = context.get("deps");
  const origin = context.req.header("Origin");
  if (origin !== undefined && origin !== deps.settings.apiOrigin)
    return loginPage(context, "This form came from another site's page.", 403);
  const form = await context.req.formData();
  const [token, name] = [form.get("token"), form.get("name")];
  if (typeof token !== "string" || !(await isOpsToken(token, deps.settings.opsToken))) {
    const wait = await deps.rateLimits.operatorLogins.waitForSlot(deps.address);
    if (wait > 0) return loginPage(context, `Too many refused logins from this address. Try again in ${wait} seconds.`, 429);
    await refuseLogin(context);
    return loginPage(context, "This is not the operators' token.", 401);
  }
  await beginSession(context, nameOf(encodeURIComponent(typeof name === "string" ? name : "")));
  return context.redirect("/ops/");
}

function loginPage(context: Context<AppEnv>, problem: string | null, status: 200 | 401 | 403 | 429 = 200) {
  return page(
    context,
    "Sign in",
    <form method="post" action="/ops/login" class="alone">
      {problem === null ? null : (
        <p class="bad" role="alert">
          {problem}
        </p>
      )}
      <label for="token">
        <span>The operators' token</span>
        <input id="token" name="token" type="password" required autocomplete="current-password" />
      </label>
      <label for="name">
        <span>Your name, for the audit log</span>
        <input id="name" name="name" required autocomplete="name" maxlength={64} />
      </label>
      <div>
        <button type="submit">Sign in</button>
      </div>
    </form>,
    status,
  );
}
