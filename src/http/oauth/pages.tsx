import type { ConsentDescription } from "@cloudflare/workers-oauth-provider";
import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { KeyHolder } from "../../partners/authenticate.ts";
import type { Permission } from "../../partners/permissions.ts";
import { STYLE } from "../ops/pages/style.ts";
import { OAUTH_PATHS } from "./server.ts";

/** What each permission lets an agent do, in the words of the page; those that only look first. */
const OFFERED = {
  balance_view: "See what was paid, refunded and disputed",
  products_view: "See live payment links",
  payment_read: "See payment records of the first generation",
  product_create: "Make payment links and promotion codes",
  bank_payment: "Make ruble payments",
  webhook_config: "Change where events go, and read their signing secrets",
} as const satisfies Record<Permission, string>;

/** What an agent gets where nobody ticks or unticks anything, and the agent asked for nothing in particular. */
export const ONLY_LOOKS: readonly Permission[] = ["balance_view", "products_view"];

const OWN_STYLE = "main { max-width: 40rem; } fieldset { margin: 0; } .choices { display: grid; gap: 0.4rem; }";

interface FrameProps {
  readonly title: string;
  readonly nonce: string;
  readonly problem?: string | undefined;
  readonly children?: Child;
}

function Frame({ title, nonce, problem, children }: FrameProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        <style nonce={nonce}>{raw(`${STYLE}${OWN_STYLE}`)}</style>
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {problem === undefined ? null : (
            <p class="bad" role="alert">
              {problem}
            </p>
          )}
          {children}
        </main>
      </body>
    </html>
  );
}

/** Who asks, and where the access goes. */
function Asking({ details }: { readonly details: ConsentDescription }) {
  const { clientDomain, redirectHost, redirectIsLoopback } = details;
  return (
    <>
      <p>
        {clientDomain === undefined
          ? "This name is what the app says of itself; nobody has verified it. "
          : `It was published by ${clientDomain}. `}
        Access will be sent to <strong>{redirectHost}</strong>.
      </p>
      {redirectIsLoopback ? (
        <p class="bad">That is an app on this computer. Go on only if you have just started to sign in from it.</p>
      ) : null}
    </>
  );
}

interface KeyPageProps {
  readonly nonce: string;
  readonly details: ConsentDescription;
  readonly handle: string;
  readonly problem?: string | undefined;
}

/** The first page: who asks, and for whom the partner's key is. */
export function KeyPage({ nonce, details, handle, problem }: KeyPageProps) {
  return (
    <Frame title={`${details.clientName} asks for access`} nonce={nonce} problem={problem}>
      <p>It wants to use Partner payments for you. On the next page you choose what it may do.</p>
      <Asking details={details} />
      <form action={OAUTH_PATHS.authorize} method="post" class="alone">
        <input type="hidden" name="handle" value={handle} />
        <label for="key">
          <span>Your API key</span>
          <input id="key" name="key" type="password" required autocomplete="off" spellcheck={false} />
          <span class="hint">It is used once, on this page. It is not stored, and the app does not get it.</span>
        </label>
        <div class="more">
          <button type="submit" name="decision" value="go_on">
            Go on
          </button>
          <button type="submit" name="decision" value="refuse" formnovalidate>
            Refuse
          </button>
        </div>
      </form>
    </Frame>
  );
}

interface ChoicePageProps {
  readonly nonce: string;
  readonly details: ConsentDescription;
  readonly holder: KeyHolder;
  /** What is ticked. */
  readonly ticked: readonly string[];
  readonly until: string;
  readonly state: string;
  readonly problem?: string | undefined;
}

/** The second page: what the agent may do, in which environment, and until when. */
export function ChoicePage({ nonce, details, holder, ticked, until, state, problem }: ChoicePageProps) {
  const held = Object.entries(OFFERED).filter(([permission]) => [...holder.caller.permissions].some((one) => one === permission));
  return (
    <Frame title={`What may ${details.clientName} do?`} nonce={nonce} problem={problem}>
      <p>
        It acts for <strong>{holder.partnerName}</strong>, with what the key “{holder.label}” may do, until {until}. It ends earlier if the
        key is revoked, or if you ask support to end it.
      </p>
      <Asking details={details} />
      <form action={`${OAUTH_PATHS.grant}?state=${state}`} method="post" class="alone">
        <fieldset>
          <legend>It may</legend>
          <div class="choices">
            {held.map(([permission, words]) => (
              <label class="check">
                <input type="checkbox" name="permission" value={permission} checked={ticked.includes(permission)} />
                <span>
                  {words} <span class="hint">{permission}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend>With</legend>
          <div class="choices">
            <Environment value="test" words="Test payments alone" checked />
            <Environment value="live" words="Live payments alone: real money" />
            <Environment value="both" words="Test and live payments" />
          </div>
        </fieldset>
        <div class="more">
          <button type="submit" name="decision" value="allow">
            Allow
          </button>
          <button type="submit" name="decision" value="refuse">
            Refuse
          </button>
        </div>
      </form>
    </Frame>
  );
}

function Environment({ value, words, checked = false }: { readonly value: string; readonly words: string; readonly checked?: boolean }) {
  return (
    <label class="check">
      <input type="radio" name="environment" value={value} checked={checked} />
      <span>{words}</span>
    </label>
  );
}

/** Nothing can be sent back: who asked, or from where, is not certain. */
export function ProblemPage({ nonce, problem }: { readonly nonce: string; readonly problem: string }) {
  return (
    <Frame title="This cannot go on" nonce={nonce} problem={problem}>
      <p>Nothing was given. Begin to sign in again from the app.</p>
    </Frame>
  );
}
