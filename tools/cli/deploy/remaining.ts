import { type DeploymentRecord, pathOf } from "./record.ts";

/** Prints the steps that only a person can do. */
export function remaining(
  { name, api_host }: DeploymentRecord,
  { isNew, sellsRubles }: { readonly isNew: boolean; readonly sellsRubles: boolean },
): void {
  const api = `https://${api_host}`;
  const list = [
    ...(isNew
      ? [
          `Put ${pathOf(name, "secrets.json")} into your store of secrets, and delete it here: without SECRET_ENCRYPTION_KEYS no backup can be used.`,
          `Operators who sign in: a Cloudflare Access application for ${api}/ops, then ACCESS_TEAM_DOMAIN and ACCESS_AUDIENCE under "vars" of ${pathOf(name, "json")}, and this command again.`,
          "Alerts: docs/alerts.md.",
          ...(sellsRubles
            ? [
                `The ruble bank: notifications come by POST to ${api}/ingest/bank. A Worker may need a relay to reach the bank (docs/deploy.md).`,
              ]
            : []),
        ]
      : []),
    `npm run doctor -- --url ${api}, with OPS_TOKEN: it names what the processor's keys may not do and what its event destinations (${api}/ingest/processor/live and …/test, payload style snapshot) lack.`,
  ];
  console.log("\nWhat remains for a person:");
  for (const entry of list) console.log(`- ${entry}`);
}
