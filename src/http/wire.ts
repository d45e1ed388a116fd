import * as z from "zod";
import { isoTime } from "../core/clock.ts";

/** `created_at` as `createdAt`. */
type Camel<Name extends string> = Name extends `${infer Head}_${infer Rest}` ? `${Head}${Capitalize<Camel<Rest>>}` : Name;
const camelOf = (name: string): string => name.replaceAll(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

/** The names of columns that are times. */
type Time = "at" | `${string}At` | `${string}Until` | `${string}Since` | `${string}PeriodEnd`;
const TIME = /^at$|(?:At|Until|Since|PeriodEnd)$/;
type Shown<Name, Value> = Name extends Time ? (Value extends number ? string : Value) : Value;

/** Whether a field takes fractions: it is an amount in major units, and columns have minor ones. */
type IsAmount<Schema> =
  Schema extends z.ZodNullable<infer Of>
    ? IsAmount<Of>
    : Schema extends z.ZodNumberFormat
      ? false
      : Schema extends z.ZodNumber
        ? true
        : false;
const isAmount = (schema: unknown): boolean =>
  schema instanceof z.ZodNullable ? isAmount(schema.unwrap()) : schema instanceof z.ZodNumber && !(schema instanceof z.ZodNumberFormat);

/** The fields of a view that a row has by their names in camel case, amounts aside. */
type Wire<Shape, Row> = {
  -readonly [Name in keyof Shape & string as Camel<Name> extends keyof Row
    ? IsAmount<Shape[Name]> extends true
      ? never
      : Name
    : never]: Camel<Name> extends keyof Row ? Shown<Camel<Name>, Row[Camel<Name>]> : never;
};

/**
 * Makes the function that takes from a row what a view shows of it as it is: the fields of the view's schema, and no other, with times as
 * texts. A field that the row lacks, and an amount, which the row has in minor units, is left out: the view does not compile unless it adds
 * them.
 */
export function wire<Shape extends z.ZodRawShape>({ shape }: z.ZodObject<Shape>) {
  const fields = Object.entries(shape)
    .filter(([, schema]) => !isAmount(schema))
    .map(([name]) => ({ name, own: camelOf(name), isTime: TIME.test(camelOf(name)) }));
  return <Row extends object>(row: Row): Wire<Shape, Row> => {
    const shown = fields
      .filter(({ own }) => own in row)
      .map(({ name, own, isTime }) => {
        const value: unknown = Reflect.get(row, own);
        return [name, isTime && typeof value === "number" ? isoTime(value) : value] as const;
      });
    // The entries are those of the type.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    return Object.fromEntries(shown) as Wire<Shape, Row>;
  };
}
