/** A text as one word of a shell, whatever stands in it. */
export const shellQuote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
