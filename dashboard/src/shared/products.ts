import { useQuery } from "@tanstack/react-query";
import { client } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";

export type Product = paths["/partner/products"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

/** Pages of products that a choice asks for: a partner with more types the id. */
const MOST_PAGES = 5;

/** The partner's products, for a choice; the first 500. */
export function useProducts(enabled = true): {
  readonly products: readonly Product[];
  readonly error: unknown;
  readonly isPending: boolean;
} {
  const { data, error, isPending } = useQuery({
    queryKey: ["products of choices"],
    queryFn: async () => {
      const products: Product[] = [];
      let cursor: string | undefined;
      for (let page = 0; page < MOST_PAGES; page += 1) {
        const { data: found } = await client.GET("/partner/products", {
          params: { query: { limit: 100, ...(cursor === undefined ? {} : { cursor }) } },
        });
        products.push(...(found?.data ?? []));
        cursor = found?.next ?? undefined;
        if (cursor === undefined) break;
      }
      return products;
    },
    staleTime: 60_000,
    enabled,
  });
  return { products: data ?? [], error, isPending };
}

/** Whether a product can be sold in an environment. */
export const isSold = (product: Product, kind: Product["kind"], environment: "live" | "test"): product is Product & { id: string } =>
  product.kind === kind && product.id !== null && product.moderation === "approved" && (product.environment ?? environment) === environment;
