import { Button } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { Link } from "@tanstack/react-router";
import { ObjectList } from "../objects/object-list.tsx";
import { Page } from "../shared/page.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { products } from "./list.tsx";

const { products: words } = texts;

/** What a partner sells, and what it asks to sell. */
export function ProductsPage() {
  const submit = <SubmitButton />;
  return (
    <Page title={words.title} about={words.about} actions={submit}>
      <ObjectList of={products} action={submit} />
    </Page>
  );
}

/** The way to the form of a new product, for a person who may submit one. */
export function SubmitButton() {
  if (!useMay("product_create")) return null;
  return (
    <Button size="xs" leftSection={<PlusIcon size={14} aria-hidden />} renderRoot={(props) => <Link to="/products/new" {...props} />}>
      {words.submit}
    </Button>
  );
}
