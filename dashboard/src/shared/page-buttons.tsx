import { Button, Group } from "@mantine/core";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { texts } from "../texts/index.ts";
import { useSearchTexts } from "./search-texts.ts";

/** The ways between the pages of a list, whose cursor stands in the address. `next` is the cursor of the next page; null on the last. */
export function PageButtons({ next }: { readonly next: string | null }) {
  const { cursor } = useSearchTexts();
  const navigate = useNavigate();
  const router = useRouter();
  if (cursor === undefined && next === null) return null;
  const to = (wanted: string | undefined) => void navigate({ to: ".", search: (before: object) => ({ ...before, cursor: wanted }) });
  // An address that was shared has no page before it of ours.
  const goBack = () => (router.history.canGoBack() ? router.history.back() : to(undefined));
  return (
    <Group justify="space-between" p="sm" component="nav" aria-label={texts.list.pages}>
      <Group gap="xs">
        <Button variant="default" size="xs" disabled={cursor === undefined} onClick={() => to(undefined)}>
          {texts.list.first}
        </Button>
        <Button variant="default" size="xs" disabled={cursor === undefined} onClick={goBack}>
          {texts.list.back}
        </Button>
      </Group>
      <Button variant="default" size="xs" disabled={next === null} onClick={() => to(next ?? undefined)}>
        {texts.list.next}
      </Button>
    </Group>
  );
}
