import type { StoryEntry } from "../../../story/words.ts";
import type { OpsCall } from "../call.ts";
import { CallForm } from "./forms.tsx";

/** The kinds of entries whose id is what their commands take, and how the command names it. */
const ARGUMENT: Partial<Record<StoryEntry["kind"], string>> = {
  payment_link: "id",
  event: "event",
  delivery: "event",
  bank_notification: "id",
  bank_payment: "order",
};

interface StoryProps {
  readonly entries: readonly (Omit<StoryEntry, "at"> & { readonly at: string })[];
  readonly gaps: readonly string[];
  readonly calls: readonly OpsCall[];
}

/** The story of an order as a time line, with what is wrong and what can be done at that place. */
export function Story({ entries, gaps, calls }: StoryProps) {
  return (
    <>
      {gaps.map((gap) => (
        <p class="bad">{gap}</p>
      ))}
      {entries.length === 0 ? <p>It has no story of its own.</p> : null}
      <ol class="story">
        {entries.map((entry) => (
          <li>
            <time datetime={entry.at}>{entry.at.replace("T", " ").replace(/\.\d+Z$/, " UTC")}</time>{" "}
            <span class="hint">
              {entry.kind.replaceAll("_", " ")} {entry.id}
            </span>
            <br />
            {entry.says} {entry.wrong === null ? null : <span class="bad">{entry.wrong}</span>}
            <Help entry={entry} calls={calls} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Help({ entry, calls }: { readonly entry: Pick<StoryEntry, "kind" | "id" | "command">; readonly calls: readonly OpsCall[] }) {
  const call = calls.find(({ command }) => command === entry.command);
  const argument = ARGUMENT[entry.kind];
  if (call === undefined) return null;
  return <CallForm call={call} given={argument === undefined ? {} : { [argument]: entry.id }} alone={false} />;
}
