import { texts } from "../../texts/index.ts";

const { audit: words } = texts;

type Words = Readonly<Record<string, string>>;

/** A change as a sentence: who did what. An action without words, of an earlier version, stands as the log names it. */
export function sentenceOf(
  { actor, action }: { readonly actor: string; readonly action: string },
  nameOf: (actor: string) => string,
  wordsOf: Words = words.did,
): string {
  const did = wordsOf[action];
  return did === undefined ? words.actionOf(action) : words.said(nameOf(actor), did);
}

interface KnownKey {
  readonly label: string;
  /** Its last characters; null if they are not known. */
  readonly hint: string | null;
  /** The name of the person that it belongs to; null for a key of no person. */
  readonly person: string | null;
}

interface Known {
  /** The names of people, and the keys, by their ids; none for a reader who sees neither. */
  readonly people: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, KnownKey>;
}

/** An actor of the log as people say it: a person, a key by its label, an agent by its key, support or the service. */
export function actorName(actor: string, { people, keys }: Known): string {
  const id = actor.slice(actor.lastIndexOf(" ") + 1);
  if (actor === `person ${id}`) return people.get(id) ?? (people.size === 0 ? words.somePerson : actor);
  if (actor === `holder of ${id}`) return keyName(id, keys);
  if (actor.startsWith("agent ")) return words.agent(keyName(id, keys));
  if (actor === "support") return words.support;
  return actor === "the service" ? words.service : actor;
}

function keyName(id: string, keys: Known["keys"]): string {
  const key = keys.get(id);
  if (key === undefined) return keys.size === 0 ? words.someKey : words.key(id);
  const { label, hint, person } = key;
  return [words.key(label), hint === null ? "" : ` (…${hint})`, person === null ? "" : words.ofPerson(person)].join("");
}
