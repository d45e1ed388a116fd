/** The number that was typed; undefined while nothing was. */
export const typedNumber = (typed: number | string): number | undefined => (typed === "" ? undefined : Number(typed));
