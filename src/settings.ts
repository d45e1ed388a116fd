import * as z from "zod";
import type { Environment } from "./core/environment.ts";
import { limits } from "./core/limits.ts";
import { ffdVersions, MAX_UNIT_LENGTH, RECEIPT_DEFAULTS, receiptMethods, receiptSubjects } from "./core/receipts.ts";
import { regions } from "./core/regions.ts";
import { retentionSchema } from "./core/retention.ts";
import { isLoopback, type Settings } from "./core/settings.ts";
import { type LinkSettings, linkSettingNames, originIn, readLinkSettings, saidOf } from "./short-links/link-settings.ts";
import { weakSecrets } from "./weak-secrets.ts";

/** Public secrets for local development. A deployed Worker must refuse all of them. */
const KNOWN_LOCAL_SECRETS = [
  "whsec_sandbox_live",
  "whsec_sandbox_test",
  "ops-local",
  "sk_live_sandbox",
  "sk_test_sandbox",
  "sandbox-password",
];
/** The local encryption key. Several Base64 texts encode it, so its bytes are compared. */
const LOCAL_ENCRYPTION_KEY = "local-development-key-32-bytes!!";

const ENCRYPTION_KEY_BYTES = 32;

/** An http or https origin. */
const origin = z.string().transform((text, context) => {
  const found = originIn(text);
  if (found !== null) return found;
  context.addIssue({ code: "custom", message: "must be an http or https address without a path" });
  return z.NEVER;
});
/** The base URL of the bank. It may be a proxy with a path. Trailing slashes are removed. */
const baseAddress = z
  .url({ protocol: /^https?$/, error: "must be an http or https address" })
  .refine((url) => !/[?#]/.test(url), "must have no query")
  .transform((url) => url.replace(/(?<!\/)\/+$/, ""));
/** A secret without white space: a pasted line break would make it permanently wrong. */
const secret = z.string().regex(/^[\x21-\x7e]{2,}$/, "must be printable characters without white space");
/** The signing secret of an event destination. An API key here would make every event fail verification. */
const eventSecret = secret.regex(/^whsec_[A-Za-z0-9_+/=-]+$/, "must be the signing secret of an event destination, whsec_…");
const processorKey = (environment: Environment) =>
  z.string().regex(new RegExp(`^(sk|rk)_${environment}_[A-Za-z0-9_]+$`), `must be a key of the processor's ${environment} environment`);

const encryptionKeysSchema = z.object({
  /** The id of the key that encrypts new secrets. The other keys only decrypt existing ones. */
  current: z.string().regex(/^[a-z0-9-]{1,32}$/),
  /** Base64 of 32 random bytes, by key id. */
  keys: z.record(
    z.string(),
    z.base64().refine((text) => {
      const bytes = decodedKey(text);
      return bytes.length === ENCRYPTION_KEY_BYTES && new Set(bytes).size > 1;
    }, `must be ${ENCRYPTION_KEY_BYTES} random bytes in Base64`),
  ),
});

/** One character per byte. */
function decodedKey(text: string): string {
  try {
    return atob(text);
  } catch {
    return "";
  }
}

/** The bank's codes for tax regimes (its OpenAPI 1.80, `Receipt.Taxation`). */
const terminalSchema = z.object({
  terminal_key: z.string().min(1).max(20),
  password: secret,
  taxation: z.enum(["osn", "usn_income", "usn_income_outcome", "esn", "patent"]),
  settlement_days: z.int().min(0).max(30).default(1),
  ffd_version: z.enum(ffdVersions).default("1.05"),
  receipt_subject: z.enum(receiptSubjects).nullable().default(null),
  receipt_method: z.enum(receiptMethods).nullable().default(null),
  measurement_unit: z.string().min(1).max(MAX_UNIT_LENGTH).default(RECEIPT_DEFAULTS.unit),
});
const terminalsSchema = z.record(z.string(), terminalSchema).transform((terminals) =>
  Object.fromEntries(
    Object.entries(terminals).map(([name, { terminal_key, settlement_days, password, taxation, ...receipt }]) => [
      name,
      {
        terminalKey: terminal_key,
        settlementDays: settlement_days,
        password,
        taxation,
        receipt: {
          ffdVersion: receipt.ffd_version,
          subject: receipt.receipt_subject,
          method: receipt.receipt_method,
          unit: receipt.measurement_unit,
        },
      },
    ]),
  ),
);
/** Host names, such as pay.example.com. */
const hostName = z
  .string()
  .trim()
  .toLowerCase()
  .regex(/^[a-z0-9-]{1,63}(\.[a-z0-9-]{1,63}){1,8}$/, "must be hosts such as pay.example.com");
const deliveryRelaySchema = z.strictObject({
  url: baseAddress,
  key: secret.min(32, "must be at least 32 characters"),
  hosts: z.array(hostName).min(1, "must name the receivers' hosts"),
});
const bankTerminalsSchema = z
  .object({ live: terminalsSchema, test: terminalsSchema })
  // This key is the only sign of the environment in a bank notification, so the keys must be unique.
  .refine(({ live, test }) => {
    const keys = [...Object.values(live), ...Object.values(test)].map(({ terminalKey }) => terminalKey);
    return new Set(keys).size === keys.length;
  }, "two terminals have one terminal_key");

/** A setting that holds JSON. */
const jsonText = z.string().transform((text, context) => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    context.addIssue({ code: "custom", message: "not JSON" });
    return z.NEVER;
  }
});

const settingsSchema = z.object({
  API_ORIGIN: origin,
  SHORT_LINK_ORIGIN: origin,
  /** The host where partners' people sign in. Without it, the service has no dashboard. */
  DASHBOARD_ORIGIN: origin.optional(),
  /** Where messages to partners' Telegram chats go, if a relay is needed. */
  TELEGRAM_API_BASE: origin.optional(),
  /** JSON: the egress relay for deliveries to receivers that allow some addresses alone. */
  DELIVERY_RELAY: jsonText.pipe(deliveryRelaySchema).optional(),
  /** The sender of messages by e-mail, where the binding MAIL sends them: an address of a domain of the account. */
  MAIL_FROM: z.email("must be an e-mail address").optional(),
  /** Whom partners write to, in words: "support@example.com". */
  SUPPORT_CONTACT: z.string().trim().min(1, "must not be empty").max(200, "must be at most 200 characters").optional(),
  PROCESSOR_API_BASE: origin,
  /** The processor's dashboard, for links of operators to its objects. */
  PROCESSOR_DASHBOARD: origin.optional(),
  /** If a relay serves the public host of SHORT_LINK_ORIGIN: the hosts that the relay requests. */
  SHORT_LINK_HOSTS: z
    .string()
    .transform((text) => text.split(","))
    .pipe(z.array(hostName))
    .optional(),
  PROCESSOR_KEY_LIVE: processorKey("live"),
  PROCESSOR_KEY_TEST: processorKey("test"),
  PROCESSOR_EVENT_SECRET_LIVE: eventSecret,
  PROCESSOR_EVENT_SECRET_TEST: eventSecret,
  /** The region of the databases. Durable Objects are created near them. */
  DATABASE_REGION: z.enum(regions).optional(),
  /** The regions of the cells, from the first one on, separated by commas. Further cells are in DATABASE_REGION. */
  CELL_REGIONS: z
    .string()
    .transform((text) => text.split(",").map((one) => one.trim()))
    .pipe(z.array(z.enum(regions)))
    .default([]),
  /** JSON; missing entries have their defaults. */
  RETENTION: jsonText.default({}).pipe(retentionSchema),
  /** The account and the dataset of the openings of short links, and a token that may read them. Without the token, they are not counted. */
  ANALYTICS_ACCOUNT: z
    .string()
    .regex(/^[0-9a-f]{32}$/, "must be the id of an account")
    .optional(),
  OPENS_DATASET: z
    .string()
    .regex(/^\w{1,64}$/, "must be letters, digits and underscores")
    .default("partner_payments_opens"),
  ANALYTICS_TOKEN: secret.optional(),
  OPS_TOKEN: secret,
  /** Cloudflare Access for /ops. Without it, only the shared token is accepted. */
  ACCESS_TEAM_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+$/, "must be a host name such as acme.cloudflareaccess.com")
    .optional(),
  ACCESS_AUDIENCE: z.string().min(1).optional(),
  BANK_API_BASE: baseAddress,
  EVENT_DEBOUNCE_MS: z.coerce.number("must be a number of milliseconds").int().min(0).max(60_000).default(1_000),
  RECORDS_PER_DAY: z.coerce.number("must be a number").int().min(1_000).default(limits.newRecords.perDay),
  BANK_TERMINALS: jsonText.pipe(bankTerminalsSchema),
  SECRET_ENCRYPTION_KEYS: jsonText
    .pipe(encryptionKeysSchema)
    .refine((value) => Object.hasOwn(value.keys, value.current), "`current` names no key"),
});

/** Telegram's own API. */
const TELEGRAM = "https://api.telegram.org";

/** The names of all settings and secrets. */
export const settingNames: readonly string[] = [...linkSettingNames, ...Object.keys(settingsSchema.shape)];

type Vars = z.output<typeof settingsSchema>;

/**
 * Validates the settings of the Worker. The error names each invalid variable and never shows its value. A deployed
 * Worker with invalid settings or a local secret must not serve requests.
 */
export function readSettings(bindings: object): Settings {
  const parsed = settingsSchema.safeParse(bindings);
  const links = readLinkSettings(bindings);
  const faults = parsed.error?.issues.map(({ path, message }) => ({ setting: path.join("."), message })) ?? [];
  if (!parsed.success || links.faults.length > 0) throw new Error(saidOf([...faults, ...links.faults]));
  const vars = parsed.data;
  const fault = links.settings.local ? localFaultOf(vars) : deployedFaultOf(vars);
  if (fault !== null) throw new Error(fault);
  return toSettings(vars, links.settings);
}

/** A combination of valid settings that no Worker may have; null if there is none. */
function commonFaultOf({
  PROCESSOR_EVENT_SECRET_LIVE,
  PROCESSOR_EVENT_SECRET_TEST,
  ACCESS_TEAM_DOMAIN,
  ACCESS_AUDIENCE,
}: Vars): string | null {
  if (PROCESSOR_EVENT_SECRET_LIVE === PROCESSOR_EVENT_SECRET_TEST)
    return "PROCESSOR_EVENT_SECRET_LIVE and PROCESSOR_EVENT_SECRET_TEST must differ: an event's secret is the sign of its environment";
  if ((ACCESS_TEAM_DOMAIN === undefined) !== (ACCESS_AUDIENCE === undefined))
    return "ACCESS_TEAM_DOMAIN and ACCESS_AUDIENCE go together: set both, or neither";
  return null;
}

function localFaultOf(vars: Vars): string | null {
  if (!isLoopback(new URL(vars.API_ORIGIN).hostname))
    return "DEPLOYMENT is local, but API_ORIGIN is not on this machine: a deployed Worker must set DEPLOYMENT to production";
  return commonFaultOf(vars);
}

function deployedFaultOf(vars: Vars): string | null {
  const {
    API_ORIGIN,
    SHORT_LINK_ORIGIN,
    PROCESSOR_API_BASE,
    BANK_API_BASE,
    DASHBOARD_ORIGIN = API_ORIGIN,
    TELEGRAM_API_BASE = TELEGRAM,
  } = vars;
  const origins = [
    API_ORIGIN,
    SHORT_LINK_ORIGIN,
    DASHBOARD_ORIGIN,
    TELEGRAM_API_BASE,
    PROCESSOR_API_BASE,
    BANK_API_BASE,
    ...(vars.DELIVERY_RELAY === undefined ? [] : [vars.DELIVERY_RELAY.url]),
  ];
  if (origins.some((address) => !address.startsWith("https:")))
    return "API_ORIGIN, SHORT_LINK_ORIGIN, DASHBOARD_ORIGIN, TELEGRAM_API_BASE, PROCESSOR_API_BASE, DELIVERY_RELAY and BANK_API_BASE must use https in a deployed Worker";
  const others = [API_ORIGIN, SHORT_LINK_ORIGIN].map((one) => new URL(one).hostname);
  if (new Set(others).size < others.length)
    return "SHORT_LINK_ORIGIN must be a host of its own, not that of API_ORIGIN: the short links have a Worker of their own";
  // A cookie belongs to a host, whatever the port.
  if (
    vars.DASHBOARD_ORIGIN !== undefined &&
    [...others, ...(vars.SHORT_LINK_HOSTS ?? [])].includes(new URL(vars.DASHBOARD_ORIGIN).hostname)
  )
    return "DASHBOARD_ORIGIN must be a host of its own: neither that of API_ORIGIN, nor of SHORT_LINK_ORIGIN, nor one of SHORT_LINK_HOSTS";
  const local = localSecretsIn(vars);
  if (local.length > 0) return `These settings have values for local use only, and this Worker is deployed: ${local.join(", ")}`;
  const weak = weakSecrets(vars, Object.values(vars.SECRET_ENCRYPTION_KEYS.keys).map(decodedKey));
  return commonFaultOf(vars) ?? (weak.length > 0 ? weak.join("; ") : null);
}

const hasLocalSecret = (value: unknown) => KNOWN_LOCAL_SECRETS.some((known) => JSON.stringify(value)?.includes(known));

/** The names of the settings that have a public secret of local development. */
function localSecretsIn(vars: Vars): string[] {
  const names = Object.entries(vars).flatMap(([name, value]) => (hasLocalSecret(value) ? [name] : []));
  const hasLocalKey = Object.values(vars.SECRET_ENCRYPTION_KEYS.keys).some((key) => decodedKey(key) === LOCAL_ENCRYPTION_KEY);
  return hasLocalKey ? [...names, "SECRET_ENCRYPTION_KEYS"] : names;
}

/** The platform's own API. */
const PLATFORM = "https://api.cloudflare.com";

/** In local development, the sandbox has the openings. */
function analyticsOf(vars: Vars, local: boolean): Settings["analytics"] {
  const dataset = vars.OPENS_DATASET;
  if (local) return { base: vars.PROCESSOR_API_BASE, account: "local", dataset, token: "local" };
  const { ANALYTICS_ACCOUNT: account, ANALYTICS_TOKEN: token } = vars;
  return account === undefined || token === undefined ? null : { base: PLATFORM, account, dataset, token };
}

function toSettings(vars: Vars, { local, checkoutOrigins, brand, logged }: LinkSettings): Settings {
  const { ACCESS_TEAM_DOMAIN: teamDomain, ACCESS_AUDIENCE: audience } = vars;
  return {
    local,
    databaseRegion: vars.DATABASE_REGION ?? null,
    cellRegions: vars.CELL_REGIONS,
    apiOrigin: vars.API_ORIGIN,
    dashboardOrigin: vars.DASHBOARD_ORIGIN ?? (local ? vars.API_ORIGIN : null),
    telegramBase: vars.TELEGRAM_API_BASE ?? (local ? vars.PROCESSOR_API_BASE : TELEGRAM),
    deliveryRelay: vars.DELIVERY_RELAY ?? null,
    mailFrom: vars.MAIL_FROM ?? null,
    supportContact: vars.SUPPORT_CONTACT ?? null,
    shortLinkOrigin: vars.SHORT_LINK_ORIGIN,
    shortLinkHosts: [new URL(vars.SHORT_LINK_ORIGIN).host, ...(vars.SHORT_LINK_HOSTS ?? [])],
    processor: {
      base: vars.PROCESSOR_API_BASE,
      dashboard: vars.PROCESSOR_DASHBOARD ?? null,
      checkoutOrigins,
      keys: { live: vars.PROCESSOR_KEY_LIVE, test: vars.PROCESSOR_KEY_TEST },
      eventSecrets: { live: vars.PROCESSOR_EVENT_SECRET_LIVE, test: vars.PROCESSOR_EVENT_SECRET_TEST },
    },
    bank: { base: vars.BANK_API_BASE, terminals: vars.BANK_TERMINALS },
    retention: vars.RETENTION,
    brand,
    analytics: analyticsOf(vars, local),
    recordsPerDay: vars.RECORDS_PER_DAY,
    logged,
    eventDebounceMs: vars.EVENT_DEBOUNCE_MS,
    opsToken: vars.OPS_TOKEN,
    access: teamDomain === undefined || audience === undefined ? null : { teamDomain, audience },
    encryptionKeys: vars.SECRET_ENCRYPTION_KEYS,
  };
}
