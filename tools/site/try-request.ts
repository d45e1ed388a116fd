/** A request that a reader of the reference may change and send: a line with method and path, a blank line, and a JSON body. */
export interface TriedRequest {
  readonly method: string;
  /** With the query, on the service's own origin. */
  readonly path: string;
  /** The body's text; null if there is none. */
  readonly body: string | null;
}

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** The request in a text, or what is wrong with it, in a sentence. */
export function readRequest(text: string): TriedRequest | string {
  const [first = "", ...rest] = text.trim().split("\n");
  const [method = "", path = "", ...more] = first.trim().split(/\s+/);
  if (!METHODS.includes(method) || more.length > 0) return `The first line is a method and a path, such as GET /partner/webhooks.`;
  // Two slashes, or a scheme, would be another host, which must not get the key.
  if (!/^\/(?![/\\])/.test(path)) return "The path begins with one slash: the key goes to this service alone.";
  const body = rest.join("\n").trim();
  if (body === "") return { method, path, body: null };
  if (method === "GET") return "A GET request has no body.";
  try {
    JSON.parse(body);
  } catch {
    return "The body is no JSON.";
  }
  return { method, path, body };
}

/** The text of a request, as the reference shows it. */
export function requestText({ method, path, body }: Omit<TriedRequest, "body"> & { readonly body: object | null }): string {
  return body === null ? `${method} ${path}` : `${method} ${path}\n\n${JSON.stringify(body, null, 2)}`;
}
