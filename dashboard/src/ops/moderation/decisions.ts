import { notifications } from "@mantine/notifications";
import { useSyncExternalStore } from "react";
import { messageOf } from "../../api/failure.ts";
import { refreshAll } from "../../api/queries.ts";
import { client } from "../api/client.ts";
import { words } from "../texts.ts";
import type { Product } from "./product-words.ts";

const { moderation: own } = words;

/** How long a decision can be undone, in milliseconds: it is carried out afterwards. */
const UNDOABLE = 6_000;
/** Products of a decision that are worked on at once. */
const AT_ONCE = 3;

export interface Decision {
  readonly verdict: "approve" | "reject";
  readonly products: readonly Product[];
  readonly reason: string | undefined;
}

/** A decision with what became of it so far. */
interface Taken extends Decision {
  readonly id: number;
  /** Null while it can be undone. */
  readonly done: number | null;
}

export const keyOfProduct = ({ kind, id }: Product): string => `${kind} ${id}`;

/**
 * Decisions that are not carried out yet. They belong to the application and not to a page, so that leaving the queue
 * neither loses one nor hides the way to undo it.
 */
let taken: readonly Taken[] = [];
let lastId = 0;
const timers = new Map<number, ReturnType<typeof setTimeout>>();
const listeners = new Set<() => void>();

function set(next: readonly Taken[]): void {
  // The browser asks before it closes a page whose decision is not carried out.
  if (taken.length === 0 && next.length > 0) globalThis.addEventListener("beforeunload", askFirst);
  if (next.length === 0) globalThis.removeEventListener("beforeunload", askFirst);
  taken = next;
  for (const listener of listeners) listener();
}

function askFirst(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

const change = (id: number, changed: Partial<Taken>) => set(taken.map((one) => (one.id === id ? { ...one, ...changed } : one)));

/** Decides about products. It waits some seconds, because an approval makes a product at the processor. */
export function decide(decision: Decision): void {
  if (decision.products.length === 0) return;
  // The decision before can no longer be undone.
  for (const one of taken) if (one.done === null) void carryOut(one);
  lastId += 1;
  const one = { ...decision, id: lastId, done: null };
  set([...taken, one]);
  timers.set(
    one.id,
    setTimeout(() => void carryOut(one), UNDOABLE),
  );
}

/** Takes the last decision back, if it is not being carried out. */
export function undo(): void {
  const last = taken.find(({ done }) => done === null);
  if (last === undefined) return;
  clearTimeout(timers.get(last.id));
  set(taken.filter(({ id }) => id !== last.id));
}

async function carryOut(one: Taken): Promise<void> {
  clearTimeout(timers.get(one.id));
  change(one.id, { done: 0 });
  const queue = [...one.products];
  let done = 0;
  const work = async () => {
    for (let product = queue.shift(); product !== undefined; product = queue.shift()) {
      try {
        await send(one, product);
      } catch (thrown) {
        notifications.show({ color: "red", message: own.failed(product.name, messageOf(thrown)), autoClose: false });
      }
      done += 1;
      change(one.id, { done });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  // The products stay out of the queue until it is read again.
  await refreshAll();
  set(taken.filter(({ id }) => id !== one.id));
}

async function send({ verdict, reason }: Decision, { kind, id }: Product): Promise<void> {
  const params = { path: { kind, id: String(id) } };
  const expected = "in_review";
  if (verdict === "approve") await client.POST("/ops/products/{kind}/{id}/approve", { params, body: { first_link: true, expected } });
  else await client.POST("/ops/products/{kind}/{id}/reject", { params, body: { reason, expected } });
}

/** The decisions that are not carried out yet, oldest first. */
export function useDecisions(): readonly Taken[] {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => taken,
  );
}
