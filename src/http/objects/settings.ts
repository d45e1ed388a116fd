import * as z from "zod";
import { isTimeZone } from "../../core/time-zone.ts";
import { setTimeZone } from "../../partners/admin/settings.ts";
import { defineForPartner } from "./define.ts";
import { zoneOf } from "./rows.ts";

const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, "must be a time zone by its IANA name, such as Europe/Berlin or UTC")
  .describe("The zone of your days and months: in reports, statements, files, and wherever a date stands without a time");

const settingsAnswer = z.object({ time_zone: z.string() });

export const settingsCalls = [
  defineForPartner({
    method: "GET",
    partner: {
      command: "settings show",
      path: "/partner/settings",
      permission: "any",
      summary: "Your settings: the time zone of your days and months",
      answer: settingsAnswer,
      example: "",
    },
    operator: {
      command: "settings show",
      path: "/ops/partners/{partner}/settings",
      role: "any",
      summary: "A partner's settings",
      answer: settingsAnswer,
      example: "acme",
    },
    run: async ({ asker, partnerId }) => ({ time_zone: await zoneOf(asker, partnerId) }),
  }),
  defineForPartner({
    method: "PUT",
    body: z.strictObject({ time_zone: timeZone }),
    positional: ["time_zone"],
    partner: {
      command: "settings set",
      path: "/partner/settings",
      permission: "owner",
      summary: "Sets the time zone of your days and months. Closed statements keep theirs",
      answer: settingsAnswer,
      example: "Europe/Berlin",
    },
    operator: {
      command: "settings set",
      path: "/ops/partners/{partner}/settings",
      role: "admin",
      summary: "Sets the time zone of a partner's days and months",
      answer: settingsAnswer,
      example: "acme Europe/Berlin",
    },
    async run({ deps, actor, partnerId }, { body }) {
      await setTimeZone(deps, partnerId, body.time_zone, actor);
      return { time_zone: body.time_zone };
    },
  }),
];
