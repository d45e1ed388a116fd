import { Code, Stack, Text } from "@mantine/core";
import { DataTable } from "../../shared/data-table.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { ObjectLink } from "../../shared/object-link.tsx";
import type { Answer } from "../api/client.ts";
import { labelOf } from "./names.ts";

const isRow = (value: unknown): value is Answer => typeof value === "object" && value !== null && !Array.isArray(value);

/** Any answer: its values, and its lists as tables. */
export function AnswerView({ answer }: { readonly answer: Answer }) {
  const entries = Object.entries(answer).filter(([, value]) => value !== null);
  const plain = entries.filter(([, value]) => !isList(value));
  const lists = entries.filter((entry): entry is [string, readonly Answer[]] => isList(entry[1]));
  return (
    <Stack>
      {plain.length > 0 && <Facts facts={plain.map(([name, value]) => [labelOf(name), <Value key={name} value={value} />] as const)} />}
      {lists.map(([name, rows]) => (
        <Stack key={name} gap={4}>
          {name !== "data" && <Text fw={600}>{labelOf(name)}</Text>}
          <DataTable
            label={labelOf(name)}
            rows={rows}
            keyOf={(row) => JSON.stringify(row)}
            columns={columnsOf(rows).map((column) => ({ header: labelOf(column), cell: (row: Answer) => <Value value={row[column]} /> }))}
          />
        </Stack>
      ))}
    </Stack>
  );
}

function isList(value: unknown): value is readonly Answer[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRow);
}

const columnsOf = (rows: readonly Answer[]) =>
  [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((name) => rows.some((row) => row[name] !== null));

function Value({ value }: { readonly value: unknown }) {
  if (value === null || value === undefined) return <span className="dimmed">–</span>;
  if (typeof value === "string") return /^\d{4}-\d\d-\d\dT/.test(value) ? <MomentText at={value} /> : <ObjectLink id={value} />;
  if (Array.isArray(value)) return <span>{value.length === 0 ? "–" : value.map(String).join(", ")}</span>;
  if (typeof value === "object") return <Code block>{JSON.stringify(value, null, 2)}</Code>;
  return <span>{JSON.stringify(value)}</span>;
}
