import { Skeleton, Stack } from "@mantine/core";
import { texts } from "../texts/index.ts";

const LINES = ["1", "2", "3", "4", "5", "6"];

/** What stands for rows that are on their way. */
export function RowsSkeleton() {
  return (
    <Stack gap="sm" p="md" role="status" aria-label={texts.shell.loading}>
      {LINES.map((line) => (
        <Skeleton key={line} height={28} radius="sm" />
      ))}
    </Stack>
  );
}

/** What stands for a whole page. */
export function PageSkeleton() {
  return (
    <Stack gap="lg" maw={1180} mx="auto" role="status" aria-label={texts.shell.loading}>
      <Skeleton height={32} width={240} />
      <Skeleton height={120} />
      <Skeleton height={240} />
    </Stack>
  );
}
