import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import * as z from "zod";
import { argumentsOf, describeArguments } from "../../../src/http/calls/arguments.ts";
import type { Call } from "../../../src/http/calls/call.ts";
import { root } from "../../local/processes.ts";
import type { Command } from "./command.ts";

const keptSchema = z.object({ of: z.string(), commands: z.custom<readonly Command[]>((found) => Array.isArray(found)) });
type Kept = z.infer<typeof keptSchema>;

const SOURCES = join(root, "src");

/**
 * The commands of an audience. They follow from the definitions of its calls, which load the whole service: two seconds.
 * So they are kept beside the local state, until a file of the service changes.
 */
export async function commandsFor(audience: "ops" | "partner", load: () => Promise<readonly Call[]>): Promise<readonly Command[]> {
  const file = join(root, ".wrangler", "commands", `${audience}.json`);
  const of = stateOfSources();
  const kept = read(file);
  if (kept?.of === of) return kept.commands;
  const commands = (await load()).map(commandOf);
  keep(file, { of, commands });
  return commands;
}

/** @public Tests compare it with what is kept. */
export function commandOf(call: Call): Command {
  const { command, summary, irreversible, continues, example, method, path, body, file } = call;
  const described = { command, summary, irreversible, continues, example, method, path, hasBody: body !== null, takesFile: file !== null };
  return { ...described, usage: describeArguments(call), arguments: argumentsOf(call) };
}

/** Differs after each change of a source file: the number of files, their length, and the time of the last change. */
function stateOfSources(): string {
  const files = readdirSync(SOURCES, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const states = files.map((file) => statSync(join(file.parentPath, file.name)));
  const length = states.reduce((sum, { size }) => sum + size, 0);
  return [states.length, length, Math.max(...states.map(({ mtimeMs }) => mtimeMs))].join();
}

function read(file: string): Kept | null {
  try {
    return keptSchema.parse(JSON.parse(readFileSync(file, "utf8")));
  } catch {
    return null; // None is kept yet.
  }
}

function keep(file: string, kept: Kept): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify(kept));
  } catch {
    // The folder cannot be written. The next command loads the definitions again.
  }
}
