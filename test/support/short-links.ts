import { env } from "cloudflare:workers";

/**
 * Lets the next `times` writes of a short link fail, as D1 itself would: the statement names a table that there
 * is not. Gives how many were tried, and what mends it.
 */
export function breakShortLinks(times = Number.POSITIVE_INFINITY): { readonly tries: () => number; readonly mend: () => void } {
  const prototype = Object.getPrototypeOf(env.CELL_1) as { prepare: (sql: string) => D1PreparedStatement };
  const { prepare } = prototype;
  let tries = 0;
  prototype.prepare = function broken(this: unknown, sql: string) {
    if (!/^update "payment_links" set .*"slug"/.test(sql) || tries >= times) return prepare.call(this, sql);
    tries += 1;
    return prepare.call(this, sql.replace('"payment_links"', '"out_of_order"'));
  };
  const mend = () => {
    prototype.prepare = prepare;
  };
  return { tries: () => tries, mend };
}
