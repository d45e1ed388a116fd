import { reconciledEventTypes } from "../../src/ledger/sources.ts";
import { API_VERSION } from "../../src/processor/client.ts";
import { type DeploymentRecord, pathOf } from "./record.ts";

/** Prints what only a person can do. */
export function remaining({ name, api_host }: DeploymentRecord, isNew: boolean): void {
  const api = `https://${api_host}`;
  const list = [
    `The processor's event destinations, in its dashboard, for live and for test: ${api}/ingest/processor/live and ${api}/ingest/processor/test, API version ${API_VERSION}, payload style snapshot, events ${reconciledEventTypes.join(", ")}.`,
    `The ruble bank's terminals: notifications by POST to ${api}/ingest/bank. A Worker may need a relay to reach the bank (docs/deploy.md).`,
    `Operators who sign in: a Cloudflare Access application for ${api}/ops, then ACCESS_TEAM_DOMAIN and ACCESS_AUDIENCE under "vars" of ${pathOf(name, "json")}, and this command again.`,
    "Alerts: docs/alerts.md.",
    ...(isNew
      ? [
          `Put ${pathOf(name, "secrets.json")} into your store of secrets, and delete it here: without SECRET_ENCRYPTION_KEYS no backup can be used.`,
        ]
      : []),
  ];
  console.log("\nWhat remains for a person:");
  for (const entry of list) console.log(`- ${entry}`);
  console.log(`\nAt any time: npm run doctor -- --url ${api}`);
}
