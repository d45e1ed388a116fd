import { CodeDetail } from "../objects/promotion-codes/detail.tsx";

/** One promotion code. Only support stops it. */
export const PromotionCodePage = () => <CodeDetail actions={() => undefined} />;
