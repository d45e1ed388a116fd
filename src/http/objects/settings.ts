import * as z from "zod";
import { isTimeZone } from "../../core/time-zone.ts";
import type { Deps } from "../../deps.ts";
import { setPartnerSettings } from "../../partners/admin/settings.ts";
import { defineForPartner } from "./define.ts";
import { requireLocation } from "./partner-lookup.ts";

const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "must be a time zone by its IANA name, such as Europe/Berlin or UTC")
  .describe("The zone of your days and months: in reports, statements, files, and wherever a date stands without a time");

const expiredCheckouts = z
  .boolean()
  .describe("Whether you get `Processor.checkout.expired` for each checkout that ended unpaid, from now on. Most checkouts end so");

const settingsAnswer = z.object({ time_zone: z.string(), expired_checkouts: expiredCheckouts });

async function view(deps: Deps, partnerId: string): Promise<z.input<typeof settingsAnswer>> {
  const { timeZone: zone, expiredCheckouts: isAsked } = await requireLocation(deps, partnerId);
  return { time_zone: zone, expired_checkouts: isAsked };
}

export const settingsCalls = [
  defineForPartner({
    partner: {
      command: "settings show",
      path: "/partner/settings",
      permission: "any",
      summary: "Your settings: the time zone of your days and months, and whether you hear of checkouts that ended unpaid",
      answer: settingsAnswer,
    },
    operator: { role: "any", summary: "A partner's settings", example: "acme" },
    run: ({ deps, partnerId }) => view(deps, partnerId),
  }),
  defineForPartner({
    method: "PUT",
    body: z
      .strictObject({ time_zone: timeZone.optional(), expired_checkouts: expiredCheckouts.optional() })
      .refine((body) => Object.keys(body).length > 0, "must have a setting"),
    partner: {
      command: "settings set",
      path: "/partner/settings",
      permission: "owner",
      summary: "Sets the settings that you name. Closed statements keep their time zone",
      answer: settingsAnswer,
      example: "--time_zone Europe/Berlin",
    },
    operator: { role: "admin", summary: "Sets settings of a partner", example: "acme --time_zone Europe/Berlin" },
    async run({ deps, actor, partnerId }, { body }) {
      await setPartnerSettings(deps, partnerId, { timeZone: body.time_zone, expiredCheckouts: body.expired_checkouts }, actor);
      return view(deps, partnerId);
    },
  }),
];
