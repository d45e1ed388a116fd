import { existsSync } from "node:fs";
import { type DeploymentRecord, pathOf } from "./record.ts";

/** Prints the steps that only a person can do. */
export function remaining(
  { name, api_host, dashboard_host, vars }: DeploymentRecord,
  { isNew, sellsRubles }: { readonly isNew: boolean; readonly sellsRubles: boolean },
): void {
  const api = `https://${api_host}`;
  const dashboard = typeof dashboard_host === "string" ? `https://${dashboard_host}` : null;
  const operated = [api, dashboard].flatMap((origin) => (origin === null ? [] : `${origin}/ops`));
  const hasAccess = vars.ACCESS_TEAM_DOMAIN !== undefined;
  const secrets = pathOf(name, "secrets.json");
  const list = [
    ...(dashboard_host === undefined
      ? [
          "There is no dashboard and no console, so people and operators cannot sign in. Run this command again with --dashboard-host <host>, or with --dashboard-host none to keep it so.",
        ]
      : []),
    ...(existsSync(secrets)
      ? [`Put ${secrets} into your store of secrets, and delete it here: without SECRET_ENCRYPTION_KEYS no backup can be used.`]
      : []),
    ...(hasAccess
      ? []
      : [
          `Operators who sign in: a Cloudflare Access application for ${operated.join(" and ")}, then ACCESS_TEAM_DOMAIN and ACCESS_AUDIENCE under "vars" of ${pathOf(name, "json")}, and this command again.`,
        ]),
    ...(dashboard === null || hasAccess
      ? []
      : [
          `The first person of a partner: npm run ops -- employees add …, then employees invite …, makes the link with which they sign in at ${dashboard}/dashboard (docs/operations.md).`,
        ]),
    ...(isNew
      ? [
          "Alerts: docs/alerts.md.",
          "How often short links are opened is counted once ANALYTICS_TOKEN is given by --secrets: an API token with Account, Account Analytics, Read (docs/deploy.md).",
        ]
      : []),
    ...(isNew && sellsRubles
      ? [`The ruble bank: notifications come by POST to ${api}/ingest/bank. A Worker may need a relay to reach the bank (docs/deploy.md).`]
      : []),
    `npm run doctor -- --url ${api}, with OPS_TOKEN: it names what the processor's keys may not do and what its event destinations (${api}/ingest/processor/live and …/test, payload style snapshot) lack.`,
  ];
  console.log("\nWhat remains for a person:");
  for (const entry of list) console.log(`- ${entry}`);
}
