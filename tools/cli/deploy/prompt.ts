import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { UserFault } from "../../local/processes.ts";

/** Something that a deployment needs and that nobody has said yet. */
export interface Question {
  /** The option, or the secret's name. */
  readonly name: string;
  /** What it is, and where to find it. */
  readonly what: string;
  readonly isSecret: boolean;
  readonly usual?: string;
}

/** Whether a person is there to be asked. */
export const isInteractive = process.stdin.isTTY && process.stdout.isTTY;

/** Asks a person. A secret is not shown. An empty answer takes what is usual. @throws UserFault if it is left empty */
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

/** Says all that is missing at once. @throws UserFault */
export function refuseMissing(missing: readonly Question[]): never {
  const list = missing.map(({ name, what }) => `- ${name}: ${what}`).join("\n");
  throw new UserFault(`This is missing, and nobody is there to be asked:\n${list}`);
}
