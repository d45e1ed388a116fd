import { UserFault } from "../local/processes.ts";

/** A required value that is still missing. */
export interface Question {
  /** The option, or the secret's name. */
  readonly name: string;
  /** Its purpose, and where to find it. */
  readonly what: string;
  readonly isSecret: boolean;
  readonly usual?: string;
  /** The possible answers, each with what it means; without them, any text. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
}

/** Whether a person can be asked. */
export const isInteractive = process.stdin.isTTY && process.stdout.isTTY;

// The library of the prompts is loaded where one is shown: most commands ask nothing.
const prompts = () => import("@clack/prompts");

/**
 * Asks a person. A secret is not echoed. An empty answer takes the default. Ctrl-C ends the command.
 * @throws UserFault if there is no answer and no default
 */
export async function askPerson({ name, what, isSecret, usual, choices }: Question): Promise<string> {
  const { isCancel, password, select, text } = await prompts();
  const message = `${name}: ${what}`;
  if (choices !== undefined) {
    const chosen = await select({ message, options: [...choices], ...(usual === undefined ? {} : { initialValue: usual }) });
    return isCancel(chosen) ? interrupt() : chosen;
  }
  const usually = usual === undefined ? {} : { placeholder: usual, defaultValue: usual };
  const answer = isSecret ? await password({ message }) : await text({ message, ...usually });
  if (isCancel(answer)) interrupt();
  if (answer.trim() === "") throw new UserFault(`${name} is needed. Nothing was changed; run the same command again.`);
  return answer.trim();
}

/** Asks for a yes or a no. Enter alone takes the default. */
export async function askYesNo(message: string, usual = false): Promise<boolean> {
  const { confirm, isCancel } = await prompts();
  const answer = await confirm({ message, initialValue: usual, output: process.stderr });
  if (isCancel(answer)) interrupt();
  return answer;
}

/** A prompt takes Ctrl-C as a key. It ends the command, as anywhere else. */
function interrupt(): never {
  process.kill(process.pid, "SIGINT");
  throw new UserFault("Interrupted.");
}

/** Reports all missing values at once. @throws UserFault */
export function refuseMissing(missing: readonly Question[]): never {
  const list = missing.map(({ name, what }) => `- ${name}: ${what}`).join("\n");
  throw new UserFault(`These values are missing, and there is no terminal to ask for them:\n${list}`);
}
