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

interface Known {
  /** The names of people, and the labels of keys, by their ids. */
  readonly people: ReadonlyMap<string, string>;
  readonly keys: ReadonlyMap<string, string>;
}

/** An actor of the log as people say it: a person, a key by its label, an agent by its key, support or the service. */
export function actorName(actor: string, { people, keys }: Known): string {
  const id = actor.slice(actor.lastIndexOf(" ") + 1);
  if (actor === `person ${id}`) return people.get(id) ?? actor;
  if (actor === `holder of ${id}`) return keyName(id, keys);
  if (actor.startsWith("agent ")) return words.agent(keyName(id, keys));
  if (actor === "support") return words.support;
  return actor === "the service" ? words.service : actor;
}

const keyName = (id: string, keys: Known["keys"]): string => words.key(keys.get(id) ?? id);
