const BOTH = "application/json, text/event-stream";

/** Whether a host names the event stream among the types that it takes; a host that takes any type does not count. */
function namesStream(accept: string): boolean {
  return /text\/(event-stream|\*)/i.test(accept);
}

/**
 * The message for the protocol's library, which refuses a host that does not name both types. Hosts send one type, any type or
 * none; the answer is the same. The body has been read already.
 */
export function acceptingBoth({ url, method, headers }: Request): Request {
  const own = new Headers(headers);
  own.set("Accept", BOTH);
  return new Request(url, { method, headers: own });
}

/** The library's answer in the type that the host takes: one JSON message, unless the host names the event stream. */
export async function inAcceptedType(response: Response, accept: string): Promise<Response> {
  const isStream = response.headers.get("Content-Type")?.startsWith("text/event-stream") === true;
  if (!isStream || namesStream(accept)) return response;
  const messages = (await response.text()).split("\n").filter((line) => line.startsWith("data: "));
  const headers = new Headers(response.headers);
  headers.set("Content-Type", "application/json");
  // A call has one answer; what may come before it is a notice.
  return new Response(messages.at(-1)?.slice("data: ".length) ?? "", { status: response.status, headers });
}
