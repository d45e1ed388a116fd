import { Group } from "@mantine/core";
import { texts } from "../texts/index.ts";
import { Tag } from "./tag.tsx";

const names: Readonly<Record<string, string>> = texts.rights.name;

/** Permissions as badges. */
export function Rights({ rights }: { readonly rights: readonly string[] }) {
  if (rights.length === 0) return <span>{texts.rights.none}</span>;
  return (
    <Group gap={4}>
      {rights.map((right) => (
        <Tag key={right} color={right === "owner" ? "accent" : "gray"}>
          {names[right] ?? right}
        </Tag>
      ))}
    </Group>
  );
}
