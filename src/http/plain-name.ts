/** A field's name without case and separators, to recognise a misspelt one. */
export const plainName = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");
