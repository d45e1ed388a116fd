import * as z from "zod";
import { entryKinds } from "../../../story/entry.ts";
import { figuresAnswer } from "../calls/figures.ts";
import { opsCalls } from "../calls/index.ts";
import type { OpsCall } from "../define-call.ts";
import { Answer } from "./answer.tsx";
import { Charts } from "./figures.tsx";
import { Story } from "./story.tsx";

const storySchema = z.object({
  entries: z.array(
    z.object({
      at: z.string(),
      kind: z.enum(entryKinds),
      id: z.string(),
      says: z.string(),
      objects: z.array(z.string()),
      wrong: z.string().nullable(),
      help: z.object({ command: z.string(), given: z.record(z.string(), z.string()) }).nullable(),
    }),
  ),
  gaps: z.array(z.string()),
});

/** The answer of a call as its page shows it: a story as a time line, figures as pictures, anything else as tables. */
export function Shown({ call: { command }, answer, here }: { readonly call: OpsCall; readonly answer: object; readonly here: URL }) {
  if (command === "story") {
    const { entries, gaps } = storySchema.parse(answer);
    return (
      <>
        <Answer command="find" answer={"found" in answer ? { data: answer.found } : {}} here={here} />
        <h2>What happened</h2>
        <Story entries={entries} gaps={gaps} calls={opsCalls} />
      </>
    );
  }
  if (command === "figures") {
    return (
      <>
        <Charts figures={figuresAnswer.parse(answer)} />
        <Answer command={command} answer={answer} here={here} />
      </>
    );
  }
  return <Answer command={command} answer={answer} here={here} />;
}
