import { asc, eq, gt, inArray, sql } from "drizzle-orm";
import { auditRow } from "../audit/audit-log.ts";
import type { Actor } from "../core/actor.ts";
import { newId } from "../core/ids.ts";
import { hasWord } from "../core/text.ts";
import { type Directory, type InDirectory, inList, runBatch } from "../db/client.ts";
import { notes } from "../db/schema/notes.ts";

export type Note = typeof notes.$inferSelect;

/** The maximum number of notes about one object. */
export const MAX_NOTES = 100;

/** The notes about an object, oldest first. One D1 round trip. */
export async function listNotes(directory: Directory, target: string): Promise<Note[]> {
  return directory.select().from(notes).where(eq(notes.target, target)).orderBy(asc(notes.createdAt), asc(notes.id)).limit(MAX_NOTES);
}

/** Adds a note; null if the object has {@link MAX_NOTES}. The audit log has that it was written, and not its text. */
export async function addNote(
  { directory, clock }: InDirectory,
  about: { target: string; text: string },
  actor: Actor,
): Promise<Note | null> {
  if ((await listNotes(directory, about.target)).length >= MAX_NOTES) return null;
  const note = { id: newId("note"), ...about, author: actor.name, createdAt: clock.now() };
  const entry = { actor, action: "note.add" as const, target: about.target, after: { note: note.id } };
  await runBatch(directory, [auditRow(directory, entry, note.createdAt), directory.insert(notes).values(note)]);
  return note;
}

/** Deletes a note. Returns the deleted one; undefined if there is none. */
export async function deleteNote({ directory, clock }: InDirectory, id: string, actor: Actor): Promise<Note | undefined> {
  const found = await directory.select().from(notes).where(eq(notes.id, id)).get();
  if (found === undefined) return undefined;
  const entry = { actor, action: "note.delete" as const, target: found.target, before: { note: id } };
  const isThere = sql`EXISTS (SELECT 1 FROM ${notes} WHERE ${notes.id} = ${id})`;
  await runBatch(directory, [auditRow(directory, entry, clock.now(), isThere), directory.delete(notes).where(eq(notes.id, id))]);
  return found;
}

/** Notes that one query reads. */
const PAGE = 1_000;

/** What the notes to delete are at, and what they name: some texts, or an order reference as a word of its own. */
export interface Noted {
  readonly targets: readonly string[];
  readonly texts: readonly string[];
  readonly reference: string | null;
}

/** Deletes the notes about some objects, and those that name one of them, in any case. Returns how many. Reads all notes. */
export async function deleteNotesAbout(directory: Directory, { targets, texts, reference }: Noted): Promise<number> {
  const wanted = texts.map((text) => text.toLowerCase());
  const isAbout = ({ target, text }: { readonly target: string; readonly text: string }) => {
    const words = text.toLowerCase();
    return (
      targets.includes(target) ||
      wanted.some((one) => words.includes(one)) ||
      (reference !== null && hasWord(words, reference.toLowerCase()))
    );
  };
  let count = 0;
  for (let after: string | undefined = ""; after !== undefined; ) {
    const page: Pick<Note, "id" | "target" | "text">[] = await directory
      .select({ id: notes.id, target: notes.target, text: notes.text })
      .from(notes)
      .where(gt(notes.id, after))
      .orderBy(asc(notes.id))
      .limit(PAGE)
      .all();
    const ids = page.filter(isAbout).map(({ id }) => id);
    if (ids.length > 0) count += (await directory.delete(notes).where(inArray(notes.id, inList(ids)))).meta.changes;
    after = page.length < PAGE ? undefined : page.at(-1)?.id;
  }
  return count;
}
