import { Anchor, Button, Checkbox, Group, Modal, Stack, Text, Textarea } from "@mantine/core";
import { type HotkeyItem, useDisclosure, useHotkeys } from "@mantine/hooks";
import { CheckCircleIcon } from "@primer/octicons-react";
import { keepPreviousData } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { PAGE_SIZE } from "../../objects/list-query.ts";
import { Empty } from "../../shared/empty.tsx";
import { Failure } from "../../shared/failure.tsx";
import { Filters } from "../../shared/filters.tsx";
import { MomentText } from "../../shared/moment.tsx";
import { Money } from "../../shared/money.tsx";
import { Page } from "../../shared/page.tsx";
import { PageButtons } from "../../shared/page-buttons.tsx";
import { useSearchTexts } from "../../shared/search-texts.ts";
import { RowsSkeleton } from "../../shared/skeletons.tsx";
import { api } from "../api/client.ts";
import { Flags } from "../products/flags.tsx";
import { ImportButton } from "../products/import-button.tsx";
import { productFilters, productQuery } from "../products/product-query.ts";
import { environmentOf, kindOf, type Product } from "../products/product-words.ts";
import { PartnerLink } from "../shared/partner-link.tsx";
import { useMay } from "../shell/session.ts";
import { words } from "../texts.ts";
import type { Decision } from "./decision-queue.ts";
import { decide, keyOfProduct, undo, useDecisions } from "./decisions.ts";

const { moderation: own, products: ofProducts } = words;

/** Whether a key is for what has the focus: a person types a text there, or chooses in a menu or a dialog. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  (target instanceof HTMLInputElement && target.type !== "checkbox") ||
  (target instanceof Element && target.closest("[role=menu],[role=dialog],[role=listbox]") !== null);

/** The queue of products to decide: one by one, by keys, or many at once, with some seconds to undo. */
export function ModerationPage() {
  const search = useSearchTexts();
  const { data, error, refetch, isPlaceholderData } = api.useQuery(
    "get",
    "/ops/products",
    { params: { query: { ...productQuery(search), moderation: "in_review", limit: PAGE_SIZE } } },
    { placeholderData: keepPreviousData },
  );
  const decisions = useDecisions();
  const decided = new Set(decisions.flatMap(({ products }) => products.map(keyOfProduct)));
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [at, setAt] = useState(0);
  // Another page, or other filters, begin at their first row.
  const shown = JSON.stringify(search);
  const [begun, setBegun] = useState(shown);
  if (begun !== shown) {
    setBegun(shown);
    setAt(0);
  }
  const [isAsking, { open: ask, close }] = useDisclosure();
  const [toReject, setToReject] = useState<readonly Product[]>([]);
  const mayDecide = useMay()("moderation");
  const waiting = (data?.data ?? []).filter((product) => !decided.has(keyOfProduct(product)));
  const place = Math.max(0, Math.min(at, waiting.length - 1));
  const current = waiting[place];
  const chosen = waiting.filter((product) => selected.has(keyOfProduct(product)));
  const targets = chosen.length > 0 ? chosen : current === undefined ? [] : [current];

  const toggle = (product: Product) =>
    setSelected((before) => {
      const key = keyOfProduct(product);
      const next = new Set(before);
      if (!next.delete(key)) next.add(key);
      return next;
    });
  const choose = (verdict: Decision<Product>["verdict"], products: readonly Product[], reason?: string) => {
    decide({ verdict, products, reason });
    setSelected(new Set());
  };
  const reject = (products: readonly Product[]) => {
    setToReject(products);
    ask();
  };
  // The keys decide about the current row: where they lead, it is seen. A click moves nothing.
  const rows = useRef<HTMLDivElement>(null);
  const [moves, setMoves] = useState(0);
  useEffect(() => {
    if (moves > 0) rows.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [moves]);
  const move = (to: number) => {
    setAt(to);
    setMoves(moves + 1);
  };
  const keys: HotkeyItem[] = [
    ["j", () => move(place + 1)],
    ["k", () => move(Math.max(place - 1, 0))],
    ["x", () => current && toggle(current)],
    // A key that is held decides once.
    ["a", (event) => !event.repeat && choose("approve", targets)],
    ["r", (event) => !event.repeat && targets.length > 0 && reject(targets)],
    ["u", (event) => !event.repeat && undo()],
  ];
  useHotkeys(
    isAsking || !mayDecide || isPlaceholderData ? [] : keys.map(([key, act]) => [key, (event) => !isTyping(event.target) && act(event)]),
    // A ticked box keeps the focus, and the keys go on.
    [],
  );

  return (
    <Page
      title={own.title}
      about={own.about}
      actions={
        <>
          <Button size="xs" variant="default" renderRoot={(props) => <Link to="/products" search={{ moderation: "decided" }} {...props} />}>
            {own.decided}
          </Button>
          <ImportButton />
        </>
      }
    >
      <Filters filters={productFilters.filter(({ name }) => name !== "moderation")} />
      {error !== null && <Failure thrown={error} retry={() => void refetch()} />}
      <div className="card" ref={rows}>
        {data === undefined && error === null && <RowsSkeleton />}
        {data !== undefined && waiting.length === 0 && decisions.length === 0 && (
          <Empty title={own.none} next={own.noneNext} icon={CheckCircleIcon} />
        )}
        {waiting.length > 0 && mayDecide && (
          <Group justify="space-between" p="sm" style={{ borderBottom: "1px solid var(--app-border)" }}>
            <Checkbox
              label={chosen.length === 0 ? own.all : own.selected(chosen.length)}
              description={data === undefined || data.count === null ? undefined : own.waiting(waiting.length, data.count)}
              checked={chosen.length === waiting.length}
              indeterminate={chosen.length > 0 && chosen.length < waiting.length}
              onChange={(event) => setSelected(event.currentTarget.checked ? new Set(waiting.map(keyOfProduct)) : new Set())}
            />
            {chosen.length > 0 && (
              <Group gap="xs">
                <Button size="xs" onClick={() => choose("approve", chosen)}>
                  {own.approve(chosen.length)}
                </Button>
                <Button size="xs" variant="default" onClick={() => reject(chosen)}>
                  {own.reject(chosen.length)}
                </Button>
              </Group>
            )}
          </Group>
        )}
        {waiting.map((product, index) => (
          <ProductRow
            key={keyOfProduct(product)}
            product={product}
            isCurrent={product === current}
            isSelected={selected.has(keyOfProduct(product))}
            mayDecide={mayDecide}
            onFocus={() => setAt(index)}
            toggle={() => toggle(product)}
            approve={() => choose("approve", [product])}
            reject={() => reject([product])}
          />
        ))}
        <PageButtons next={data?.next ?? null} />
      </div>
      <Modal opened={isAsking} onClose={close} title={own.reasonTitle(toReject.length)}>
        <RejectForm
          count={toReject.length}
          reject={(reason) => {
            choose("reject", toReject, reason);
            close();
          }}
        />
      </Modal>
    </Page>
  );
}

interface ProductRowProps {
  readonly product: Product;
  readonly isCurrent: boolean;
  readonly isSelected: boolean;
  readonly mayDecide: boolean;
  readonly onFocus: () => void;
  readonly toggle: () => void;
  readonly approve: () => void;
  readonly reject: () => void;
}

/** A product with everything that a decision needs. */
function ProductRow({ product, isCurrent, isSelected, mayDecide, onFocus, toggle, approve, reject }: ProductRowProps) {
  const { kind, id, name, partner_id, currency, amount, updated_at } = product;
  return (
    <Group
      aria-current={isCurrent ? "true" : undefined}
      className="queue-row"
      data-current={isCurrent}
      p="sm"
      gap="md"
      align="flex-start"
      wrap="nowrap"
      onFocus={onFocus}
      role="group"
      aria-label={name}
    >
      {mayDecide && <Checkbox checked={isSelected} onChange={toggle} aria-label={own.toggle(name)} mt={2} />}
      <Stack gap={2} flex={1} miw={0}>
        <Group gap="xs">
          <Anchor
            size="sm"
            fw={600}
            c="inherit"
            renderRoot={(props) => <Link to="/products/$kind/$product" params={{ kind, product: String(id) }} {...props} />}
          >
            {name}
          </Anchor>
          <Money amount={amount} currency={currency} strong />
        </Group>
        <Group gap="xs" fz="xs" c="dimmed">
          <PartnerLink id={partner_id} />
          <span>{kindOf(product)}</span>
          <span>{environmentOf(product)}</span>
          <MomentText at={updated_at} />
        </Group>
        <Flags product={product} />
        {product.kind === "card" && product.description !== null && (
          <Text size="sm" lineClamp={3}>
            {product.description}
          </Text>
        )}
      </Stack>
      {mayDecide && (
        <Group gap="xs">
          <Button size="xs" onClick={approve}>
            {ofProducts.approve}
          </Button>
          <Button size="xs" variant="default" onClick={reject}>
            {ofProducts.reject}
          </Button>
        </Group>
      )}
    </Group>
  );
}

function RejectForm({ count, reject }: { readonly count: number; readonly reject: (reason: string | undefined) => void }) {
  const [reason, setReason] = useState("");
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        reject(reason.trim() === "" ? undefined : reason.trim());
      }}
    >
      <Stack>
        <Textarea
          label={own.reasonLabel}
          value={reason}
          autosize
          minRows={2}
          maxLength={500}
          onChange={(event) => setReason(event.currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end">
          <Button type="submit" color="red.9">
            {own.reject(count)}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
