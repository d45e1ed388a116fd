import { Button } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { Link } from "@tanstack/react-router";
import { links } from "../objects/links/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { Page } from "../shared/page.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { links: words } = texts;

/** All payment links of an environment, of carts too. */
export function LinksPage() {
  const create = useMay("product_create") ? (
    <Button size="xs" leftSection={<PlusIcon size={14} aria-hidden />} renderRoot={(props) => <Link to="/links/new" {...props} />}>
      {words.create}
    </Button>
  ) : undefined;
  return (
    <Page title={words.title} about={words.about} actions={create}>
      <ObjectList of={links} action={create} />
    </Page>
  );
}
