import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type BrowserContext, chromium, type Page } from "playwright-core";
import { localSecrets } from "../../sandbox/local-settings.ts";
import { chromiumPath } from "../local/chromium.ts";
import { fillMonths, USUAL } from "../local/fill-months.ts";
import { root } from "../local/processes.ts";
import { signInLink } from "../local/sign-in-link.ts";
import { withTemporaryStack } from "../local/temporary-stack.ts";
import { readArguments } from "./arguments.ts";

const COMMAND_LINE = {
  name: "pictures",
  help: "Takes the pictures of the dashboard and of the console in docs/pictures, of a temporary stack with example data. Needs a Chromium.",
  options: {},
};

const FOLDER = join(root, "docs", "pictures");
const DESK = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };
/** Of 100: small files whose text is still sharp. */
const QUALITY = 72;
/** In milliseconds, and how often at most: the figures are counted once a minute. */
const LOOK_EVERY = 2_000;
const MOST_LOOKS = 90;

/** Each picture: its name, its page, its screen and its scheme. */
const PICTURES = [
  ["console-home", "/ops/console/", DESK, "light"],
  ["console-moderation", "/ops/console/moderation", DESK, "light"],
  ["console-order", "/ops/console/orders/pi_examplelive001500", DESK, "light"],
  ["home", "/dashboard?env=live", DESK, "light"],
  ["orders-phone", "/dashboard/orders?env=live", PHONE, "dark"],
  ["statement", "statement", DESK, "light"],
  ["delivery", "exhausted", DESK, "light"],
] as const;

/** `npm run pictures`: the pictures of the dashboard and of the console for the documentation. They change only when this is asked for. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  if (chromiumPath === undefined) {
    console.error("There is no Chromium on this machine. Install one, or set its path with CHROMIUM=…");
    return 1;
  }
  const browser = await chromium.launch({ executablePath: chromiumPath, args: ["--no-sandbox"] });
  mkdirSync(FOLDER, { recursive: true });
  try {
    await withTemporaryStack(
      "pictures",
      async ({ edge }) => {
        const context = await browser.newContext();
        const [first] = [await context.newPage()];
        await first.goto((await signInLink(edge)) ?? edge, { waitUntil: "networkidle" });
        await signInAsOperator(first, edge);
        const state = await context.storageState();
        await figuresAreCounted(first);
        const found: Readonly<Record<string, string>> = {
          exhausted: await exhaustedDelivery(first),
          statement: await closedStatement(first),
        };
        for (const [name, path, viewport, colorScheme] of PICTURES) {
          const own = await browser.newContext({
            viewport,
            colorScheme,
            storageState: state,
            locale: "en-GB",
            timezoneId: "Europe/Berlin",
          });
          await take(own, name.startsWith("console-") ? name : `dashboard-${name}`, edge + (found[path] ?? path));
          await own.close();
        }
      },
      { prepare },
    );
    return 0;
  } finally {
    await browser.close();
  }
}

/** Begins a session of the console in the same browser. */
async function signInAsOperator(page: Page, edge: string): Promise<void> {
  const body = { token: localSecrets.OPS_TOKEN, name: "Maria" };
  await page.context().request.post(`${edge}/ops/session`, { data: body, headers: { Origin: edge } });
}

async function prepare(place: Parameters<typeof fillMonths>[0]): Promise<void> {
  await fillMonths(place, USUAL);
}

/** The cron counts the figures in the first minute. */
async function figuresAreCounted(page: Page): Promise<void> {
  const ask = `fetch("/partner/figures?environment=live").then((answer) => answer.json()).then(({ counted_at }) => typeof counted_at)`;
  for (let times = 0; times < MOST_LOOKS && (await page.evaluate(ask)) !== "string"; times += 1) await page.waitForTimeout(LOOK_EVERY);
}

/** The page of a delivery that was given up. */
async function exhaustedDelivery(page: Page): Promise<string> {
  const ask = `fetch("/partner/deliveries?environment=live&state=exhausted&limit=1").then((answer) => answer.json()).then(({ data }) => data[0].event)`;
  return `/dashboard/events/${String(await page.evaluate(ask))}?env=live`;
}

/** The page of the newest closed statement. */
async function closedStatement(page: Page): Promise<string> {
  const ask = `fetch("/partner/statements").then((answer) => answer.json()).then(({ data }) => data.find((one) => one.state === "closed").id)`;
  return `/dashboard/balance/statements/${String(await page.evaluate(ask))}?env=live`;
}

async function take(context: BrowserContext, name: string, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(url, { waitUntil: "networkidle" });
  await page.getByRole("heading", { level: 1 }).waitFor();
  // Pictures are loaded after the page.
  if (name.endsWith("-home") || name.endsWith("-home-phone")) await page.locator(".recharts-surface").first().waitFor();
  const devtools = await context.newCDPSession(page);
  const { data } = await devtools.send("Page.captureScreenshot", { format: "webp", quality: QUALITY });
  const file = join(FOLDER, `${name}.webp`);
  writeFileSync(file, data, "base64");
  console.log(`docs/pictures/${name}.webp  ${Math.round(statSync(file).size / 1024)} KB`);
}
