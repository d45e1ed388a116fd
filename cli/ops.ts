const HELP = `npm run ops -- <command>

  ledger                    movements without a partner, parked events, and how far the sweeps have come
  look <live|test> <id>     look at a ch_, pi_, re_, du_, txn_ or sub_ of the processor anew
  retry-event <evt_…>       try a parked event again from the start

  bank                      what the bank told that fits no payment
  order <order_id>          a ruble payment, and all that the bank told of it
  look-order <order_id>     ask the bank what it holds for the order, and record it
  dismiss <notification>    close what the bank told and nobody has to look into any more

OPS_BASE names the edge (http://localhost:8787), OPS_TOKEN is the operators' token (the local one unless set), and
OPERATOR is your name for the audit log.`;

/** `npm run ops`: asks the operators' addresses of an edge, and prints the JSON that comes back. */
export async function run([command = "help", ...args]: readonly string[]): Promise<number> {
  const request = requestOf(command, args);
  if (request === null) {
    console.log(HELP);
    return command === "help" ? 0 : 2;
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
    return response.ok ? 0 : 1;
  } catch (thrown) {
    console.error(
      `${OPS_BASE} cannot be reached (${thrown instanceof Error ? thrown.message : "unknown"}). Start it with npm run dev, or set OPS_BASE.`,
    );
    return 1;
  }
}

interface OpsRequest {
  readonly path: string;
  readonly method: string;
  readonly body?: string;
}

function requestOf(command: string, [first, second]: readonly string[]): OpsRequest | null {
  if (command === "ledger") return { method: "GET", path: "/ops/ledger" };
  if (command === "look" && first !== undefined && second !== undefined) {
    return { method: "POST", path: "/ops/ledger/look", body: JSON.stringify({ environment: first, id: second }) };
  }
  if (command === "retry-event" && first !== undefined) {
    return { method: "POST", path: `/ops/ledger/events/${encodeURIComponent(first)}/retry` };
  }
  if (command === "bank") return { method: "GET", path: "/ops/bank" };
  if (command === "order" && first !== undefined) return { method: "GET", path: `/ops/bank/orders/${encodeURIComponent(first)}` };
  if (command === "look-order" && first !== undefined) {
    return { method: "POST", path: `/ops/bank/orders/${encodeURIComponent(first)}/look` };
  }
  if (command === "dismiss" && first !== undefined) {
    return { method: "POST", path: `/ops/bank/notifications/${encodeURIComponent(first)}/dismiss` };
  }
  return null;
}
