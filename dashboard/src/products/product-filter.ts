import type { Filter } from "../shared/filters.tsx";
import { useProducts } from "../shared/products.ts";
import { useEnvironment } from "../shell/environment.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

/** The filter of a list by product: a choice among the partner's own by name. Without them, a list keeps its field for an id. */
export function useProductFilter(): readonly Filter[] {
  const { environment } = useEnvironment();
  const { products } = useProducts(useMay("products_view"));
  const own = products.flatMap(({ id, name, environment: of }) =>
    id !== null && (of ?? environment) === environment ? [[id, name] as const] : [],
  );
  if (own.length === 0) return [];
  return [{ kind: "choice", name: "product", label: texts.common.product, choices: own.map(([id]) => id), words: Object.fromEntries(own) }];
}
