import type { paths } from "./schema.d.ts";

/** The answer of a reading call, with the owner that an operator's has besides. */
export type AnswerOf<Path extends keyof paths> = paths[Path] extends {
  get: { responses: { 200: { content: { "application/json": infer Body } } } };
}
  ? Body
  : never;

/** The paths of lists. */
export type ListPath = {
  [Path in keyof paths]: [AnswerOf<Path>] extends [never] ? never : AnswerOf<Path> extends { data: unknown[] } ? Path : never;
}[keyof paths];

/** A row of a list. An operator's has its owner. */
export type RowOf<Path extends ListPath> =
  AnswerOf<Path> extends { data: (infer Row)[] } ? Row & { readonly partner_id?: string | null } : never;

/** A page of a list. */
export interface PageOf<Row> {
  readonly data: readonly Row[];
  readonly next: string | null;
}
