import { Group } from "@mantine/core";
import { Action } from "../calls/action.tsx";
import { words } from "../texts.ts";
import type { Product } from "./product-words.ts";

const { products: own } = words;

/** What can be decided about a product in its state. */
export function ProductActions({ product: { kind, id, moderation, revision } }: { readonly product: Product }) {
  const given = { kind, id: String(id), seen_revision: revision };
  return (
    <Group gap="xs">
      {moderation === "approved" && kind === "card" && <Action call="products link" given={{ id }} label={own.newLink} />}
      {moderation !== "approved" && <Action call="products approve" given={given} label={own.approve} />}
      {moderation !== "rejected" && <Action call="products reject" given={given} label={own.reject} />}
    </Group>
  );
}
