import { parse } from "qs";

export type FormValue = string | FormValue[] | { [key: string]: FormValue };
export type Form = { [key: string]: FormValue };

/** More than the processor takes: no list of ours is cut, and no branch. */
const BOUNDS = { arrayLimit: 1_000, parameterLimit: 10_000, depth: 20 } as const;

/** The processor's form encoding, `a[b][0]=c`, as a tree: numbered keys make a list, `a[]` adds to one; of a name that comes twice the last. */
export function decodeForm(encoded: string): Form {
  return parse(encoded, { ...BOUNDS, duplicates: "last" }) as Form;
}

/** A branch of a form, empty if it is missing. */
export function branch(form: FormValue | undefined, key: string): Form {
  const value = typeof form === "object" && !Array.isArray(form) ? form[key] : undefined;
  return typeof value === "object" && !Array.isArray(value) ? value : {};
}

/** A list of a form, empty if it is missing. */
export function list(form: Form, key: string): FormValue[] {
  const value = form[key];
  return Array.isArray(value) ? value : [];
}

/** A field of a form, or null if it is missing or empty. */
export function text(form: Form, key: string): string | null {
  const value = form[key];
  return typeof value === "string" && value !== "" ? value : null;
}

/** An integer in its wire form, or null if the field is missing or something else. */
export function integer(form: Form, key: string): number | null {
  const value = text(form, key);
  return value !== null && /^-?\d+$/.test(value) ? Number(value) : null;
}
