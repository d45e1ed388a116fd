import { notifications } from "@mantine/notifications";
import { createStore, useStore } from "@mantine/store";
import { messageOf } from "../../api/failure.ts";
import { refreshAll } from "../../api/queries.ts";
import { client } from "../api/client.ts";
import type { Product } from "../products/product-words.ts";
import { words } from "../texts.ts";
import { type Decision, DecisionQueue, type Taken } from "./decision-queue.ts";

/** How long a decision can be undone, in milliseconds. */
const UNDOABLE = 6_000;

export const keyOfProduct = ({ kind, id }: Product): string => `${kind} ${id}`;

const taken = createStore<readonly Taken<Product>[]>([]);

/** The queue belongs to the application and not to a page: leaving the list neither loses a decision nor hides the way to undo it. */
const queue = new DecisionQueue<Product>({
  later(work) {
    const timer = setTimeout(work, UNDOABLE);
    return () => clearTimeout(timer);
  },
  send,
  onFailure: (product, thrown) =>
    notifications.show({ color: "red", message: words.moderation.failed(product.name, messageOf(thrown)), autoClose: false }),
  onDone: refreshAll,
  onChange(now) {
    // The browser asks before it closes a page whose decision is not carried out.
    if (now.length > 0) globalThis.addEventListener("beforeunload", askFirst);
    else globalThis.removeEventListener("beforeunload", askFirst);
    taken.setState(now);
  },
});

function askFirst(event: BeforeUnloadEvent): void {
  event.preventDefault();
}

async function send({ verdict, reason }: Decision<Product>, { kind, id, revision }: Product): Promise<void> {
  const params = { path: { kind, id: String(id) } };
  const seen_revision = revision;
  if (verdict === "approve") await client.POST("/ops/products/{kind}/{id}/approve", { params, body: { first_link: true, seen_revision } });
  else await client.POST("/ops/products/{kind}/{id}/reject", { params, body: { reason, seen_revision } });
}

export const decide = (decision: Decision<Product>): void => queue.decide(decision);
export const undo = (): void => queue.undo();

/** The decisions that are not carried out yet, oldest first. */
export const useDecisions = (): readonly Taken<Product>[] => useStore(taken);
