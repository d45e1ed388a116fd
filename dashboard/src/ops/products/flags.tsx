import { Group } from "@mantine/core";
import { AlertIcon } from "@primer/octicons-react";
import { Tag } from "../../shared/tag.tsx";
import { words } from "../texts.ts";
import type { Product } from "./product-words.ts";

/** What a decision about a product looks at twice. */
export function Flags({ product: { flags } }: { readonly product: Product }) {
  if (flags.length === 0) return null;
  return (
    <Group gap={4}>
      {flags.map((flag) => (
        <Tag key={flag} color="orange" icon={<AlertIcon size={12} aria-hidden />}>
          {words.products.flags[flag]}
        </Tag>
      ))}
    </Group>
  );
}
