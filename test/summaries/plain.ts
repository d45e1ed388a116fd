/** A text with usual blanks: Russian amounts and days have no-break ones. */
export const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, " ");
