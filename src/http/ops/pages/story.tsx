import type { StoryEntry } from "../../../story/entry.ts";
import type { OpsCall } from "../define-call.ts";
import { CallForm } from "./forms.tsx";

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
              {entry.kind.replaceAll("_", " ")} {[entry.id, ...entry.objects.filter((id) => id !== entry.id)].join(" · ")}
            </span>
            <br />
            {entry.says} {entry.wrong === null ? null : <span class="bad">{entry.wrong}</span>}
            <Help help={entry.help} calls={calls} />
          </li>
        ))}
      </ol>
    </>
  );
}

function Help({ help, calls }: { readonly help: StoryEntry["help"]; readonly calls: readonly OpsCall[] }) {
  const call = calls.find(({ command }) => command === help?.command);
  return call === undefined || help === null ? null : <CallForm call={call} given={help.given} alone={false} />;
}
