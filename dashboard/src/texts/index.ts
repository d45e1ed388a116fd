import { english } from "./en.ts";

/** The texts of the pages in the person's language: English so far. Another language is a file of the same shape. */
export const texts = english;
