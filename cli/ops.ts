const HELP = `npm run ops -- <command>

  ledger                    movements without a partner, parked events, and how far the sweeps have come
  look <live|test> <id>     look at a ch_, pi_, re_, du_, txn_ or sub_ of the processor anew
  retry-event <evt_…>       try a parked event again from the start

  bank                      what the bank told that fits no payment
  order <order_id>          a ruble payment, and all that the bank told of it
  look-order <order_id>     ask the bank what it holds for the order, and record it
  dismiss <notification>    close what the bank told and nobody has to look into any more

  endpoints [<partner>]     webhooks that fail, rest or are suspended; of a partner, all of them
  suspend <ep_…>            send nothing to a webhook; what happens is kept for it
  resume <ep_…>             start it again, and send what was kept
  send-exhausted <ep_…> [<since>]
                            begin anew with what was given up after its last attempt
  deliveries <partner>      a partner's newest events, and what became of them
  deliveries <ep_…> [<state>]
                            the newest of a webhook that are exhausted, or pending, sending, suspended, succeeded
  delivery <evt_…>          an event, and every attempt at its delivery
  resend <evt_…>            send an event once more, now
  reseal                    encrypt signing secrets with the key that is current now, some hundred a call

OPS_BASE names the edge (http://localhost:8787), OPS_TOKEN is the operators' token (the local one unless set), and
OPERATOR is your name for the audit log.`;

/** `npm run ops`: asks the operators' addresses of an edge, and prints the JSON that comes back. */
export async function run([command = "help", ...args]: readonly string[]): Promise<number> {
  if (command === "help") {
    console.log(HELP);
    return 0;
  }
  const request = requestOf(command, args);
  if (request === null) {
    const isKnown = command in alone || command in about;
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

/** Whether what was asked for was done, and came to nothing: a receiver that refuses what is sent again, for example. */
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

/** Those that are about nothing in particular, and those that need at least one word more. */
const alone: Readonly<Record<string, () => OpsRequest>> = {
  ledger: () => get("/ops/ledger"),
  bank: () => get("/ops/bank"),
  endpoints: () => get("/ops/endpoints"),
  reseal: () => post("/ops/secrets/reseal"),
};
const about: Readonly<Record<string, Command>> = {
  look: (environment, id) => (id === undefined ? null : post("/ops/ledger/look", { environment, id })),
  "retry-event": (event) => post(`/ops/ledger/events/${encodeURIComponent(event)}/retry`),
  order: (order) => get(`/ops/bank/orders/${encodeURIComponent(order)}`),
  "look-order": (order) => post(`/ops/bank/orders/${encodeURIComponent(order)}/look`),
  dismiss: (notification) => post(`/ops/bank/notifications/${encodeURIComponent(notification)}/dismiss`),
  endpoints: (partner) => get(`/ops/endpoints${query({ partner })}`),
  suspend: (endpoint) => post(`/ops/endpoints/${encodeURIComponent(endpoint)}/suspend`),
  resume: (endpoint) => post(`/ops/endpoints/${encodeURIComponent(endpoint)}/resume`),
  "send-exhausted": (endpoint, since) =>
    post(`/ops/endpoints/${encodeURIComponent(endpoint)}/send-exhausted${since === undefined ? "" : query({ since })}`),
  deliveries: (whose, state) =>
    get(`/ops/deliveries${query({ [whose.startsWith("ep_") ? "endpoint" : "partner"]: whose, ...(state && { state }) })}`),
  delivery: (event) => get(`/ops/deliveries/${encodeURIComponent(event)}`),
  resend: (event) => post(`/ops/deliveries/${encodeURIComponent(event)}/resend`),
};

/** A command takes no more words than its function does. */
function requestOf(command: string, words: readonly string[]): OpsRequest | null {
  const [first, second] = words;
  if (first === undefined) return alone[command]?.() ?? null;
  const make = about[command];
  return make === undefined || words.length > make.length ? null : make(first, second);
}
