interface Item {
  readonly product_id: string;
  readonly name: string | null;
  readonly quantity: number;
}

/** What was sold, as people say it: `2 × Course, 1 × Book`. */
export const itemsText = (items: readonly Item[]): string =>
  items.map(({ quantity, name, product_id }) => `${quantity} × ${name ?? product_id}`).join(", ");
