import { KEY_HEADER, repeats } from "./definitions.ts";
import { type FailureFacts, PaymentsError, type Repeat } from "./failure.ts";
import type { Answer, CallId, Row } from "./types.ts";

export interface ClientOptions {
  /** The address of the service, such as https://api.example.com. */
  readonly url: string;
  /** Your key. It must stay on your server: a browser is refused. */
  readonly key: string;
  /** How often a call is repeated that may be repeated safely; default 3. */
  readonly retries?: number;
  /** The time limit of one attempt in milliseconds; default 40,000, since an operation takes up to 25 seconds. */
  readonly timeout?: number;
  /** Another `fetch`. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  /** Another way to wait before a repeat, in milliseconds; for tests. */
  readonly sleep?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface CallOptions {
  /** Ends the call, with its repeats. */
  readonly signal?: AbortSignal;
}

/** How a call is sent. */
export interface Call {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  /** The field of the body that makes a repeat safe. */
  readonly token?: "client_token" | "idempotency_key";
  /** Whether the key goes into the body. */
  readonly keyInBody?: true;
  /** Whether the body is sent as a form. */
  readonly isForm?: true;
  /** Whether a repeat has no further effect. */
  readonly isSafe?: true;
  /** Whether it answers with a file. */
  readonly isFile?: true;
  /** The fields that go into the query, if the others go into the body. */
  readonly query?: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

/** A list: iterated, it is all rows of all pages. */
export interface Pages<Id extends CallId> extends AsyncIterable<Row<Id>> {
  /** Its first page, with what the list says besides its rows, and `next` for the page after. */
  page(): Promise<Answer<Id>>;
}

const LONGEST_WAIT = 60_000;
const FIRST_WAIT = 500;

/** How calls are sent to one service. @throws PaymentsError for a wrong address or key. */
export function sender(options: ClientOptions) {
  const { key, retries = 3, timeout = 40_000, fetch: ask = fetch, sleep = wait } = options;
  const origin = originOf(options.url);
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key)) throw mistake("The key must be printable characters without white space.");
  if ("document" in globalThis) throw mistake("Your key must not be in a browser. Call the service from your server.");

  /** The answer to a call, after the repeats that are safe. @throws PaymentsError */
  async function answerTo(call: Call, given: object, { signal }: CallOptions): Promise<Response> {
    const { request, token } = requestOf(call, { ...given }, { origin, key });
    // What a DELETE ended is not found by its repeat, which would say so instead of the answer that was lost.
    const isSafe = !["POST", "DELETE"].includes(call.method) || token !== null || call.isSafe === true;
    for (let attempt = 0; ; attempt += 1) {
      const limit = new AbortController();
      const timer = setTimeout(() => limit.abort(new DOMException("The attempt took too long.", "TimeoutError")), timeout);
      const whole = signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]);
      // The body of a file may take longer than an attempt: it is read behind this.
      const outcome = await attemptOf(ask, { ...request, isFile: call.isFile === true, token }, whole).finally(() => clearTimeout(timer));
      if (outcome instanceof Response) return outcome;
      signal?.throwIfAborted();
      const { facts, after } = outcome;
      // A refusal for the number of calls did nothing, so that each call may follow it.
      const isNothingDone = facts.status === 429;
      const mayRepeat = facts.repeat === "now" && (isSafe || isNothingDone);
      const delay = after ?? FIRST_WAIT * 2 ** attempt * (1 + Math.random());
      if (!mayRepeat || attempt >= retries || delay > LONGEST_WAIT) {
        throw new PaymentsError(mayRepeat || isSafe || facts.repeat !== "now" ? facts : { ...facts, repeat: "unknown" });
      }
      await sleep(delay, signal);
      signal?.throwIfAborted();
    }
  }

  /** The answer is what the description of the service says: the client checks no more of it. */
  const one = async <Id extends CallId>(call: Call, given: object = {}, how: CallOptions = {}): Promise<Answer<Id>> =>
    (await answerTo(call, given, how)).json() as Promise<Answer<Id>>;

  return {
    one,
    /** All pages of a list. */
    pages<Id extends CallId>(call: Call, given: object = {}, how: CallOptions = {}): Pages<Id> {
      return {
        page: () => one<Id>(call, given, how),
        async *[Symbol.asyncIterator]() {
          for (let at: object = given; ; ) {
            const page = (await (await answerTo(call, at, how)).json()) as { readonly data: Row<Id>[]; readonly next: string | null };
            yield* page.data;
            if (page.next === null) return;
            at = { ...given, cursor: page.next };
          }
        },
      };
    },
    /** A file, as it comes: read it from `body`, or by `text()`. */
    file: (call: Call, given: object = {}, how: CallOptions = {}): Promise<Response> => answerTo({ ...call, isFile: true }, given, how),
  };
}

interface Sent {
  readonly url: string;
  readonly init: RequestInit;
  readonly isFile: boolean;
  readonly token: string | null;
}

/** The request of a call, with a token of its own where it takes one and none is given. */
function requestOf(call: Call, given: Record<string, unknown>, { origin, key }: { readonly origin: string; readonly key: string }) {
  const path = call.path.replace(/\{(\w+)\}/g, (_all, name: string) => {
    const value = given[name];
    delete given[name];
    // A dot would be another address.
    if (typeof value !== "string" || /^\.{0,2}$/.test(value)) throw mistake(`${name} must be given.`);
    return encodeURIComponent(value);
  });
  const token = call.token === undefined ? null : (given[call.token] ?? crypto.randomUUID());
  // A number would be another token than the text of it, and none at all is no repeat of anything.
  if (token !== null && (typeof token !== "string" || token === "")) throw mistake(`${call.token} must be a text.`);
  if (call.token !== undefined) given[call.token] = token;
  const isQuery = (name: string) => (call.method === "GET" ? true : (call.query ?? []).includes(name));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined || value === null || !isQuery(name)) continue;
    query.set(name, inQuery(value));
  }
  const body: Fields = Object.fromEntries(Object.entries(given).filter(([name]) => !isQuery(name)));
  const whole = call.keyInBody ? { ...body, api_key: key, auth_mode: "api_key" } : body;
  const headers = { Accept: "application/json, */*", ...(call.keyInBody ? {} : { [KEY_HEADER]: key }) };
  const type = call.isForm ? "application/x-www-form-urlencoded" : "application/json";
  const init: RequestInit =
    call.method === "GET"
      ? { method: "GET", headers }
      : { method: call.method, headers: { ...headers, "Content-Type": type }, body: call.isForm ? formOf(whole) : JSON.stringify(whole) };
  const search = query.size === 0 ? "" : `?${query.toString()}`;
  return { request: { url: `${origin}${path}${search}`, init }, token };
}

const formOf = (fields: Fields): string =>
  new URLSearchParams(
    Object.entries(fields).flatMap(([name, value]): [string, string][] =>
      value === undefined || value === null ? [] : [[name, inQuery(value)]],
    ),
  ).toString();

/** A list is one text: `by=month,currency`. */
function inQuery(value: unknown): string {
  if (Array.isArray(value)) return value.map(inQuery).join(",");
  return typeof value === "string" ? value : JSON.stringify(value);
}

const FILE_TYPES: ReadonlySet<string> = new Set(["text/csv", "application/x-ndjson"]);

interface Failed {
  readonly facts: FailureFacts;
  /** How long to wait before a repeat, in milliseconds; null if the answer does not say. */
  readonly after: number | null;
}

/** One attempt: the answer of a call that was carried out, or what became of it. */
async function attemptOf(
  ask: NonNullable<ClientOptions["fetch"]>,
  { url, init, isFile, token }: Sent,
  signal: AbortSignal,
): Promise<Response | Failed> {
  try {
    // A redirect would carry the key to another address.
    const response = await ask(url, { ...init, redirect: "manual", signal });
    const [type = ""] = (response.headers.get("Content-Type") ?? "").split(";");
    const isJson = type === "application/json";
    // Another page than a file, such as that of a proxy, is no answer of the service.
    if (response.ok && isFile && FILE_TYPES.has(type)) return response;
    const text = await response.text();
    const answer = isJson ? parsed(text) : null;
    // An answer without a code may say that something else failed: a receiver refused a test event, and the call was carried out.
    const isRefused = answer?.success === false && typeof answer.error_code === "string";
    if (response.ok && answer !== null && !isRefused) return new Response(text, response);
    return failureOf(response, answer, token);
  } catch (cause) {
    const message = "No answer came from the service.";
    return { facts: { code: "NO_ANSWER", message, repeat: "now", status: null, requestId: null, field: null, token, cause }, after: null };
  }
}

function failureOf(response: Response, answer: Fields | null, token: string | null): Failed {
  const { status, headers } = response;
  const code = textOf(answer?.error_code) ?? `HTTP_${status}`;
  const message = textOf(answer?.error_message) ?? textOf(answer?.error) ?? `The service answered ${status}.`;
  const details = answer?.details;
  const field = typeof details === "object" && details !== null && "field" in details ? textOf(details.field) : null;
  const seconds = Number(headers.get("Retry-After") ?? Number.NaN);
  const repeat: Repeat = status === 429 || status >= 500 || (status < 400 && answer === null) ? "now" : (repeats[code] ?? "corrected");
  return {
    facts: { code, message, repeat, status, requestId: headers.get("X-Request-Id"), field, token },
    after: Number.isNaN(seconds) ? null : seconds * 1_000,
  };
}

const textOf = (value: unknown): string | null => (typeof value === "string" ? value : null);

function parsed(text: string): Fields | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function originOf(url: string): string {
  if (!URL.canParse(url)) throw mistake(`${url} is no address. Give one such as https://api.example.com.`);
  const { protocol, hostname, origin } = new URL(url);
  if (protocol !== "https:" && !["localhost", "127.0.0.1", "[::1]"].includes(hostname)) {
    throw mistake(`${url} is without https: your key would be known to others.`);
  }
  return origin;
}

function mistake(message: string): PaymentsError {
  return new PaymentsError({
    code: "WRONG_USE",
    message,
    repeat: "corrected",
    status: null,
    requestId: null,
    field: null,
    token: null,
  });
}

/** Resolves after a time, or once the call is given up. */
const wait = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal?.addEventListener("abort", end);
    if (signal?.aborted === true) end();
  });
