import { isoTime } from "../../../core/clock.ts";
import type { Deps } from "../../../deps.ts";
import { MOST_COUNTED, waitingForPerson } from "../../../health/waiting.ts";
import { figuresOf } from "../calls/figures.ts";
import type { OpsCall } from "../define-call.ts";
import { Charts } from "./figures.tsx";
import { titleOf } from "./forms.tsx";
import { pageOfCall } from "./links.ts";

/** What the first page shows: what waits for a person, and the figures of all partners. Bounded queries. */
export async function overviewOf(deps: Deps) {
  const [tiles, figures] = await Promise.all([waitingForPerson(deps), figuresOf(deps, { environment: "live" })]);
  return { tiles, figures };
}

type OverviewProps = Awaited<ReturnType<typeof overviewOf>> & { readonly calls: readonly OpsCall[] };

export function Overview({ tiles, figures, calls }: OverviewProps) {
  return (
    <>
      <h2>What waits for a person</h2>
      <ul class="tiles">
        {tiles.map(({ kind, count, oldest, command }) => (
          <li>
            <a href={pageOfCall(command)}>{kind}</a>
            <strong class={count === 0 ? "good" : "bad"}>{count >= MOST_COUNTED ? `${MOST_COUNTED} and more` : count}</strong>
            <span class="hint">{oldest === null ? " " : `oldest since ${isoTime(oldest).slice(0, 16).replace("T", " ")} UTC`}</span>
          </li>
        ))}
      </ul>
      <h2>The last {figures.days.length} days, live</h2>
      <Charts figures={figures} />
      <h2>Everything that can be looked at or done</h2>
      <ul class="calls">
        {calls.map((call) => (
          <li>
            <a href={pageOfCall(call.command)}>{titleOf(call)}</a>
          </li>
        ))}
      </ul>
    </>
  );
}
