interface Item {
  readonly product_id: string;
  readonly name: string | null;
  readonly quantity: number;
}

/** What was sold, as people say it: `2 × Course, Book`. */
export const itemsText = (items: readonly Item[]): string =>
  items.map(({ quantity, name, product_id }) => `${quantity === 1 ? "" : `${quantity} × `}${name ?? product_id}`).join(", ");
