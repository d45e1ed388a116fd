import * as z from "zod";

/** A line of a link or of a subscription for partners, in operation 8 and in events. */
export const processorItemSchema = z
  .object({ processor_product_id: z.string(), processor_price_id: z.string(), quantity: z.int() })
  .meta({ title: "ProcessorItem" });

/** A line by the processor's ids. */
export interface ProcessorItem {
  readonly productId: string;
  readonly priceId: string;
  readonly quantity: number;
}

export function viewProcessorItem({ productId, priceId, quantity }: ProcessorItem): z.infer<typeof processorItemSchema> {
  return { processor_product_id: productId, processor_price_id: priceId, quantity };
}
