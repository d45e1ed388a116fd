const HELP = `npm run ops -- <command>

  ledger                    movements without a partner, what is parked, and the progress of the reconciliations
  refresh <live|test> <id>  refresh a ch_, pi_, re_, du_, txn_ or sub_ from the processor
  retry <pi_…|sub_…>        try a parked payment or subscription again from the start

  bank                      bank notifications that match no payment
  order <order_id>          a ruble payment, and all bank notifications for it
  refresh-order <order_id>  poll the bank for the state of the order, and record it
  dismiss <notification>    close a bank notification that needs no further action

  endpoints [<partner>]     webhooks that fail, are in cooldown or suspended; for a partner, all of them
  suspend <ep_…>            send nothing to a webhook; its events are kept
  resume <ep_…>             resume a webhook, and send the kept events
  send-exhausted <ep_…> [<since>]
                            restart the deliveries that were given up after the last attempt
  deliveries <partner>      a partner's newest events, and the state of their delivery
  deliveries <ep_…> [<state>]
                            a webhook's newest deliveries in a state: exhausted (default), pending, sending,
                            suspended or succeeded
  delivery <evt_…>          an event, and every delivery attempt
  resend <evt_…>            send an event again, immediately
  re-encrypt                re-encrypt signing secrets with the current key, some hundred per call

OPS_BASE is the edge (default: http://localhost:8787), OPS_TOKEN is the operators' token (default: the local one), and
OPERATOR is your name for the audit log.`;

/** `npm run ops`: calls the operator endpoints of an edge, and prints the JSON response. */
export async function run([command = "help", ...args]: readonly string[]): Promise<number> {
  if (command === "help") {
    console.log(HELP);
    return 0;
  }
  const request = requestOf(command, args);
  if (request === null) {
    const isKnown = command in withoutArguments || command in withArguments;
    console.error(`${isKnown ? `${command} takes other arguments.` : `There is no command ${command}.`}\n\n${HELP}`);
    return 2;
  }
  const { OPS_BASE = `http://localhost:${process.env.PORT ?? "8787"}`, OPS_TOKEN = "ops-local", OPERATOR = "" } = process.env;
  const { path, ...init } = request;
  const headers = {
    Authorization: `Bearer ${OPS_TOKEN}`,
    "Content-Type": "application/json",
    "X-Operator": encodeURIComponent(OPERATOR),
  };
  try {
    const response = await fetch(new URL(path, OPS_BASE), { ...init, headers });
    const text = await response.text();
    const isJson = response.headers.get("Content-Type")?.includes("json") ?? false;
    (response.ok ? console.log : console.error)(isJson ? JSON.stringify(JSON.parse(text), null, 2) : text);
    return response.ok && !(isJson && hasFailed(text)) ? 0 : 1;
  } catch (thrown) {
    console.error(
      `${OPS_BASE} cannot be reached (${thrown instanceof Error ? thrown.message : "unknown"}). Start it with npm run dev, or set OPS_BASE.`,
    );
    return 1;
  }
}

/** Whether the request was processed but its action failed: for example, the receiver refused a resent event. */
function hasFailed(text: string): boolean {
  const answer: unknown = JSON.parse(text);
  return typeof answer === "object" && answer !== null && "success" in answer && answer.success === false;
}

interface OpsRequest {
  readonly path: string;
  readonly method: string;
  readonly body?: string;
}

type Command = (first: string, second: string | undefined) => OpsRequest | null;

const get = (path: string): OpsRequest => ({ method: "GET", path });
const post = (path: string, body?: object): OpsRequest => ({ method: "POST", path, ...(body && { body: JSON.stringify(body) }) });
const query = (parameters: Readonly<Record<string, string>>): string => `?${new URLSearchParams(parameters).toString()}`;

/** Commands without arguments, and commands that need at least one argument. */
const withoutArguments: Readonly<Record<string, () => OpsRequest>> = {
  ledger: () => get("/ops/ledger"),
  bank: () => get("/ops/bank"),
  endpoints: () => get("/ops/endpoints"),
  "re-encrypt": () => post("/ops/secrets/re-encrypt"),
};
const withArguments: Readonly<Record<string, Command>> = {
  refresh: (environment, id) => (id === undefined ? null : post("/ops/ledger/refresh", { environment, id })),
  retry: (id) => post(`/ops/ledger/parked/${encodeURIComponent(id)}/retry`),
  order: (order) => get(`/ops/bank/orders/${encodeURIComponent(order)}`),
  "refresh-order": (order) => post(`/ops/bank/orders/${encodeURIComponent(order)}/refresh`),
  dismiss: (notification) => post(`/ops/bank/notifications/${encodeURIComponent(notification)}/dismiss`),
  endpoints: (partner) => get(`/ops/endpoints${query({ partner })}`),
  suspend: (endpoint) => post(`/ops/endpoints/${encodeURIComponent(endpoint)}/suspend`),
  resume: (endpoint) => post(`/ops/endpoints/${encodeURIComponent(endpoint)}/resume`),
  "send-exhausted": (endpoint, since) =>
    post(`/ops/endpoints/${encodeURIComponent(endpoint)}/send-exhausted${since === undefined ? "" : query({ since })}`),
  deliveries: (owner, state) =>
    get(`/ops/deliveries${query({ [owner.startsWith("ep_") ? "endpoint" : "partner"]: owner, ...(state && { state }) })}`),
  delivery: (event) => get(`/ops/deliveries/${encodeURIComponent(event)}`),
  resend: (event) => post(`/ops/deliveries/${encodeURIComponent(event)}/resend`),
};

/** A command accepts at most as many arguments as its function. */
function requestOf(command: string, words: readonly string[]): OpsRequest | null {
  const [first, second] = words;
  if (first === undefined) return withoutArguments[command]?.() ?? null;
  const make = withArguments[command];
  return make === undefined || words.length > make.length ? null : make(first, second);
}
