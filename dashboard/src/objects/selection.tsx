import { Group } from "@mantine/core";
import type { ReactNode } from "react";
import { Money } from "../shared/money.tsx";
import { texts } from "../texts/index.ts";

interface SelectionProps<Sum> {
  /** Of the whole selection; words where there are too many to count. */
  readonly count: number | string;
  readonly say: (count: number) => string;
  readonly sums: readonly Sum[] | null;
  readonly children?: (sum: Sum) => ReactNode;
}

/**
 * What a whole selection comes to, as the Worker says it: how many rows, and their sums by currency. Where it has rows of both environments,
 * each sum says its own.
 */
export function Selection<Sum extends { readonly environment: "live" | "test"; readonly currency: string }>({
  count,
  say,
  sums,
  children,
}: SelectionProps<Sum>) {
  if (count === 0) return null;
  const isOfBoth = new Set(sums?.map(({ environment }) => environment)).size > 1;
  return (
    <Group gap="2px 24px" fz="sm" role="status">
      <b>{typeof count === "number" ? say(count) : texts.list.most}</b>
      {(sums ?? []).map((sum) => (
        <span key={`${sum.currency} ${sum.environment}`}>
          {isOfBoth && `${texts.environment[sum.environment]}: `}
          {children?.(sum)}
        </span>
      ))}
    </Group>
  );
}

/** The same of rows that have no sums. */
export const counted = (say: SelectionProps<never>["say"]) =>
  function Counted({ count }: Pick<SelectionProps<never>, "count">) {
    return <Selection count={count} say={say} sums={null} />;
  };

interface PartProps {
  readonly name: string;
  readonly amount: number | null;
  readonly currency: string;
  readonly strong?: boolean;
}

/** One sum with its name. */
export const Part = ({ name, amount, currency, strong = false }: PartProps) => (
  <>
    <span className="dimmed">{name}</span> <Money amount={amount} currency={currency} strong={strong} />{" "}
  </>
);
