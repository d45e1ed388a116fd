import * as z from "zod";
import { isoTime } from "../../../core/clock.ts";
import { addNote, deleteNote, listNotes, MAX_NOTES, type Note } from "../../../notes/store.ts";
import { conflict, notFound } from "../../calls/refusal.ts";
import { defineCall } from "../define-call.ts";

/** Ids alone, so that a note is found by what it is about, and its place names no person. */
const target = z
  .string()
  .regex(/^(?:(?:pi|cs|plink|sub|promo|card)_\w{1,200}|(?:partner|ruble|bank)\/[\w-]{1,100})$/, {
    error: "must be pi_…, cs_…, plink_…, sub_…, promo_…, card_…, or partner/, ruble/ or bank/ with an id",
  })
  .describe("What it is about: pi_…, cs_…, plink_…, sub_…, promo_…, card_…, partner/<id>, ruble/<product id> or bank/<order id>");

const noteAnswer = z.object({ id: z.string(), target: z.string(), text: z.string(), author: z.string(), created_at: z.string() });

const viewNote = ({ createdAt, ...note }: Note) => ({ ...note, created_at: isoTime(createdAt) });

export const noteCalls = [
  defineCall({
    command: "notes list",
    path: "/ops/notes",
    role: "any",
    summary: "What operators wrote about an object, oldest first. Partners do not see it",
    query: z.object({ target }),
    positional: ["target"],
    answer: z.object({ data: z.array(noteAnswer), next: z.null() }),
    example: "pi_0123…",
    run: async ({ deps }, { query }) => ({ data: (await listNotes(deps.directory, query.target)).map(viewNote), next: null }),
  }),
  defineCall({
    command: "notes add",
    method: "POST",
    path: "/ops/notes",
    role: "support",
    summary: "Writes a note about an object, for colleagues. Write no personal data of buyers",
    body: z.strictObject({ target, text: z.string().trim().min(1, "must not be empty").max(1000) }),
    positional: ["target", "text"],
    status: 201,
    answer: noteAnswer,
    example: 'pi_0123… "The partner refunds it itself"',
    run: async ({ deps, actor }, { body }) =>
      viewNote((await addNote(deps, body, actor)) ?? conflict(`There are ${MAX_NOTES} notes about it already. Delete one first.`)),
  }),
  defineCall({
    command: "notes delete",
    method: "DELETE",
    path: "/ops/notes/{note}",
    role: "support",
    summary: "Deletes a note",
    answer: noteAnswer,
    example: "note_0123…",
    run: async ({ deps, actor }, { params }) =>
      viewNote(
        (await deleteNote(deps, params.note, actor)) ?? notFound("There is no such note. `notes list` shows those about an object."),
      ),
  }),
];
