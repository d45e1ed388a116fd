import { basename } from "node:path";

/** The name of the installed command, as in `npx partner-payments ops`. */
export const BIN = "partner-payments";

/** How a command was called, for its help: `partner-payments ops`, or `npm run ops --`. */
export function calledAs(name: string): string {
  if (basename(process.argv[1] ?? "") === BIN) return `${BIN} ${name}`;
  return name === "test" ? "npm test --" : `npm run ${name} --`;
}
