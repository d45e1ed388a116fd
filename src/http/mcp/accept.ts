const BOTH = "application/json, text/event-stream";

/** Whether a host accepts the event stream by name; a wildcard does not count. */
function namesStream(accept: string): boolean {
  return /text\/(event-stream|\*)/i.test(accept);
}

/**
 * The message for the MCP library, which refuses a host that does not accept both types. Hosts send one type, any type
 * or none; the answer is the same. The body has already been read.
 */
export function acceptingBoth({ url, method, headers }: Request): Request {
  const own = new Headers(headers);
  own.set("Accept", BOTH);
  return new Request(url, { method, headers: own });
}

/** The library's answer in the type that the host accepts: one JSON message, unless the host names the event stream. */
export async function inAcceptedType(response: Response, accept: string): Promise<Response> {
  const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
  if (!isStream || namesStream(accept)) return response;
  const messages = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  const headers = new Headers(response.headers);
  headers.set("Content-Type", "application/json");
  // A call has one answer; earlier messages are notifications.
  return new Response(messages.at(-1)?.slice("data: ".length) ?? "", { status: response.status, headers });
}
