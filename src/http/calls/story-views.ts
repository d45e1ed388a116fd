import * as z from "zod";
import { isoTime } from "../../core/clock.ts";
import { workflows } from "../../runners/workflows.ts";
import { entryKinds, type Help, type StoryEntry } from "../../story/entry.ts";

/** The operations with client idempotency keys. */
export const keyedOperations = [...workflows.values()].filter(({ operation }) => operation !== "first-link");

/** The command line of a call. A value with characters that a shell interprets is quoted. */
function commandOf(help: Help | null): string | null {
  if (help === null) return null;
  const values = Object.values(help.given).map((value) => (/^[\w.:-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`));
  return [help.command, ...values].join(" ");
}

/** An entry of a story. */
export const storyEntryAnswer = z.object({
  at: z.string(),
  kind: z.enum(entryKinds),
  id: z.string(),
  says: z.string(),
  objects: z.array(z.string()).describe("Its objects at the processor and at the bank"),
  wrong: z.string().nullable(),
  command: z.string().nullable().describe("The command that solves the problem, with its arguments"),
  help: z
    .object({ command: z.string(), given: z.record(z.string(), z.string()) })
    .nullable()
    .describe("The same in its parts"),
});

export function viewStoryEntry(entry: StoryEntry): z.input<typeof storyEntryAnswer> {
  return { ...entry, objects: [...entry.objects], at: isoTime(entry.at), command: commandOf(entry.help) };
}
