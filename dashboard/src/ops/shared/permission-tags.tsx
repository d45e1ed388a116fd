import { Group } from "@mantine/core";
import { Tag } from "../../shared/tag.tsx";
import { texts } from "../../texts/index.ts";

const names: Readonly<Record<string, string>> = texts.rights.name;

/** Permissions as badges. */
export function PermissionTags({ permissions }: { readonly permissions: readonly string[] }) {
  if (permissions.length === 0) return <span>{texts.rights.none}</span>;
  return (
    <Group gap={4}>
      {permissions.map((one) => (
        <Tag key={one} color={one === "owner" ? "accent" : "gray"}>
          {names[one] ?? one}
        </Tag>
      ))}
    </Group>
  );
}
