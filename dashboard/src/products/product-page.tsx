import { Alert, Button } from "@mantine/core";
import { AlertIcon, InfoIcon } from "@primer/octicons-react";
import { Link } from "@tanstack/react-router";
import { audience } from "../api/audience.ts";
import { api } from "../api/client.ts";
import type { RowOf } from "../api/paths.ts";
import { links } from "../objects/links/list.tsx";
import { ObjectList } from "../objects/object-list.tsx";
import { NotThere, ObjectPage } from "../objects/object-page.tsx";
import { orders } from "../objects/orders/list.tsx";
import { Facts } from "../shared/facts.tsx";
import { MomentWithUtc } from "../shared/moment.tsx";
import { Card } from "../shared/page.tsx";
import { type PageTab, PageTabs } from "../shared/page-tabs.tsx";
import { Price } from "../shared/price.tsx";
import { isSold } from "../shared/products.ts";
import { useIdInPath } from "../shared/search-texts.ts";
import { useEnvironment, useEnvironmentOf } from "../shell/environment.ts";
import { useMay } from "../shell/session.ts";
import { texts } from "../texts/index.ts";

const { products: words } = texts;
const BACK = { to: "/products", label: words.title };

type Product = RowOf<"/partner/products">;

/** One product: what moderation says, what it costs, and what was sold of it. */
export function ProductPage() {
  const product = useIdInPath("product");
  const { data, error, refetch } = api.useQuery("get", "/partner/products/{product}", { params: { path: { product } } });
  const environment = data?.environment;
  useEnvironmentOf(environment == null ? undefined : { environment });
  const maySee = useMay("balance_view");
  const { History } = audience();
  if (data === undefined) return <NotThere title={product} back={BACK} error={error} retry={() => void refetch()} />;
  const { id, moderation, rejection_reason, is_changeable } = data;
  const only = { product: id ?? "" };
  const ofOrders: PageTab = { name: "orders", label: texts.orders.title, content: <ObjectList of={orders} only={only} size={20} /> };
  const ofLinks: PageTab = { name: "links", label: words.links, content: <ObjectList of={links} only={only} /> };
  return (
    <ObjectPage
      back={BACK}
      title={data.name}
      state={moderation}
      id={id ?? data.product_id}
      what={words.id}
      actions={<Actions product={data} />}
    >
      {moderation === "rejected" && (
        <Alert color="red" icon={<AlertIcon size={18} aria-hidden />} title={words.rejected}>
          {rejection_reason ?? "–"}
        </Alert>
      )}
      {moderation === "in_review" && (
        <Alert color="blue" icon={<InfoIcon size={18} aria-hidden />}>
          {is_changeable ? words.inReview : words.inReviewAgain}
        </Alert>
      )}
      <Card title={words.facts}>
        <Facts
          facts={[
            [words.price, <Price key="price" of={data} strong />],
            [words.description, data.description],
            [words.soldBy, words.kinds[data.kind]],
            [words.vat, data.vat],
            [words.added, <MomentWithUtc key="added" at={data.created_at} />],
            [words.updated, data.updated_at === data.created_at ? null : <MomentWithUtc key="updated" at={data.updated_at} />],
          ]}
        />
      </Card>
      <History target={`${data.kind}/${data.product_id}`} />
      {id !== null && data.kind === "card" && <PageTabs tabs={maySee ? [ofOrders, ofLinks] : [ofLinks]} />}
      {id !== null && data.kind === "ruble" && maySee && <ObjectList of={orders} only={only} size={20} />}
    </ObjectPage>
  );
}

/** A link for what is sold, or a change of what is not. */
function Actions({ product }: { readonly product: Product }) {
  const { environment } = useEnvironment();
  if (!useMay("product_create")) return null;
  const { product_id, is_changeable } = product;
  if (isSold(product, "card", environment))
    return (
      <Button size="xs" renderRoot={(props) => <Link to="/links/new" search={{ product: product.id }} {...props} />}>
        {texts.links.create}
      </Button>
    );
  return is_changeable ? (
    <Button
      size="xs"
      variant="default"
      renderRoot={(props) => <Link to="/products/$product/change" params={{ product: product_id }} {...props} />}
    >
      {words.change}
    </Button>
  ) : null;
}
