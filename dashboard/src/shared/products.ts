import { useQuery } from "@tanstack/react-query";
import { allRows } from "../api/all-rows.ts";
import { client } from "../api/client.ts";
import type { paths } from "../api/schema.d.ts";

export type Product = paths["/partner/products"]["get"]["responses"]["200"]["content"]["application/json"]["data"][number];

/** The partner's products, for a choice. */
export function useProducts(enabled = true): {
  readonly products: readonly Product[];
  readonly error: unknown;
  readonly isPending: boolean;
} {
  const { data, error, isPending } = useQuery({
    queryKey: ["products of choices"],
    queryFn: () => allRows((at) => client.GET("/partner/products", { params: { query: { limit: 100, ...at } } })),
    staleTime: 60_000,
    enabled,
  });
  return { products: data ?? [], error, isPending };
}

/** Whether a product can be sold in an environment. */
export const isSold = (product: Product, kind: Product["kind"], environment: "live" | "test"): product is Product & { id: string } =>
  product.kind === kind && product.id !== null && product.moderation === "approved" && (product.environment ?? environment) === environment;
