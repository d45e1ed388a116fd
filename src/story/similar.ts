import { findLinksBySlugs } from "../links/admin/links.ts";
import { findCodesWithTexts } from "../promotions/deactivate.ts";
import { hasRightCheck, slugPattern } from "../short-links/slug.ts";
import { type FindDeps, type Found, inEachCell } from "./found.ts";

const SLUG_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const CODE_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
/** The longest text that is varied: its variants stay one parameter of a query. */
const LONGEST = 32;
/** The most similar objects that are shown. */
const MOST = 5;

/**
 * The texts that become this one by one mistake of a person who types: a letter wrong, one missing, one too many, or two neighbours
 * swapped.
 */
export function oneMistakeFrom(text: string, letters: string): ReadonlySet<string> {
  const variants = new Set<string>();
  for (let at = 0; at <= text.length; at += 1) {
    const [before, behind] = [text.slice(0, at), text.slice(at)];
    for (const letter of letters) {
      variants.add(before + letter + behind);
      if (behind !== "") variants.add(before + letter + behind.slice(1));
    }
    if (behind !== "") variants.add(before + behind.slice(1));
    if (behind.length > 1) variants.add(`${before}${behind[1]}${behind[0]}${behind.slice(2)}`);
  }
  variants.delete(text);
  return variants;
}

/** Links and promotion codes whose slug or text is one mistake from this. By index; a right check leaves few slugs of the present length. */
export async function similarNamed(deps: FindDeps, text: string): Promise<Found[]> {
  if (text.length > LONGEST || !/^[\w-]{3,}$/.test(text)) return [];
  const slugs = [...oneMistakeFrom(text, SLUG_LETTERS)].filter((slug) => slugPattern.test(slug) && hasRightCheck(slug));
  const codes = [...oneMistakeFrom(text.toUpperCase(), CODE_LETTERS)];
  const found = await inEachCell(deps, async (db) => [
    ...(slugs.length === 0 ? [] : await findLinksBySlugs(db, slugs)).map((row) => ({ kind: "payment_link" as const, row })),
    ...(await findCodesWithTexts(db, codes)).map((row) => ({ kind: "promotion_code" as const, row })),
  ]);
  const all = found.flatMap(({ row, cell }) =>
    row.map((one): Found => ({ kind: one.kind, id: one.row.id, partnerId: one.row.partnerId, environment: one.row.environment, cell })),
  );
  return all.slice(0, MOST);
}
