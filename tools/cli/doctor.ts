import * as z from "zod";
import { printableJson } from "../local/printable.ts";
import { readArguments } from "./arguments.ts";
import { faultOfDashboard } from "./remote/dashboard.ts";
import { ask, type Edge, edgeOf, operatorHeaders, RemoteFault } from "./remote/edge.ts";
import { faultOfShortLinks } from "./remote/short-links.ts";

const HELP = `Looks at an edge from outside and, by its own report, from inside: databases and their migrations, KV, R2, queues, the
cron, the processor's and the bank's keys, the event destinations, and what is late. Changes nothing.

OPS_TOKEN is the operators' token. Exit codes: 0 nothing has failed; 1 something has; 2 wrong arguments.`;

const COMMAND_LINE = {
  name: "doctor",
  help: HELP,
  options: {
    url: { type: "string", requiresArg: true, describe: "The edge; the local stack unless said" },
    json: { type: "boolean", default: false, describe: "Print the findings as JSON" },
  },
} as const;

const states = ["ok", "warning", "unknown", "failed"] as const;
const findingSchema = z.object({ check: z.string(), state: z.enum(states), detail: z.string(), cure: z.string().nullable() });
type Finding = z.infer<typeof findingSchema>;
const reportSchema = z.object({
  at: z.string(),
  dashboard_origin: z.string().nullable().default(null),
  short_link_origin: z.string().nullable().default(null),
  checks: z.array(findingSchema),
});

const MARKS = { ok: "ok     ", warning: "LOOK AT", unknown: "UNKNOWN", failed: "FAILED " } as const;

/** The maximum clock difference between this machine and the edge, in seconds. */
const CLOCK_TOLERANCE = 30;

/** `npm run doctor`: checks everything that an edge needs, and says what to do. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const given = read.options;
  const findings: Finding[] = [];
  try {
    const edge = edgeOf(given.url);
    findings.push(...(await fromOutside(edge)), ...(await fromInside(edge)));
  } catch (thrown) {
    if (!(thrown instanceof RemoteFault)) throw thrown;
    findings.push(failed("edge", thrown.message, "Is the address right, and the Worker deployed? Locally: npm run dev."));
  }
  if (given.json) console.log(printableJson({ checks: findings }));
  else print(findings);
  return findings.some(({ state }) => state === "failed") ? 1 : 0;
}

/** Checks without credentials. */
async function fromOutside({ url }: Edge): Promise<Finding[]> {
  const findings: Finding[] = [];
  const health = await ask(`${url}/health`);
  if (health.status === 200) findings.push(ok("from outside", `${url} answers that all is well`));
  else if (health.status === 503) {
    const answer: unknown = await health.json().catch(() => null);
    const isUnset = z.object({ error: z.string() }).safeParse(answer).success;
    findings.push(
      isUnset
        ? failed("from outside", "the Worker refuses to serve", "Its log names the setting that is missing or invalid: npx wrangler tail.")
        : failed("from outside", "the service says that it is not well", "The other checks say why."),
    );
  } else
    findings.push(
      failed("from outside", `${url}/health answered ${health.status}`, "Is this the API's address? Is Access before /ops alone?"),
    );
  const theirs = Date.parse(health.headers.get("Date") ?? "");
  const off = Math.round(Math.abs(Date.now() - theirs) / 1_000);
  if (off > CLOCK_TOLERANCE)
    findings.push(warning("clock", `this machine and the edge differ by ${off} s`, "Correct the clock of this machine."));
  const description = await ask(`${url}/openapi.json`);
  findings.push(
    description.ok
      ? ok("description", "/openapi.json is served")
      : failed("description", "/openapi.json is not served", "Deploy with `npm run deploy`, which builds it."),
  );
  if (url.startsWith("https:")) {
    const plain = await ask(`${url.replace("https:", "http:")}/health`).catch(() => null);
    const isOpen = plain !== null && plain.status === 200;
    if (isOpen)
      findings.push(failed("https", "the API is served without https too", "The Worker refuses it: is this the Worker that answers?"));
  }
  return findings;
}

/** The edge's own report to operators. */
async function fromInside(edge: Edge): Promise<Finding[]> {
  const response = await ask(`${edge.url}/ops/health`, { headers: operatorHeaders(edge) });
  const isAccess = response.status === 302 && (response.headers.get("Location") ?? "").includes("cloudflareaccess");
  if (response.status === 401 || isAccess) {
    const cure = isAccess ? "Set CF_ACCESS_CLIENT_ID and CF_ACCESS_CLIENT_SECRET." : "Set OPS_TOKEN to the token of this deployment.";
    return [failed("from inside", "the edge does not take this operator", cure)];
  }
  const report = reportSchema.safeParse(await response.json().catch(() => null));
  if (!report.success) return [failed("from inside", `/ops/health answered ${response.status}`, "Look at the log.")];
  const { checks, dashboard_origin: dashboard, short_link_origin: shortLinks } = report.data;
  const found = [...checks, ...(shortLinks === null ? [] : linksFinding(shortLinks, await faultOfShortLinks(shortLinks)))];
  const fault = dashboard === null ? null : await faultOfDashboard(dashboard);
  if (fault === null) return found;
  return [...found, failed("dashboard from outside", fault, "Does its host lead to this Worker? Deploy with --dashboard-host.")];
}

/** The short links have a Worker of their own, so the API's report says nothing of it. */
function linksFinding(origin: string, fault: string | null): readonly Finding[] {
  if (fault === null) return [ok("short links from outside", `${origin} answers`)];
  const cure =
    "Does the host lead to the Worker of the short links, <deployment>-links? Its log says more: npx wrangler tail <deployment>-links.";
  return [failed("short links from outside", fault, cure)];
}

function print(findings: readonly Finding[]): void {
  for (const { check, state, detail } of findings) console.log(`${MARKS[state]}  ${check.padEnd(30)}  ${detail}`);
  const wrong = findings
    .filter(({ state }) => state !== "ok")
    .toSorted((one, other) => states.indexOf(other.state) - states.indexOf(one.state));
  if (wrong.length === 0) {
    console.log("\nEverything is as it should be.");
    return;
  }
  console.log("\nWhat to do:");
  for (const { check, cure } of wrong) console.log(`- ${check}: ${cure ?? "look at the log"}`);
}

const ok = (check: string, detail: string): Finding => ({ check, state: "ok", detail, cure: null });
const warning = (check: string, detail: string, cure: string): Finding => ({ check, state: "warning", detail, cure });
const failed = (check: string, detail: string, cure: string): Finding => ({ check, state: "failed", detail, cure });
