import { canonicalJson } from "../../core/json.ts";
import { limits } from "../../core/limits.ts";
import { stateOfConfirmation } from "../../core/object-states.ts";
import { NotStarted, type Preview } from "../../core/preview.ts";
import { annotateTrace } from "../../core/trace.ts";
import type { Deps } from "../../deps.ts";
import { isHeld } from "../../grants/confirmation-rules.ts";
import { begin, type Confirmation, confirmationFor, forgetBegin, noteDone } from "../../grants/confirmations.ts";
import type { Grantee } from "../../grants/grantee.ts";
import type { Credentials } from "../authenticate.ts";
import { confirmationAddress, dashboardOf } from "../partner/dashboard-origin.ts";
import type { AgentOperation } from "./agent-operation.ts";

type Answer = Awaited<ReturnType<AgentOperation["invoke"]>>;

export const confirmationCodes = ["CONFIRMATION_REQUIRED", "CONFIRMATION_REFUSED", "CONFIRMATION_EXPIRED"] as const;

/** Why a request of an agent was not carried out: a person must confirm it. Only agents that signed in get these. */
export interface NotConfirmed {
  readonly success: false;
  readonly error_code: "INVALID_INPUT" | (typeof confirmationCodes)[number];
  readonly error_message: string;
  /** Where the person decides; for a request that waits. */
  readonly confirmation_url?: string;
}

/**
 * Carries out an operation, unless the grant's rule has it wait for a person. An approved request starts only if it makes what the
 * person has seen: with another price in the catalogue it is another request.
 * @throws ServiceFailure as the operation; `rate_limited` if too many requests asked for a confirmation today
 */
export async function invokeConfirmed(
  deps: Deps,
  operation: AgentOperation,
  credentials: Credentials,
  { body, dryRun }: { readonly body: unknown; readonly dryRun?: unknown },
): Promise<Answer | NotConfirmed> {
  const invoke = (holds: ((preview: Preview) => boolean) | null) =>
    operation.invoke(deps, credentials, body, { dryRun, ...(holds && { starts: { holds, isDryRun: false } }) });
  if (credentials.by !== "grant" || operation.effect.readOnly || Object.keys(credentials.grantee.confirmations).length === 0)
    return invoke(null);
  const { grantee } = credentials;
  const noted = async (answer: Answer) => {
    if (answer.dry_run !== true) await noteDone(deps, grantee.grantId, { operation: operation.name, given: body });
    return answer;
  };
  const found = await orHeld(() => invoke((preview) => isHeld(grantee.confirmations, preview)));
  if (!(found instanceof NotStarted)) return noted(found);
  // Before a row is written: without a dashboard no person could decide.
  dashboardOf(deps.settings);
  const { keyField = null } = operation;
  if (keyField !== null && !hasField(body, keyField)) return keyNeeded(keyField);
  const confirmation = await confirmationOf(deps, operation, grantee, body, found.preview);
  if (stateOfConfirmation(confirmation, deps.clock.now()) !== "approved") return refusalOf(deps, confirmation);
  // From here on the approval cannot be taken back: what was refused is never made.
  if (!(await begin(deps, confirmation))) return refusalOf(deps, await confirmationOf(deps, operation, grantee, body, found.preview));
  const seen = canonicalJson(confirmation.preview);
  const done = await orHeld(() => invoke((preview) => canonicalJson(preview) !== seen));
  if (done instanceof NotStarted) {
    await forgetBegin(deps, confirmation);
    return refusalOf(deps, await confirmationOf(deps, operation, grantee, body, done.preview));
  }
  return noted(done);
}

const confirmationOf = (deps: Deps, operation: AgentOperation, grantee: Grantee, given: unknown, preview: Preview) =>
  confirmationFor(deps, grantee, { operation: operation.name, permission: operation.permission ?? "", given, preview });

async function orHeld(work: () => Promise<Answer>): Promise<Answer | NotStarted> {
  try {
    return await work();
  } catch (thrown) {
    if (thrown instanceof NotStarted) return thrown;
    throw thrown;
  }
}

const hasField = (body: unknown, name: string): boolean =>
  typeof body === "object" && body !== null && Object.entries(body).some(([field, value]) => field === name && (value ?? null) !== null);

/** Without a key a later equal request would be another one, and nothing would say which of them the person has confirmed. */
function keyNeeded(field: string): NotConfirmed {
  const message = `${field}: is needed, because a person confirms this request. Send a new one, and the same when you repeat the request`;
  return noteRefusal({ success: false, error_code: "INVALID_INPUT", error_message: message });
}

function noteRefusal(refusal: NotConfirmed): NotConfirmed {
  annotateTrace({ outcome: "refused", code: refusal.error_code });
  return refusal;
}

const refusalOf = (deps: Deps, confirmation: Confirmation): NotConfirmed => noteRefusal(saidOf(deps, confirmation));

function saidOf({ settings, clock }: Deps, confirmation: Confirmation): NotConfirmed {
  const state = stateOfConfirmation(confirmation, clock.now());
  switch (state) {
    case "pending":
    case "approved": {
      const url = confirmationAddress(settings, confirmation.id);
      return {
        success: false,
        error_code: "CONFIRMATION_REQUIRED",
        error_message: `A person must confirm this. Nothing was made yet. Give them this link: ${url} Then repeat the same request, with the same token.`,
        confirmation_url: url,
      };
    }
    case "refused":
      return { success: false, error_code: "CONFIRMATION_REFUSED", error_message: "A person has refused this request. Nothing was made." };
    case "done":
      return {
        success: false,
        error_code: "CONFIRMATION_EXPIRED",
        error_message: "This request was confirmed and carried out before. Another one needs a new token.",
      };
    case "expired":
      return {
        success: false,
        error_code: "CONFIRMATION_EXPIRED",
        error_message: `No person confirmed this request within ${limits.confirmations.hours} hours, or it was not repeated within ${limits.confirmations.hours} hours after that. Another one needs a new token.`,
      };
  }
}
