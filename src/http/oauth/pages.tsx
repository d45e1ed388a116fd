import { raw } from "hono/html";
import type { Child } from "hono/jsx";
import type { KeyHolder } from "../../partners/authenticate.ts";
import type { AskingApp } from "./app-address.ts";
import { isOffered, OAUTH_PATHS, OFFERED, ONLY_LOOKS } from "./server.ts";
import { STYLE } from "./style.ts";

const OWN_STYLE = `main { max-width: 40rem; } form.alone { padding: 0; } fieldset { margin: 0; } time { white-space: nowrap; }
.choices { display: grid; gap: 0.4rem; } .first { background: var(--link); border-color: var(--link); color: var(--page); }`;

interface FrameProps {
  readonly title: string;
  readonly nonce: string;
  readonly problem?: string | undefined;
  readonly head?: Child;
  readonly children?: Child;
}

function Frame({ title, nonce, problem, head, children }: FrameProps) {
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        {head}
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

/** The app that asks, and the address that gets the access. */
function Asking({ details }: { readonly details: AskingApp }) {
  const { clientDomain, redirectHost, redirectIsLoopback, privateScheme } = details;
  return (
    <>
      <p>
        {clientDomain === undefined ? "The app chose this name itself. It is not verified. " : `It was published by ${clientDomain}. `}
        {privateScheme === null ? "Access will be sent to " : "Access will be sent to the app on this device that opens addresses with "}
        <strong>{privateScheme ?? redirectHost}</strong>.
      </p>
      {redirectIsLoopback || privateScheme !== null ? (
        <p class="bad">That is an app on this computer. Go on only if you have just started to sign in from it.</p>
      ) : null}
    </>
  );
}

interface KeyPageProps {
  readonly nonce: string;
  readonly details: AskingApp;
  readonly handle: string;
  /** What the service is called. */
  readonly service: string;
  readonly problem?: string | undefined;
}

/** The first page: the app that asks, and a field for the partner's key. */
export function KeyPage({ nonce, details, handle, service, problem }: KeyPageProps) {
  return (
    <Frame title={`${details.clientName} asks for access`} nonce={nonce} problem={problem}>
      <p>It wants to use {service} for you. On the next page you choose what it may do.</p>
      <Asking details={details} />
      <form action={OAUTH_PATHS.authorize} method="post" class="alone">
        <input type="hidden" name="handle" value={handle} />
        <label for="key">
          <span>Your API key</span>
          <input id="key" name="key" type="password" required autocomplete="off" spellcheck={false} />
          <span class="hint">It is used once, on this page. It is not stored, and the app does not get it.</span>
        </label>
        <div class="more">
          <button type="submit" name="decision" value="go_on" class="first">
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
  readonly details: AskingApp;
  readonly holder: KeyHolder;
  readonly until: string;
  readonly state: string;
  /** Whether people can confirm what the agent makes: they do it in the dashboard. */
  readonly mayConfirm: boolean;
  /** Whether that is ticked: the person has ticked it, or another agent of the key has it. */
  readonly isConfirmed: boolean;
  readonly problem?: string | undefined;
}

/** The second page: the agent's permissions, environment, and end date. */
export function ChoicePage({ nonce, details, holder, until, state, mayConfirm, isConfirmed, problem }: ChoicePageProps) {
  const held = Object.keys(OFFERED)
    .filter(isOffered)
    .filter((permission) => holder.caller.permissions.has(permission));
  return (
    <Frame title={`What may ${details.clientName} do?`} nonce={nonce} problem={problem}>
      <p>
        It acts for <strong>{holder.partnerName}</strong>, with what the key “{holder.label}” may do, until <time>{until}</time>. It ends
        earlier if the key is revoked, or if an owner ends it in the dashboard.
      </p>
      <Asking details={details} />
      <form action={`${OAUTH_PATHS.grant}?state=${state}`} method="post" class="alone">
        <fieldset>
          <legend>It may</legend>
          <div class="choices">
            {held.map((permission) => (
              <label class="check">
                <input type="checkbox" name="permission" value={permission} checked={ONLY_LOOKS.includes(permission)} />
                <span>
                  {OFFERED[permission]} <span class="hint">{permission}</span>
                </span>
              </label>
            ))}
          </div>
        </fieldset>
        <fieldset>
          <legend>With</legend>
          <div class="choices">
            <Environment value="test" words="Test payments alone" checked />
            <Environment value="live" words="Only live payments: real money" />
            <Environment value="both" words="Test and live payments" />
          </div>
        </fieldset>
        {mayConfirm && (
          <label class="check">
            <input type="checkbox" name="confirm" value="live" checked={isConfirmed} />
            <span>
              What it makes live waits until a person of yours has confirmed it with a passkey{" "}
              <span class="hint">You can change this in the dashboard, under Developers, Agents.</span>
            </span>
          </label>
        )}
        <div class="more">
          <button type="submit" name="decision" value="allow" class="first">
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

const isOfWeb = (address: string) => /^https?:/.test(address);

/** The last page: the browser returns to the app automatically, or by the link. */
export function BackPage({ nonce, target }: { readonly nonce: string; readonly target: string }) {
  return (
    <Frame title="Going back to the app" nonce={nonce} head={<meta http-equiv="refresh" content={`0;url=${target}`} />}>
      <p>
        <a href={target}>{isOfWeb(target) ? `Go back to ${new URL(target).host}` : "Go back to the app"}</a>
      </p>
    </Frame>
  );
}

/** An error that cannot be sent back: the app or its address is not certain. */
export function ProblemPage({ nonce, problem }: { readonly nonce: string; readonly problem: string }) {
  return (
    <Frame title="This cannot go on" nonce={nonce} problem={problem}>
      <p>Nothing was given. Begin to sign in again from the app.</p>
    </Frame>
  );
}
