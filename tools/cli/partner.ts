import { runPartner } from "../../packages/cli/src/run.ts";
import { LOCAL_KEY } from "../../sandbox/local-settings.ts";
import { calledAs } from "./called-as.ts";
import { commandsFor } from "./operations/commands.ts";

const EPILOGUE = `Exit codes: 0 done; 1 refused, failed or out of reach; 2 wrong arguments.

--url (or PARTNER_API_BASE) is the service, and PARTNER_API_KEY your key. Without them the local stack is asked, as acme.`;

/** `npm run partner`: the command that partners install, from its sources. Returns the exit code. */
export async function run(args: readonly string[]): Promise<number> {
  return runPartner(args, {
    name: calledAs("partner"),
    epilogue: EPILOGUE,
    commands: await commandsFor("partner", loadCalls),
    events: async () => (await import("../../src/webhooks/admin/test-event.ts")).eventNames,
    local: { url: `http://localhost:${process.env.PORT ?? "8787"}`, key: LOCAL_KEY },
  });
}

/** The calls of keys. Only a browser has a session. */
async function loadCalls() {
  const { partnerCalls } = await import("../../src/http/partner/calls/index.ts");
  return partnerCalls.filter(({ permission }) => permission !== "signed_in");
}
