import { Tabs } from "@mantine/core";
import { isOfCarts } from "../shared/cart-currencies.ts";
import { Empty } from "../shared/empty.tsx";
import { Failure } from "../shared/failure.tsx";
import { Card, Page } from "../shared/page.tsx";
import { isSold, useProducts } from "../shared/products.ts";
import { useSearchTexts } from "../shared/search-texts.ts";
import { RowsSkeleton } from "../shared/skeletons.tsx";
import { CreateButton } from "../shell/creations.tsx";
import { useEnvironment } from "../shell/environment.ts";
import { texts } from "../texts/index.ts";
import { CartForm } from "./cart-form.tsx";
import { ProductLinkForm } from "./product-link-form.tsx";

const { links: words } = texts;

/** Makes a link for a cart, or for one product. */
export function NewLinkPage() {
  const { environment } = useEnvironment();
  const { products, error, isPending } = useProducts();
  const { product: wanted } = useSearchTexts();
  const sold = products.filter((product) => isSold(product, "card", environment));
  const inCarts = sold.filter(({ currency }) => isOfCarts(currency));
  return (
    <Page back={{ to: "/links", label: words.title }} title={words.create} about={words.newAbout(texts.environment[environment])}>
      <Card>
        {isPending && <RowsSkeleton />}
        {error !== null && <Failure thrown={error} />}
        {!isPending && error === null && sold.length === 0 && (
          <Empty title={words.noProducts} next={words.noProductsNext} action={<CreateButton to="/products/new" />} />
        )}
        {sold.length > 0 && (
          <Tabs defaultValue={wanted === undefined && inCarts.length > 0 ? "cart" : "product"} key={`${environment} ${wanted}`}>
            <Tabs.List mb="lg">
              {inCarts.length > 0 && <Tabs.Tab value="cart">{words.forCart}</Tabs.Tab>}
              <Tabs.Tab value="product">{words.forProduct}</Tabs.Tab>
            </Tabs.List>
            <Tabs.Panel value="cart">
              <CartForm products={inCarts} />
            </Tabs.Panel>
            <Tabs.Panel value="product">
              <ProductLinkForm products={sold} wanted={sold.find(({ id }) => id === wanted)} />
            </Tabs.Panel>
          </Tabs>
        )}
      </Card>
    </Page>
  );
}
