import { notifications } from "@mantine/notifications";
import { useEffect, useRef, useState } from "react";
import { messageOf } from "../../api/failure.ts";
import { refreshAll } from "../../api/queries.ts";
import { client } from "../api/client.ts";
import { words } from "../texts.ts";
import type { Product } from "./product-words.ts";

const { moderation: own } = words;

/** How long a decision can be undone, in milliseconds: it is carried out afterwards. */
const UNDOABLE = 6_000;
/** Decisions that are carried out at once. */
const AT_ONCE = 3;

export interface Decision {
  readonly verdict: "approve" | "reject";
  readonly products: readonly Product[];
  readonly reason: string | undefined;
}

export const keyOfProduct = ({ kind, id }: Product): string => `${kind} ${id}`;

async function carryOut({ verdict, reason }: Decision, { kind, id }: Product): Promise<void> {
  const path = { kind, id: String(id) };
  if (verdict === "approve") await client.POST("/ops/products/{kind}/{id}/approve", { params: { path }, body: { first_link: true } });
  else await client.POST("/ops/products/{kind}/{id}/reject", { params: { path }, body: reason === undefined ? {} : { reason } });
}

/**
 * Decisions about products. One waits some seconds before it is carried out, because an approval makes a product at the
 * processor, and that cannot be taken back. `decided`: the products that have left the queue.
 */
export function useDecisions() {
  const [pending, setPending] = useState<Decision | null>(null);
  const [decided, setDecided] = useState<ReadonlySet<string>>(new Set());
  const [progress, setProgress] = useState<{ readonly done: number; readonly all: number } | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  const run = async (decision: Decision) => {
    setPending(null);
    const all = decision.products.length;
    let done = 0;
    setProgress({ done, all });
    const queue = [...decision.products];
    const work = async () => {
      for (let product = queue.shift(); product !== undefined; product = queue.shift()) {
        try {
          await carryOut(decision, product);
        } catch (thrown) {
          const failed = keyOfProduct(product);
          setDecided((before) => new Set([...before].filter((key) => key !== failed)));
          notifications.show({ color: "red", message: own.failed(product.name, messageOf(thrown)), autoClose: false });
        }
        done += 1;
        setProgress({ done, all });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    setProgress(null);
    await refreshAll();
    setDecided(new Set());
  };

  const decide = (decision: Decision) => {
    if (decision.products.length === 0) return;
    // The decision before can no longer be undone.
    if (pending !== null) {
      globalThis.clearTimeout(timer.current);
      void run(pending);
    }
    setPending(decision);
    setDecided((before) => new Set([...before, ...decision.products.map(keyOfProduct)]));
    timer.current = globalThis.setTimeout(() => void run(decision), UNDOABLE);
  };

  const undo = () => {
    if (pending === null) return;
    globalThis.clearTimeout(timer.current);
    const undone = new Set(pending.products.map(keyOfProduct));
    setDecided((before) => new Set([...before].filter((key) => !undone.has(key))));
    setPending(null);
  };

  // The browser asks before it closes a page whose decision is not carried out.
  const isBusy = pending !== null || progress !== null;
  useEffect(() => {
    if (!isBusy) return undefined;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    globalThis.addEventListener("beforeunload", ask);
    return () => globalThis.removeEventListener("beforeunload", ask);
  }, [isBusy]);

  return { pending, decided, progress, decide, undo };
}
