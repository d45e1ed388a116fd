import { type Context, Hono } from "hono";
import { HOUR, isoTime } from "../../core/clock.ts";
import { isViewing } from "../../operators/partner-views.ts";
import { personsCancelPermission } from "../../partners/authenticate.ts";
import { rights } from "../../partners/permissions.ts";
import { mountCalls } from "../calls/mount.ts";
import { CallRefusal } from "../calls/refusal.ts";
import type { AppEnv } from "../context.ts";
import { requireLocation, requirePartner } from "../objects/partner-lookup.ts";
import { partnerCalls } from "../partner/calls/index.ts";
import { sessionAnswer } from "../partner/calls/session.ts";
import type { PartnerContext } from "../partner/define-call.ts";
import { answerPartnerFailure } from "../partner/failure.ts";
import { partnerContextOf } from "../partner/index.ts";
import { requireRole } from "./operator-auth.ts";

/** Before the path of a partner's call. */
const PREFIX = "/ops/partners/:viewed/view";

/**
 * The partner's own reading calls for an operator: `/ops/partners/<id>/view/partner/…`. The partner's dashboard is
 * drawn from them. No changing call is mounted, and none that is about a person's own session.
 */
export function viewRoutes(): Hono<AppEnv> {
  const reading = partnerCalls.filter(({ method, permission }) => method === "GET" && permission !== "signed_in");
  const calls = mountCalls(reading, {
    prefix: "partner ",
    guard: async (_call, context) => {
      const id = context.req.param("viewed") ?? "";
      await requireView(context, id);
      const location = await requireLocation(context.get("deps"), id);
      const holder = { kind: "person", employeeId: "operator" } as const;
      context.set("caller", { ...location, partnerId: id, holder, permissions: new Set(rights), cancelPermission: null });
      context.set("signedIn", null);
    },
    contextOf: viewContextOf,
  });
  calls.onError(answerPartnerFailure);
  return new Hono<AppEnv>().get(`${PREFIX}/partner/session`, showSession).route(PREFIX, calls);
}

/** @throws CallRefusal 403 unless the audit log has that this operator looks at the partner's dashboard */
async function requireView(context: Context<AppEnv>, id: string): Promise<void> {
  requireRole(context.get("roles"), "support");
  if (!(await isViewing(context.get("deps"), id, context.get("actor"))))
    throw new CallRefusal(403, "Open it from the partner's page in the console: the audit log then notes it.");
}

/** The session that the dashboard shows: the operator, with all that an owner may see. */
async function showSession(context: Context<AppEnv>): Promise<Response> {
  const { id, name, timeZone } = await requirePartner(context.get("deps"), context.req.param("viewed") ?? "");
  await requireView(context, id);
  const { clock, settings } = context.get("deps");
  const session = sessionAnswer.parse({
    session: "view",
    person: { id: "operator", name: context.get("actor").name },
    partner: { id, name },
    permissions: [...rights],
    cancel_permission: personsCancelPermission({ cancelPermission: null }),
    time_zone: timeZone,
    expires_at: isoTime(clock.now() + HOUR),
    api: settings.apiOrigin,
    viewed_by_operator: true,
  });
  return context.json(session);
}

function viewContextOf(context: Context<AppEnv>): PartnerContext {
  return { ...partnerContextOf(context), actor: context.get("actor"), isOperator: true, dropCookie: () => undefined };
}
