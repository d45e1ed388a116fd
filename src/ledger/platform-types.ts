/**
 * The types of transactions between the processor and us. They are not movements of a partner. All other types,
 * including future ones, are processed. A transaction that belongs to no payment is recorded without a type.
 */
const PLATFORM_TYPES =
  /^(payout|transfer|topup|reserve|payment_network_reserve|inbound_transfer|obligation|issuing|climate_order|advance|anticipation_repayment|application_fee|connect_collection_transfer|contribution|stripe|tax|fee_credit)(_|$|d_)/;

/** Whether a transaction of this type is between the processor and us. */
export const isPlatformType = (type: string): boolean => PLATFORM_TYPES.test(type);
