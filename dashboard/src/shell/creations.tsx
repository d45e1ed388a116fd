import { Button } from "@mantine/core";
import { PlusIcon } from "@primer/octicons-react";
import { Link } from "@tanstack/react-router";
import { texts } from "../texts/index.ts";
import { type Right, useSession } from "./session.ts";

interface Creation {
  readonly to: "/links/new" | "/products/new" | "/promotion-codes/new" | "/ruble-payments/new";
  readonly label: string;
  /** The rights without which it is left out: of the call, and of the list of products to choose from. */
  readonly needs: readonly Right[];
}

/** What a person can make, with a page for it. */
export const creations: readonly Creation[] = [
  { to: "/products/new", label: texts.products.submit, needs: ["product_create", "products_view"] },
  { to: "/links/new", label: texts.links.create, needs: ["product_create", "products_view"] },
  { to: "/promotion-codes/new", label: texts.promotionCodes.create, needs: ["product_create", "products_view"] },
  { to: "/ruble-payments/new", label: texts.rublePayments.create, needs: ["bank_payment", "products_view"] },
];

/** The way to a form of something new, for a person who may make it. */
export function CreateButton({ to }: Pick<Creation, "to">) {
  const { permissions } = useSession();
  const { label, needs } = creations.find((one) => one.to === to) ?? { label: "", needs: [] };
  if (!needs.every((right) => permissions.includes(right))) return null;
  return (
    <Button size="xs" leftSection={<PlusIcon size={14} aria-hidden />} renderRoot={(props) => <Link to={to} {...props} />}>
      {label}
    </Button>
  );
}
