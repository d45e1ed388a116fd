import { Group, Stack } from "@mantine/core";
import { ObjectList } from "../../objects/object-list.tsx";
import { Action } from "../calls/action.tsx";
import { products } from "../products/products-table.tsx";
import { words } from "../texts.ts";

/** A partner's products, in any state. */
export const ProductsTab = ({ partner }: { readonly partner: string }) => (
  <Stack>
    <Group justify="flex-end">
      <Action
        call="products create"
        given={{ partner }}
        initial={{ environment: "test", type: "one_time", currency: "USD" }}
        label={words.products.add}
        variant="filled"
      />
    </Group>
    <ObjectList of={products} only={{ partner }} />
  </Stack>
);
