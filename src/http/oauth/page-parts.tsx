import type { AuthRequest } from "@cloudflare/workers-oauth-provider";
import type { Context } from "hono";
import { truncate } from "../../core/text.ts";
import { annotateTrace } from "../../core/trace.ts";
import type { AppEnv } from "../context.ts";
import { answerPage } from "./answer-page.ts";
import { type AskingApp, schemeOfApp } from "./app-address.ts";
import { BackPage, ProblemPage } from "./pages.tsx";
import type { OAuthServer } from "./server.ts";

export type PageContext = Context<AppEnv>;

/** The maximum length of an app's name, on pages and in records. */
const NAME_CHARACTERS = 80;

/**
 * The app that asks for consent. The name is the app's own text, so it is truncated, and characters that change how the
 * page reads are removed.
 */
export async function describeConsent(context: PageContext, oauth: OAuthServer, request: AuthRequest): Promise<AskingApp> {
  const details = await oauth.helpers(context.get("deps")).describeConsent(request);
  const clientName = truncate(details.clientName.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ").trim(), NAME_CHARACTERS);
  const privateScheme = schemeOfApp(request.redirectUri);
  return { ...details, clientName: clientName === "" ? "An app without a name" : clientName, privateScheme };
}

/** A page for an error that cannot be sent back to the app, because the app or its address is not certain. */
export function problemPage(context: PageContext, problem: string, status: 400 | 413 | 429 = 400): Promise<Response> {
  annotateTrace({ outcome: "refused" });
  return answerPage(context, { status }, (nonce) => <ProblemPage nonce={nonce} problem={problem} />);
}

/**
 * Returns the browser to the app by a page: browsers apply the form's policy to each redirect that follows a form, and
 * an app's address may redirect further.
 */
export function leadBack(context: PageContext, headers: Headers, target: string): Promise<Response> {
  return answerPage(context, { headers }, (nonce) => <BackPage nonce={nonce} target={target} />);
}

/** The fields of a form; none if the body is no form. */
export async function formOf(context: PageContext): Promise<FormData> {
  return context.req.formData().catch(() => new FormData());
}

/** Empty if the field is missing or is a file. */
export function textOf(form: FormData, name: string): string {
  const value = form.get(name);
  return typeof value === "string" ? value : "";
}
