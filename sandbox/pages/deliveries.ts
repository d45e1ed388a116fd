import * as z from "zod";
import { localSecrets } from "../local-settings.ts";
import type { World } from "../world.ts";

const listSchema = z.object({ data: z.array(z.object({ id: z.string() })) });
const deliverySchema = z.object({
  event: z.string(),
  type: z.string(),
  environment: z.string(),
  partner_id: z.string(),
  created_at: z.string(),
  endpoint: z.string(),
  state: z.string(),
  attempts: z.int(),
  next_attempt_at: z.string().nullable(),
});
const deliveriesSchema = z.object({ data: z.array(deliverySchema) });
const shownSchema = deliverySchema.extend({
  attempt_list: z.array(z.object({ number: z.int(), at: z.string(), status: z.int().nullable(), error: z.string().nullable() })),
  message: z.record(z.string(), z.unknown()),
});

/** An event of the edge, with all its delivery attempts, to any receiver. */
export type Delivery = z.infer<typeof shownSchema>;

interface Memory {
  /** The sandbox's state at the last request to the edge. */
  state: string;
  /** Unix milliseconds. */
  changedAt: number;
  known: ReadonlyMap<string, Delivery>;
  /** The request in progress. */
  asked: Promise<void> | null;
}

const memories = new WeakMap<World, Memory>();

/** The time limit of the edge, so that it does not delay a page. In milliseconds. */
const ANSWERS_WITHIN = 2_000;

/** How long after an action here something may follow at the edge. In milliseconds. */
const SETTLING = 10_000;

/**
 * The newest events of all partners, from the edge's operators' calls. It is asked only while something may have
 * changed: an open page would otherwise fill the edge's output. If it does not answer, the last known events stay.
 */
export async function deliveriesOf(world: World): Promise<readonly Delivery[]> {
  const memory = memories.get(world) ?? { state: "", changedAt: 0, known: new Map<string, Delivery>(), asked: null };
  memories.set(world, memory);
  const now = world.clock.now();
  const state = stateOf(world);
  if (state !== memory.state) Object.assign(memory, { state, changedAt: now });
  const isDue = [...memory.known.values()].some(({ next_attempt_at: next }) => next !== null && Date.parse(next) < now);
  if (now - memory.changedAt < SETTLING || isDue) {
    memory.asked ??= refresh(world, memory);
    await memory.asked;
  }
  return [...memory.known.values()];
}

async function refresh(world: World, memory: Memory): Promise<void> {
  try {
    memory.known = await ask(world, memory.known);
  } catch {
    // The edge is starting, or has another token. The last known events stay.
  } finally {
    memory.asked = null;
  }
}

function stateOf({ state }: World): string {
  const received = Object.values(state.inboxes).reduce((sum, inbox) => sum + inbox.received.length, 0);
  return [state.requests.length, Object.keys(state.objects).length, received].join(" ");
}

async function ask(world: World, known: ReadonlyMap<string, Delivery>): Promise<ReadonlyMap<string, Delivery>> {
  const get = async <Answer>(path: string, schema: z.ZodType<Answer>) => {
    const response = await world.fetch(`${world.edge}/ops/${path}`, {
      headers: { Authorization: `Bearer ${localSecrets.OPS_TOKEN}` },
      signal: AbortSignal.timeout(ANSWERS_WITHIN),
    });
    return schema.parse(await response.json());
  };
  const partners = await get("partners?limit=100", listSchema);
  const lists = await Promise.all(
    partners.data.map(({ id }) => get(`deliveries?partner=${encodeURIComponent(id)}&limit=50`, deliveriesSchema)),
  );
  const shown = lists
    .flatMap(({ data }) => data)
    .map(async (listed) => {
      const before = known.get(listed.event);
      const isSame = before?.attempts === listed.attempts && before.state === listed.state;
      return isSame ? { ...before, ...listed } : get(`deliveries/${listed.event}`, shownSchema);
    });
  return new Map((await Promise.all(shown)).map((delivery) => [delivery.event, delivery]));
}
