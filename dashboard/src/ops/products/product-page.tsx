import { links } from "../../objects/links/list.tsx";
import { ObjectList } from "../../objects/object-list.tsx";
import { NotThere, ObjectPage } from "../../objects/object-page.tsx";
import { Facts } from "../../shared/facts.tsx";
import { MomentWithUtc } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { NotFound } from "../../shared/not-found.tsx";
import { Card } from "../../shared/page.tsx";
import { useIdInPath } from "../../shared/search-texts.ts";
import { Status } from "../../shared/status.tsx";
import { texts } from "../../texts/index.ts";
import { api } from "../api/client.ts";
import { Action } from "../calls/action.tsx";
import { labelOf } from "../calls/names.ts";
import { AtProcessor } from "../shared/at-processor.tsx";
import { Notes } from "../shared/notes.tsx";
import { PartnerLink } from "../shared/partner-link.tsx";
import { words } from "../texts.ts";
import { Flags } from "./flags.tsx";
import { ProductActions } from "./product-actions.tsx";
import { environmentOf, kindOf, type Product } from "./product-words.ts";

const { products: own } = words;

/** What the form of a change begins with: the fields of the product's kind. */
function changeable(product: Product): Readonly<Record<string, unknown>> {
  const { name, unit_amount } = product;
  if (product.kind === "ruble") {
    const { terminal, vat, receipt_subject, receipt_method, measurement_unit } = product;
    return { name, unit_amount, terminal, vat, receipt_subject, receipt_method, measurement_unit };
  }
  const { description, currency, interval, interval_count, payment_method_types } = product;
  return { name, description, unit_amount, currency, interval, interval_count, payment_method_types };
}

const BACK = { to: "/products", label: texts.products.title };

/** One product, with its decision and its change. */
export function ProductPage() {
  const kind = useIdInPath("kind");
  const product = useIdInPath("product");
  const isKnown = kind === "card" || kind === "ruble";
  const { data, error, refetch } = api.useQuery(
    "get",
    "/ops/products/{kind}/{id}",
    { params: { path: { kind: kind === "ruble" ? "ruble" : "card", id: product } } },
    { enabled: isKnown },
  );
  if (!isKnown) return <NotFound />;
  if (data === undefined) return <NotThere title={product} back={BACK} error={error} retry={() => void refetch()} />;
  return (
    <ObjectPage
      back={BACK}
      title={data.name}
      state={data.moderation}
      marks={<Flags product={data} />}
      id={String(data.id)}
      what={texts.common.product}
      actions={
        <>
          <Action call="products change" given={{ kind, id: product }} initial={changeable(data)} label={texts.products.change} />
          <ProductActions product={data} />
        </>
      }
    >
      <Card title={texts.common.product}>
        <Facts
          facts={[
            [texts.list.partner, <PartnerLink key="partner" id={data.partner_id} />],
            [texts.products.price, <Money key="price" amount={data.amount} currency={data.currency} strong />],
            [texts.common.kind, kindOf(data)],
            [words.lists.environment, environmentOf(data)],
            [words.lists.atProcessor, data.processor_url === null ? null : <AtProcessor key="processor" url={data.processor_url} />],
            [texts.products.description, data.kind === "card" ? data.description : null],
            [labelOf("processor_product_id"), data.kind === "card" ? data.processor_product_id : null],
            [words.rublePayments.terminal, data.kind === "ruble" ? data.terminal : null],
            [texts.products.vat, data.kind === "ruble" ? data.vat : null],
            [own.receiptSubject, data.kind === "ruble" ? (data.receipt_subject ?? own.asTerminal) : null],
            [own.receiptMethod, data.kind === "ruble" ? (data.receipt_method ?? own.asTerminal) : null],
            [own.unit, data.kind === "ruble" ? data.measurement_unit : null],
            [own.reason, data.rejection_reason],
            [
              own.decision,
              data.decided_at === null ? null : (
                <span key="decision">
                  <MomentWithUtc at={data.decided_at} /> {own.decidedBy(data.decided_by ?? "")}
                </span>
              ),
            ],
            [texts.links.created, <MomentWithUtc key="made" at={data.created_at} />],
          ]}
        />
      </Card>
      <Card title={own.forPartner}>
        <Facts
          facts={[
            [own.orderId, data.for_partner.id],
            [texts.common.name, data.for_partner.name],
            [texts.products.description, data.for_partner.description],
            [own.state, <Status key="state" status={data.for_partner.moderation} />],
            [own.reason, data.for_partner.rejection_reason],
          ]}
        />
      </Card>
      {data.kind === "card" && data.processor_product_id !== null && (
        <Card title={own.openLinks}>
          <ObjectList
            of={{ ...links, hasEnvironment: false }}
            only={{ partner: data.partner_id, product: data.processor_product_id, environment: data.environment, state: "open" }}
          />
        </Card>
      )}
      <Notes target={data.kind === "ruble" ? `ruble/${data.id}` : data.id} />
    </ObjectPage>
  );
}
