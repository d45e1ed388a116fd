import * as z from "zod";
import { confirmationStates, stateOfConfirmation } from "../../core/object-states.ts";
import { type Confirmation, decide, findConfirmation, listConfirmations } from "../../grants/confirmations.ts";
import { requirePermission } from "../../partners/authenticate.ts";
import { admitChange } from "../../partners/change-counts.ts";
import { isPermission } from "../../partners/permissions.ts";
import { cutPage, pageKeyIn, pageOf, pageQuery } from "../calls/paging.ts";
import { conflict } from "../calls/refusal.ts";
import { previewView, viewPreview } from "../dry-run.ts";
import { definePartnerCall } from "../partner/define-call.ts";
import { wire } from "../wire.ts";
import { type Asker, defineForBoth, defineForPartner } from "./define.ts";
import { ownerField, seenBy } from "./rows.ts";

/** A request of an agent that a person confirms. */
const confirmationView = z.object({
  confirmation_id: z.string(),
  state: z.enum(confirmationStates).describe("approved: the agent has not repeated its request yet; done: it was carried out"),
  grant_id: z.string().describe("The agent's access"),
  client_name: z.string().describe("The name that the agent's host gives itself"),
  operation: z.string(),
  permission: z.string().describe("What a person needs to decide it"),
  would_make: previewView.describe("What the request makes once it is confirmed. With another price it would be another request"),
  requested_at: z.string(),
  expires_at: z.string().describe("Until when it can be decided, and after an approval, until when the agent can repeat it"),
  decided_at: z.string().nullable(),
  decided_by: z.string().nullable(),
  begun_at: z.string().nullable().describe("Since when the agent carries it out: then its approval cannot be taken back any more"),
  done_at: z.string().nullable(),
});

const owned = confirmationView.extend(ownerField);

/** Whether a reader sees where events would go, and the order reference: a path may hold a secret. */
const seesWhole = ({ partner }: Asker, { permission }: Confirmation): boolean =>
  partner === null || !isPermission(permission) || partner.caller.permissions.has(permission);

/** What a request makes, for a reader without its permission: of an address the host alone. */
function inPart({ webhooks, checkout, ...rest }: z.input<typeof previewView>): z.input<typeof previewView> {
  return {
    ...rest,
    webhooks: webhooks.map(({ environment, url }) => ({ environment, url: new URL(url).origin })),
    checkout: checkout && { ...checkout, order_reference: null },
  };
}

const fieldsOf = wire(owned);

const viewConfirmation = (asker: Asker, confirmation: Confirmation, now = asker.deps.clock.now()): z.input<typeof owned> => ({
  ...fieldsOf(confirmation),
  confirmation_id: confirmation.id,
  state: stateOfConfirmation(confirmation, now),
  would_make: seesWhole(asker, confirmation) ? viewPreview(confirmation.preview) : inPart(viewPreview(confirmation.preview)),
});

const NO_CONFIRMATION = {
  partner: "You have no such request. `GET /partner/confirmations` lists what your agents asked for.",
  operator: "There is no such request. `confirmations list <partner>` shows those of a partner.",
};

/** The request, if the asker may see it. @throws CallRefusal 404 */
const requireConfirmation = async (asker: Asker, id: string) =>
  seenBy(asker, await findConfirmation(asker.deps.directory, id), NO_CONFIRMATION);

const WORDS = {
  approve: { decision: "approved", summary: "Lets an agent carry out what it asked for, once" },
  refuse: { decision: "refused", summary: "Refuses what an agent asked for" },
} as const;

/** The decision of a person who could do the same by themselves. A key cannot decide: an agent may hold it. */
const decisionCall = (verb: keyof typeof WORDS) =>
  definePartnerCall({
    method: "POST",
    command: `confirmations ${verb}`,
    path: `/partner/confirmations/{confirmation}/${verb}` as const,
    permission: "signed_in",
    needsPasskey: true,
    // It is counted once the person's permission is known.
    isBounded: true,
    summary: WORDS[verb].summary,
    answer: confirmationView,
    example: "conf_0123…",
    async run(context, { params: { confirmation } }) {
      const { deps, actor, caller } = context;
      const asker = { deps, actor, partner: context };
      const found = await requireConfirmation(asker, confirmation);
      if (isPermission(found.permission)) requirePermission(caller, found.permission, "person");
      await admitChange(deps, caller);
      const { decision } = WORDS[verb];
      const decided = await decide(deps, found, decision, actor);
      if (decided.decision !== decision) conflict(NOT_WAITING);
      return viewConfirmation(asker, decided);
    },
  });

const NOT_WAITING = "This request does not wait any more: it was decided or begun before, or its time is over.";

export const confirmationCalls = [
  defineForPartner({
    query: z.object({ ...pageQuery, state: z.literal("pending").optional().describe("Only those that wait for a person") }),
    partner: {
      command: "confirmations list",
      path: "/partner/confirmations",
      permission: "products_view",
      summary: "What your agents asked for that waits, or waited, for a person, newest first",
      answer: pageOf(confirmationView),
    },
    operator: {
      role: "any",
      summary: "What a partner's agents asked for that waits, or waited, for a person, newest first",
      answer: pageOf(owned),
      example: "acme",
    },
    async run({ asker, deps, partnerId }, { query: { limit, cursor, state } }) {
      const wanted = { after: pageKeyIn(cursor), isPending: state === "pending" };
      const found = await listConfirmations(deps, partnerId, wanted, limit + 1);
      return cutPage(
        found,
        limit,
        (one) => viewConfirmation(asker, one),
        ({ requestedAt, id }) => [requestedAt, id],
      );
    },
  }),
  defineForBoth({
    partner: {
      command: "confirmations show",
      path: "/partner/confirmations/{confirmation}",
      permission: "any",
      summary:
        "One request of an agent that a person confirms, with what it would make; with `products_view`, or the operation's permission",
      answer: confirmationView,
      example: "conf_0123…",
    },
    operator: { role: "any", summary: "One request of a partner's agent that a person confirms, with what it would make", answer: owned },
    async run(asker, { params: { confirmation } }) {
      const found = await requireConfirmation(asker, confirmation);
      const caller = asker.partner?.caller;
      if (caller !== undefined && !caller.permissions.has("products_view") && isPermission(found.permission))
        requirePermission(caller, found.permission, asker.partner?.signedIn === null ? "key" : "person");
      return viewConfirmation(asker, found);
    },
  }),
  decisionCall("approve"),
  decisionCall("refuse"),
];
