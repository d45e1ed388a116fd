import { Button } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { useMay } from "../shell/session.ts";
import { words } from "../texts.ts";

/** The way to the import of products, for those who may decide about products. */
export function ImportButton() {
  const may = useMay();
  if (!may("moderation")) return null;
  return (
    <Button size="xs" variant="default" renderRoot={(props) => <Link to="/import" {...props} />}>
      {words.products.import}
    </Button>
  );
}
