import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { transform } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { LOCAL_KEY } from "../../sandbox/local-settings.ts";
import { root } from "../../tools/local/processes.ts";
import { knownAnswer } from "../known-answer.ts";
import { hasRuntime } from "./runtimes.ts";
import { isFull } from "./scale.ts";
import { sharedStack } from "./shared-stack.ts";

/** What partners install, as a running service serves it, in an empty folder: nothing of this repository is beside it. */

const execute = promisify(execFile);
const stack = sharedStack();

const indexSchema = z.object({
  version: z.string(),
  packages: z.array(
    z.object({ name: z.string(), path: z.string(), bytes: z.number(), sha256: z.string(), install: z.string(), version: z.string() }),
  ),
});
type Index = z.output<typeof indexSchema>;

let folder = "";
let index: Index;
/** The address of a package, as its install command has it. */
const addressOf = (name: string): string => /http\S+/.exec(index.packages.find((one) => one.name === name)?.install ?? "")?.[0] ?? "";
const env = () => ({ ...process.env, PATH: [dirname(process.execPath), process.env.PATH].join(delimiter), npm_config_loglevel: "error" });
const inFolder = (program: string, ...args: string[]) =>
  execute(program, args, { cwd: folder, env: { ...env(), HOME: folder, XDG_CONFIG_HOME: folder } });
const npm = (...args: string[]) => execute("npm", [...args, "--no-audit", "--no-fund", "--prefer-offline"], { cwd: folder, env: env() });

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "partner-payments-shop-"));
  index = indexSchema.parse(await (await fetch(`${stack.edge}/packages/index.json`)).json());
  await cp(join(root, "examples", "shop", "node"), folder, { recursive: true });
  await npm("install", addressOf("ppay-sdk"), addressOf("ppay-local"), addressOf("ppay"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("the packages", () => {
  it("are served as the index says", async () => {
    expect(index.packages.map(({ name }) => name)).toEqual(["ppay-sdk", "ppay", "ppay-local", "ppay (Python)"]);
    for (const { path, bytes, sha256, install, version } of index.packages) {
      const response = await fetch(`${stack.edge}${path}`);
      const content = new Uint8Array(await response.arrayBuffer());
      expect([response.status, content.length, version]).toEqual([200, bytes, index.version]);
      expect(createHash("sha256").update(content).digest("hex")).toBe(sha256);
      expect(install).toContain(`${stack.edge}${path}`);
    }
  });

  it("that do not exist are 404", async () => {
    expect((await fetch(`${stack.edge}/packages/ppay-sdk-0.0.1.tgz`)).status).toBe(404);
  });

  it("the client has no dependency, and minified at most 15 KB", async () => {
    const own = join(folder, "node_modules", "ppay-sdk");
    const { code } = await transform(await readFile(join(own, "index.js"), "utf8"), { minify: true });
    expect(code.length).toBeLessThan(15_000);
    expect(JSON.parse(await readFile(join(own, "package.json"), "utf8"))).not.toHaveProperty("dependencies");
  });

  it("the client has types that a strict program compiles with, and a wrong one does not", async () => {
    const { code, output } = await compile(`
import { createClient, isFailureOf, type PartnerEvent, verifyEvent } from "ppay-sdk";
const payments = createClient({ url: "https://api.example.com", key: "k" });
export async function sell(): Promise<string> {
  const { short_url } = await payments.links.createForCart({ items: [{ stripe_product_id: "prod_1", unit_amount: 1900, quantity: 1 }] });
  for await (const order of payments.orders.list({ status: "paid" })) console.log(order.kept.toFixed(2), order.currency);
  return short_url;
}
export const isOld = (error: unknown): boolean => isFailureOf("links.createForCart", error) && error.code === "PREVIOUS_ATTEMPT_FAILED";
export const reference = (event: PartnerEvent): string | null => ("transaction" in event ? event.transaction.client_reference_id : null);
export const read = (body: string): Promise<PartnerEvent> => verifyEvent(body, {}, "whsec_1");
// @ts-expect-error: a cart has items.
void payments.links.createForCart({});
// @ts-expect-error: this operation has no such code.
export const isWrong = (error: unknown): boolean => isFailureOf("links.createForCart", error) && error.code === "PAYMENT_NOT_FOUND";
`);
    expect([code, output]).toEqual([0, ""]);
  });
});

/** The samples of a language in the pages of the reference, as they stand there. */
async function samplesOf(language: string): Promise<string[]> {
  const pages = ["reference", "reference-first-generation", "reference-self-service"];
  const texts = await Promise.all(pages.map(async (page) => (await fetch(`${stack.edge}/docs/${page}.md`)).text()));
  return texts.flatMap((text) => [...text.matchAll(new RegExp(`\`\`\`${language}\\n(.*?)\`\`\``, "gs"))].map(([, code]) => code ?? ""));
}

describe("the samples of the reference", () => {
  it("compile, in TypeScript", async () => {
    const samples = await samplesOf("ts \\[TypeScript\\]");
    expect(samples.length).toBeGreaterThan(60);
    const functions = samples.map((code, number) => `export async function sample${number}(): Promise<void> {\n${code}\n}`);
    const head = `import type { PartnerPayments } from "ppay-sdk";\ndeclare const payments: PartnerPayments;\n`;
    expect(await compile(head + functions.join("\n"))).toEqual({ code: 0, output: "" });
  });

  it.runIf(hasRuntime(["python3", "--version"]))("name methods that there are, in Python", async () => {
    const named = (await samplesOf("python \\[Python\\]")).map((code) => /payments\.([\w.]+)\(/.exec(code)?.[1] ?? "");
    const program = `import ppay, sys
client = ppay.Client("https://api.example.com", "key")
for name in sys.argv[1:]: eval("client." + name)`;
    const wheel = await fetchWheel();
    await execute("python3", ["-c", program, ...named], { env: { ...env(), PYTHONPATH: wheel } });
    expect(named.length).toBeGreaterThan(60);
  });
});

/** The Python client as a file, which Python reads as it is. */
async function fetchWheel(): Promise<string> {
  const file = join(folder, "ppay.whl");
  await writeFile(file, new Uint8Array(await (await fetch(addressOf("ppay (Python)"))).arrayBuffer()));
  return file;
}

/** Compiles a program as a partner's project would. */
async function compile(text: string): Promise<{ readonly code: number; readonly output: string }> {
  await writeFile(join(folder, "use.ts"), text);
  const options = [
    "--strict",
    "--exactOptionalPropertyTypes",
    "--noEmit",
    "--module",
    "nodenext",
    "--target",
    "es2024",
    "--lib",
    "es2024,dom",
  ];
  return inFolder(join(root, "node_modules", ".bin", "tsc"), ...options, "use.ts").then(
    () => ({ code: 0, output: "" }),
    (thrown: { code: number; stdout: string }) => ({ code: thrown.code, output: thrown.stdout }),
  );
}

describe("ppay", () => {
  const ppay = (...args: string[]) => inFolder(join(folder, "node_modules", ".bin", "ppay"), ...args);
  const refused = (...args: string[]) =>
    ppay(...args).then(
      () => null,
      (thrown: { code: number; stderr: string }) => thrown,
    );

  it("has its help at the root and everywhere, and says its version", async () => {
    expect((await ppay("--help")).stdout).toContain("ppay orders");
    expect((await ppay("orders", "list", "--help")).stdout).toContain("--status");
    expect((await ppay("--version")).stdout.trim()).toBe(index.version);
    expect(await refused("order", "list")).toMatchObject({ code: 2, stderr: expect.stringContaining("Did you mean orders list?") });
  });

  it("asks where to sign in, and then keeps the key where only its owner reads it", async () => {
    expect(await refused("balance")).toMatchObject({ code: 1, stderr: expect.stringContaining("ppay login") });
    const signIn = { ...env(), HOME: folder, XDG_CONFIG_HOME: folder, PARTNER_API_BASE: stack.edge, PARTNER_API_KEY: LOCAL_KEY };
    const bin = join(folder, "node_modules", ".bin", "ppay");
    const { stdout } = await execute(bin, ["login"], { cwd: folder, env: signIn });
    expect(stdout).not.toContain(LOCAL_KEY);
    expect((await stat(join(folder, "ppay", "profiles.json"))).mode & 0o777).toBe(0o600);
    expect(JSON.parse((await ppay("webhooks", "show", "--json")).stdout)).toHaveProperty("data");
    // The key of a profile goes to its own address alone.
    expect(await refused("balance", "--url", "https://elsewhere.example")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("No key is known"),
    });
    // A profile that is named is meant, whatever stands in the environment.
    const elsewhere = {
      ...env(),
      HOME: folder,
      XDG_CONFIG_HOME: folder,
      PARTNER_API_BASE: "https://elsewhere.example",
      PARTNER_API_KEY: "other",
    };
    const named = await execute(bin, ["webhooks", "show", "--json", "--profile", "default"], { cwd: folder, env: elsewhere });
    expect(JSON.parse(named.stdout)).toHaveProperty("data");
    await ppay("logout");
    expect(await refused("balance")).toMatchObject({ code: 1 });
  });

  it("refuses a key that the service refuses, and keeps nothing", async () => {
    const wrong = { ...env(), HOME: folder, XDG_CONFIG_HOME: folder, PARTNER_API_BASE: stack.edge, PARTNER_API_KEY: "wrong" };
    const bin = join(folder, "node_modules", ".bin", "ppay");
    await expect(execute(bin, ["login"], { cwd: folder, env: wrong })).rejects.toMatchObject({ code: 1 });
    expect(await refused("balance")).toMatchObject({ code: 1 });
  });
});

/** A service whose answer is cut off once, then refuses for the number of calls, then answers; and one that never answers. */
const UNRELIABLE = `
import email.message, http.client, io, json, urllib.error, ppay
sent = []
def answers(*outcomes):
    left = list(outcomes)
    def open_url(request, timeout):
        sent.append(json.loads(request.data))
        outcome = left.pop(0) if left else None
        if outcome is None: raise TimeoutError("timed out")
        try: raise outcome
        except TypeError: return outcome # It is no exception.
    return open_url
def answer(body, kind="application/json"):
    response = io.BytesIO(json.dumps(body).encode())
    response.status, response.headers = 200, email.message.Message()
    response.headers["Content-Type"] = kind
    return response
def limited(): return urllib.error.HTTPError("u", 429, "", {"Retry-After": "7"}, io.BytesIO(b"{}"))
waits = []
made = lambda *outcomes: ppay.Client("https://api.example.com", "key", sleep=waits.append, open_url=answers(*outcomes))
link = made(http.client.IncompleteRead(b""), limited(), answer({"success": True, "short_url": "s"})).links.create_for_cart(items=[])
assert link["short_url"] == "s" and waits[1] == 7 and len(sent) == 3 and len({one["client_token"] for one in sent}) == 1, (waits, sent)
def failure(call):
    try: call()
    except ppay.PaymentsError as error: return error.code, error.repeat
sent.clear()
assert failure(lambda: made().keys.create(label="a")) == ("NO_ANSWER", "unknown") and len(sent) == 1
assert failure(lambda: made().links.create_for_cart(items=[], client_token="t")) == ("NO_ANSWER", "now") and len(sent) == 5
assert failure(lambda: made(answer({"success": False, "error_code": "INVALID_INPUT"})).links.create_for_cart(items=[])) == ("INVALID_INPUT", "corrected")
assert failure(lambda: made().keys.revoke(key="..")) == ("WRONG_USE", "corrected")
assert failure(lambda: made().links.create_for_cart(items=[], client_token=42)) == ("WRONG_USE", "corrected")
sent.clear()
made(answer({"success": True, "short_url": "s"})).links.create_for_cart(items=[], client_token=None)
assert len(sent[0]["client_token"] or "") == 36, sent
class Broken(io.BytesIO):
    def read(self, *_): raise http.client.IncompleteRead(b"")
broken = urllib.error.HTTPError("u", 503, "", {}, Broken(b""))
assert made(broken, answer({"success": True, "short_url": "s"})).links.create_for_cart(items=[])["short_url"] == "s"
assert failure(lambda: ppay.Client("http://api.example.com", "key")) == ("WRONG_USE", "corrected")
`;

describe.runIf(hasRuntime(["python3", "--version"]))("the client for Python", () => {
  const python = async (program: string) => execute("python3", ["-c", program], { env: { ...env(), PYTHONPATH: await fetchWheel() } });

  it("repeats what is safe under one token, and says what a repeat needs", async () => {
    await python(UNRELIABLE);
  });

  it("takes the known answer of an event, and nothing else", async () => {
    const { secret, id, timestamp, body, digest } = knownAnswer;
    const headers = JSON.stringify({ "Service-Event-Id": id, "Service-Timestamp": String(timestamp), "Service-Signature": `v1,${digest}` });
    await python(`
import ppay
body, headers = ${JSON.stringify(body)}.encode(), ${headers}
def is_ours(body, headers, secrets, now=${timestamp}):
    try: return ppay.verify_event(body, headers, secrets, now)["id"] == ${JSON.stringify(id)}
    except ppay.SignatureError: return False
assert is_ours(body, headers, ["whsec_test_old", ${JSON.stringify(secret)}])
assert is_ours(body, headers, ${JSON.stringify(secret)}, ${timestamp + 300}) and not is_ours(body, headers, ${JSON.stringify(secret)}, ${timestamp + 301})
assert is_ours(body, headers, ${JSON.stringify(secret)}, ${timestamp - 60}) and not is_ours(body, headers, ${JSON.stringify(secret)}, ${timestamp - 61})
assert not is_ours(body + b" ", headers, ${JSON.stringify(secret)}) and not is_ours(body, headers, "whsec_test_other")
for empty in ("", [], [${JSON.stringify(secret)}, ""]):
    try: ppay.verify_event(body, headers, empty, ${timestamp})
    except ValueError: continue
    raise AssertionError("an empty secret was taken")
assert not is_ours(body, {**headers, "Service-Event-Id": "evt_2"}, ${JSON.stringify(secret)}) and not is_ours(body, {}, ${JSON.stringify(secret)})
`);
  });
});

describe("the example shop", () => {
  it.runIf(isFull)("sells, in Node, against the whole service on the machine", async () => {
    const { stdout } = await inFolder(process.execPath, "--test");
    expect(stdout).toMatch(/fail 0\n/);
  });

  // The same walk as in Node.
  it.runIf(isFull && hasRuntime(["python3", "--version"]))("sells, in Python", async () => {
    const wheel = await fetchWheel();
    await cp(join(root, "examples", "shop", "python"), join(folder, "python"), { recursive: true });
    const local = `${process.execPath} ${join(folder, "node_modules", ".bin", "ppay-local")}`;
    const python = { ...env(), PYTHONPATH: wheel, PPAY_LOCAL: local };
    const { stderr } = await execute("python3", ["-m", "unittest"], { cwd: join(folder, "python"), env: python });
    expect(stderr).toMatch(/\nOK\n$/);
  });
});
