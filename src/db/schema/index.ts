/** All tables, one file per module. Only that module reads and writes the tables of its file. */
export * from "./cell.ts";
export * from "./directory.ts";
