import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { UserFault } from "../../local/processes.ts";

/** A required value that is still missing. */
export interface Question {
  /** The option, or the secret's name. */
  readonly name: string;
  /** Its purpose, and where to find it. */
  readonly what: string;
  readonly isSecret: boolean;
  readonly usual?: string;
}

/** Whether a person can be asked. */
export const isInteractive = process.stdin.isTTY && process.stdout.isTTY;

/** Asks a person. A secret is not echoed. An empty answer takes the default. @throws UserFault if there is none */
export async function askPerson({ name, what, isSecret, usual }: Question): Promise<string> {
  console.log(`\n${name}: ${what}`);
  let isMuted = false;
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      if (!isMuted) process.stdout.write(chunk);
      done();
    },
  });
  const line = createInterface({ input: process.stdin, output, terminal: true });
  try {
    const answered = line.question(usual === undefined ? "> " : `[${usual}] > `);
    isMuted = isSecret;
    const answer = (await answered).trim() || usual;
    if (isSecret) process.stdout.write("\n");
    if (answer === undefined) throw new UserFault(`${name} is needed. Nothing was changed; run the same command again.`);
    return answer;
  } finally {
    line.close();
  }
}

/** Reports all missing values at once. @throws UserFault */
export function refuseMissing(missing: readonly Question[]): never {
  const list = missing.map(({ name, what }) => `- ${name}: ${what}`).join("\n");
  throw new UserFault(`These values are missing, and there is no terminal to ask for them:\n${list}`);
}
