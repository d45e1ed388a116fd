import { bankTerminals } from "../../sandbox/local-settings.ts";
import { PLAIN_RECEIPT } from "../../src/core/receipts.ts";
import { readArguments } from "./arguments.ts";
import { SANDBOX } from "./verify/recorder.ts";
import { compareWalks } from "./verify/report.ts";
import { walkBank } from "./verify/walk-bank.ts";

const REAL = "https://securepay.tinkoff.ru";
const HELP = `Walks through the bank's API with a test terminal and compares it with the sandbox.
Set BANK_TERMINAL_KEY (ends with DEMO), BANK_TERMINAL_PASSWORD, and BANK_TAXATION (usn_income unless set).
BANK_API_BASE is ${REAL} unless set.`;
const COMMAND_LINE = { name: "verify:bank", help: HELP, options: {} };

/** `npm run verify:bank`. 0 if every step was carried out; differences are printed. Refuses a live terminal. */
export async function run(args: readonly string[]): Promise<number> {
  const read = readArguments(args, COMMAND_LINE);
  if ("exit" in read) return read.exit;
  const { BANK_TERMINAL_KEY: terminalKey = "", BANK_TERMINAL_PASSWORD: password = "", BANK_API_BASE: base = REAL } = process.env;
  if (!terminalKey.endsWith("DEMO") || password === "") {
    console.error(terminalKey === "" || password === "" ? HELP : "BANK_TERMINAL_KEY is no test terminal: its key does not end with DEMO.");
    return 2;
  }
  const taxation = process.env.BANK_TAXATION ?? "usn_income";
  const { terminal_key, password: secret, taxation: ours } = bankTerminals.test.first;
  try {
    console.log(`The bank at ${base}:`);
    await compareWalks(
      () =>
        walkBank(base, { terminalKey, password, taxation, settlementDays: 1, receipt: PLAIN_RECEIPT }, (step) => console.log(`  ${step}`)),
      () =>
        walkBank(
          SANDBOX,
          { terminalKey: terminal_key, password: secret, taxation: ours, settlementDays: 1, receipt: PLAIN_RECEIPT },
          () => undefined,
        ),
    );
    return 0;
  } catch (thrown) {
    console.error(`\nThis step failed: ${thrown instanceof Error ? thrown.message : String(thrown)}`);
    return 1;
  }
}
