import { DataTable } from "../../shared/data-table.tsx";
import { Money } from "../../shared/money.tsx";

interface SumsTableProps<Position extends string> {
  readonly label: string;
  /** The sums in the order in which they add up; the last one is what they make. */
  readonly positions: Readonly<Record<Position, string>>;
  /** A column each: of a currency, or of a terminal. */
  readonly columns: readonly {
    readonly name: string;
    readonly currency: string;
    readonly sums: Readonly<Record<NoInfer<Position>, number>>;
  }[];
}

/** Sums one below the other, as an account is read, beside those of other currencies. */
export function SumsTable<Position extends string>({ label, positions, columns }: SumsTableProps<Position>) {
  // The keys are those of the type: the table is written as one object.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const names = Object.keys(positions) as Position[];
  const last = names.at(-1);
  return (
    <DataTable
      label={label}
      rows={names}
      keyOf={(position) => position}
      columns={[
        { header: label, cell: (position) => positions[position] },
        ...columns.map(({ name, currency, sums }) => ({
          header: name,
          align: "right" as const,
          cell: (position: Position) => <Money amount={sums[position]} currency={currency} strong={position === last} />,
        })),
      ]}
    />
  );
}
