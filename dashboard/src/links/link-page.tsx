import { Text } from "@mantine/core";
import { client } from "../api/client.ts";
import { LinkDetail, type ShownLink } from "../objects/links/detail.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { orders } from "../objects/orders/list.tsx";
import { Confirm } from "../shared/confirm.tsx";
import { Card } from "../shared/page.tsx";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";
import { LimitsForm } from "./limits-form.tsx";

const { links: words } = texts;

/** One payment link, with what its partner can do about it. */
export const LinkPage = () => (
  <LinkDetail actions={(link) => <Actions link={link} />} limits={(link) => <LimitsForm link={link} />}>
    {(link) => <Orders of={link} />}
  </LinkDetail>
);

/** The orders through a link, for those who see money. */
const Orders = ({ of: { payment_link_id: link, environment } }: { readonly of: ShownLink }) =>
  useMay("balance_view") && (
    <Card title={texts.orders.title}>
      <ObjectList of={orders} only={{ link, environment }} size={20} />
    </Card>
  );

/** Closes an open link; opens one that the partner closed. */
function Actions({ link }: { readonly link: ShownLink }) {
  const mayChange = useMay("product_create");
  if (!mayChange) return null;
  const params = { params: { path: { link: link.payment_link_id } } };
  // A link without a short address was given to no customer, and is completed before it is disabled.
  if (link.state === "open" && link.short_url === null) return null;
  if (link.state === "open")
    return (
      <Confirm
        label={words.disable}
        title={words.disableTitle}
        consequence={words.disableWhat}
        color="red"
        act={() => client.POST("/partner/links/{link}/disable", params)}
      />
    );
  if (link.disabled_by === "support") return <Text size="sm">{words.bySupport}</Text>;
  // Its limits closed it: they are raised below.
  if (link.state === "closed") return null;
  return (
    <Confirm
      label={words.enable}
      title={words.enableTitle}
      consequence={words.enableWhat}
      act={() => client.POST("/partner/links/{link}/enable", params)}
    />
  );
}
