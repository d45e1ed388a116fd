let steps = 0;

type Place = "partner" | "edge" | "processor" | "customer" | "checkout" | "operator";

/** A step of the demo. `way` lists the parties that it passes through. */
export function step(what: string, ...way: readonly Place[]): void {
  steps += 1;
  console.log(`\n${steps}. ${what}`);
  if (way.length > 0 && showsPictures) console.log(`   ${way.map((place) => `[ ${place} ]`).join(" ──▶ ")}`);
}

/** Whether the output is a terminal that can show lines and arrows. */
const showsPictures =
  process.stdout.isTTY &&
  process.env.TERM !== "dumb" &&
  /utf-?8/i.test(process.env.LC_ALL || process.env.LC_CTYPE || process.env.LANG || "");

export function show(result: string): void {
  console.log(`   ${result}`);
}

/** @throws with `what` if the condition is false */
export function expect(held: boolean | undefined, what: string): asserts held {
  if (held !== true) throw new Error(what);
}

/** The JSON at a URL. */
export async function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  return (await fetch(url, { headers })).json();
}

/** The JSON answer to a POST with this body. */
export async function post(url: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  return response.json();
}
