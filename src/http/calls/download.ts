import type { Context } from "hono";
import { errorFields } from "../../core/log.ts";
import type { AppEnv } from "../context.ts";
import { streamOf } from "../json-stream.ts";

/** The types of files that an answer may have. */
export const fileTypes = ["text/csv", "application/x-ndjson"] as const;

/** A file as an answer: it is made while it is sent, so it may have any length. */
export interface Download {
  readonly type: (typeof fileTypes)[number];
  /** The name under which a browser saves it. */
  readonly name: string;
  readonly texts: AsyncGenerator<string, undefined>;
}

/** Sends a file. A failure while it is sent cuts it: the client sees that it is not whole. */
export function sendFile(context: Context<AppEnv>, { type, name, texts }: Download): Response {
  const { log } = context.get("deps");
  const body = streamOf(texts, (thrown) => log.error("file cut off", { file: name, ...errorFields(thrown) }));
  const headers = {
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Disposition": `attachment; filename="${name}"`,
    "Cache-Control": "no-store",
  };
  for (const [header, value] of Object.entries(headers)) context.header(header, value);
  return context.body(body);
}
