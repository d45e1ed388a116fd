import { execFile } from "node:child_process";
import { createHmac } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { knownAnswer } from "../known-answer.ts";
import { executedBlocks } from "./pages.ts";
import { hasRuntime } from "./runtimes.ts";

/**
 * The functions of docs/webhooks.md that check a signature, as they stand there, each in its own runtime. Node's is
 * always run, the others wherever their runtime is at hand.
 */

const { secret: SECRET, body: BODY, timestamp: NOW, id: ID, digest } = knownAnswer;
const SIGNATURE = `v1,${digest}`;
const headers = { "service-event-id": ID, "service-timestamp": String(NOW), "service-signature": SIGNATURE };

const signed = (key: string | Buffer, message: string | Buffer) => `v1,${createHmac("sha256", key).update(message).digest("hex")}`;
/** No valid UTF-8: whoever reads it as text checks other bytes than came. */
const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]);
const withSignature = (value: string) => ({ ...headers, "service-signature": value });

interface Case {
  readonly what: string;
  readonly body?: Buffer;
  readonly headers?: Record<string, string>;
  readonly secrets?: readonly string[];
  readonly now?: number;
  readonly isOurs: boolean;
}

const CASES: readonly Case[] = [
  { what: "the known answer", isOurs: true },
  { what: "300 seconds old, by another secret that is held", secrets: ["whsec_test_other", SECRET], now: NOW + 300, isOurs: true },
  {
    what: "60 seconds ahead, by the second value",
    headers: withSignature(`v1,${"0".repeat(64)} ${SIGNATURE}`),
    now: NOW - 60,
    isOurs: true,
  },
  { what: "by the first of two values", headers: withSignature(`${SIGNATURE} v1,${"0".repeat(64)}`), isOurs: true },
  {
    what: "bytes that are no text",
    body: bytes,
    headers: withSignature(signed(SECRET, Buffer.concat([Buffer.from(`${ID}.${NOW}.`), bytes]))),
    isOurs: true,
  },
  { what: "another secret", secrets: ["whsec_test_other"], isOurs: false },
  { what: "no secret", secrets: [], isOurs: false },
  { what: "another body", body: Buffer.from("{}"), isOurs: false },
  { what: "301 seconds old", now: NOW + 301, isOurs: false },
  { what: "61 seconds ahead", now: NOW - 61, isOurs: false },
  { what: "another id", headers: { ...headers, "service-event-id": `${ID}4` }, isOurs: false },
  { what: "another timestamp that is fresh", headers: { ...headers, "service-timestamp": String(NOW + 1) }, isOurs: false },
  { what: "a timestamp that is no number", headers: { ...headers, "service-timestamp": "soon" }, isOurs: false },
  { what: "no timestamp", headers: { "service-event-id": ID, "service-signature": SIGNATURE }, isOurs: false },
  { what: "no signature", headers: { "service-event-id": ID, "service-timestamp": String(NOW) }, isOurs: false },
  { what: "an empty signature", headers: withSignature(""), isOurs: false },
  { what: "a signature without its version", headers: withSignature(SIGNATURE.slice(3)), isOurs: false },
  { what: "the beginning of the signature", headers: withSignature(SIGNATURE.slice(0, 20)), isOurs: false },
  { what: "the signature of the body alone", headers: withSignature(signed(SECRET, BODY)), isOurs: false },
  { what: "a signature by nothing", headers: withSignature(signed("", `${ID}.${NOW}.${BODY}`)), isOurs: false },
  { what: "a signature by a part of the secret", headers: withSignature(signed(SECRET.slice(11), `${ID}.${NOW}.${BODY}`)), isOurs: false },
  { what: "letters that no signature has", headers: withSignature("v1,ключ"), isOurs: false },
];

const input = JSON.stringify(
  CASES.map(({ body = Buffer.from(BODY), headers: given = headers, secrets = [SECRET], now = NOW }) => ({
    body: body.toString("base64"),
    headers: given,
    secrets,
    now,
  })),
);

/** How a runtime is given the function and the cases: the files around it, and the command that prints the verdicts. */
interface Language {
  readonly block: string;
  readonly runtime: readonly string[];
  readonly files: (code: string) => Readonly<Record<string, string>>;
  readonly command: readonly string[];
}

const LANGUAGES: Readonly<Record<string, Language>> = {
  Node: {
    block: "js",
    runtime: [process.execPath, "--version"],
    files: (code) => ({
      "verifier.mjs": `${code}
        import { readFileSync } from "node:fs";
        const cases = JSON.parse(readFileSync("cases.json", "utf8"));
        console.log(JSON.stringify(cases.map(({ body, headers, secrets, now }) => isOurs(Buffer.from(body, "base64"), headers, secrets, now))));`,
    }),
    command: [process.execPath, "verifier.mjs"],
  },
  Python: {
    block: "python",
    runtime: ["python3", "--version"],
    files: (code) => ({
      "verifier.py": `${code}
import base64, json
cases = json.load(open("cases.json"))
print(json.dumps([is_ours(base64.b64decode(one["body"]), one["headers"], one["secrets"], one["now"]) for one in cases]))
`,
    }),
    command: ["python3", "verifier.py"],
  },
  PHP: {
    block: "php",
    runtime: ["php", "--version"],
    files: (code) => ({
      "verifier.php": `<?php
${code}
$cases = json_decode(file_get_contents('cases.json'), true);
echo json_encode(array_map(fn ($one) => is_ours(base64_decode($one['body']), $one['headers'], $one['secrets'], $one['now']), $cases));
`,
    }),
    command: ["php", "verifier.php"],
  },
  Go: {
    block: "go",
    runtime: ["go", "version"],
    files: (code) => ({
      "go.mod": "module verifier\n\ngo 1.19\n",
      "webhook.go": code.replace("package webhook", "package main"),
      "main.go": `package main
import ("encoding/json"; "fmt"; "net/http"; "os"; "time")
type one struct { Body []byte; Headers map[string]string; Secrets []string; Now int64 }
func main() {
  text, _ := os.ReadFile("cases.json")
  var cases []one
  if err := json.Unmarshal(text, &cases); err != nil { panic(err) }
  verdicts := []bool{}
  for _, c := range cases {
    headers := http.Header{}
    for name, value := range c.Headers { headers.Set(name, value) }
    verdicts = append(verdicts, IsOurs(c.Body, headers, c.Secrets, time.Unix(c.Now, 0)))
  }
  out, _ := json.Marshal(verdicts)
  fmt.Println(string(out))
}
`,
    }),
    command: ["go", "run", "."],
  },
};

const order = { payment_link_id: "plink_1", amount: 19.5, currency: "USD", paid_by: null };
const paid = {
  status: "completed",
  payment_link_id: "plink_1",
  charged_amount: 19.5,
  charged_currency: "USD",
  payment_intent_id: "pi_1",
  client_reference_id: "order",
};
const payment = (transaction: object, event = "Processor.payment.succeeded") => ({
  event: { event, transaction: { ...paid, ...transaction } },
  order,
});

const PAYMENTS: readonly (readonly [string, object, boolean])[] = [
  ["the order's payment", payment({}), true],
  ["a whole amount", { ...payment({ charged_amount: 19 }), order: { ...order, amount: 19 } }, true],
  ["the same payment, delivered again", { ...payment({}), order: { ...order, paid_by: "pi_1" } }, true],
  ["a second payment of the order", { ...payment({}), order: { ...order, paid_by: "pi_0" } }, false],
  ["another link, under the order's reference", payment({ payment_link_id: "plink_2" }), false],
  ["no link", payment({ payment_link_id: null }), false],
  ["a smaller amount", payment({ charged_amount: 19.49 }), false],
  ["no amount", payment({ charged_amount: null }), false],
  ["another currency", payment({ charged_currency: "EUR" }), false],
  ["one that is not complete", payment({ status: "pending" }), false],
  ["a refund", payment({ status: "refunded", charged_amount: -19.5 }, "Processor.refund.succeeded"), false],
];

/** What runs each language's check of a payment, in the files of its verifier. */
const PAYMENT_PROGRAMS: Readonly<Record<string, Language["files"]>> = {
  Node: (code) => ({
    "verifier.mjs": `${code}
      import { readFileSync } from "node:fs";
      console.log(JSON.stringify(JSON.parse(readFileSync("cases.json", "utf8")).map(({ event, order }) => pays(event, order))));`,
  }),
  Python: (code) => ({
    "verifier.py": `${code}
import json
print(json.dumps([pays(one["event"], one["order"]) for one in json.load(open("cases.json"))]))
`,
  }),
  PHP: (code) => ({
    "verifier.php": `<?php
${code}
echo json_encode(array_map(fn ($one) => pays($one['event'], $one['order']), json_decode(file_get_contents('cases.json'), true)));
`,
  }),
  Go: (code) => ({
    "go.mod": "module verifier\n\ngo 1.19\n",
    "webhook.go": code.replace("package webhook", "package main"),
    "main.go": `package main
import ("encoding/json"; "fmt"; "os")
func main() {
  text, _ := os.ReadFile("cases.json")
  var cases []struct { Event Payment; Order Order }
  if err := json.Unmarshal(text, &cases); err != nil { panic(err) }
  verdicts := []bool{}
  for _, c := range cases { verdicts = append(verdicts, Pays(c.Event, c.Order)) }
  out, _ := json.Marshal(verdicts)
  fmt.Println(string(out))
}
`,
  }),
};

let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-payments-verifiers-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const run = async ([command = "", ...args]: readonly string[], cwd?: string) =>
  (await promisify(execFile)(command, args, { cwd, env: { ...process.env, GOTOOLCHAIN: "local", GOFLAGS: "-mod=mod" } })).stdout;

/** Runs the function of the page that `names` matches on the cases. */
async function verdictsOf(
  place: string,
  block: string,
  names: RegExp,
  files: Language["files"],
  command: readonly string[],
  cases: string,
): Promise<boolean[]> {
  const [code, ...others] = (await executedBlocks("docs/webhooks.md", block)).filter((text) => names.test(text));
  expect([code === undefined, others]).toEqual([false, []]);
  const at = join(folder, place);
  await mkdir(at);
  await writeFile(join(at, "cases.json"), cases);
  for (const [file, text] of Object.entries(files(code ?? ""))) await writeFile(join(at, file), text);
  return JSON.parse(await run(command, at)) as boolean[];
}

// interface W.5
describe.each(Object.entries(LANGUAGES))("the verifier for %s", (name, { block, files, command, runtime }) => {
  const isAtHand = hasRuntime(runtime);

  it.runIf(isAtHand)("takes what is ours, by any value and any secret it holds, and nothing else", async () => {
    const verdicts = await verdictsOf(name, block, /isOurs|is_ours|IsOurs/, files, command, input);
    expect(CASES.map(({ what }, index) => [what, verdicts[index]])).toEqual(CASES.map(({ what, isOurs }) => [what, isOurs]));
  });

  it.runIf(isAtHand)("takes a completed payment by the order's link, of its amount and currency, and nothing else", async () => {
    const program = PAYMENT_PROGRAMS[name];
    if (program === undefined) throw new Error(`there is no program for ${name}`);
    const verdicts = await verdictsOf(
      `${name} payment`,
      block,
      /\b[pP]ays\b/,
      program,
      command,
      JSON.stringify(PAYMENTS.map(([, one]) => one)),
    );
    expect(PAYMENTS.map(([what], index) => [what, verdicts[index]])).toEqual(PAYMENTS.map(([what, , pays]) => [what, pays]));
  });
});
