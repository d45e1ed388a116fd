import { Alert } from "@mantine/core";
import { createStore, useStore } from "@mantine/store";
import { AlertIcon } from "@primer/octicons-react";
import { words } from "../texts.ts";

/** What the last answer of each call said of databases that it could not reach. */
const lost = new Map<string, string>();
const said = createStore<readonly string[]>([]);

/** Notes which databases an answer lacks; none, if it is whole. */
export function noteReach(call: string, answer: unknown): void {
  const missing = missingIn(answer);
  if (missing === null) lost.delete(call);
  else lost.set(call, missing);
  const now = [...new Set(lost.values())];
  if (now.join() !== said.getState().join()) said.setState(now);
}

/** What an answer says of databases that it could not reach; null if it is whole. */
export function missingIn(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("out_of_reach" in answer) || !Array.isArray(answer.out_of_reach)) return null;
  const cells: readonly unknown[] = answer.out_of_reach;
  return cells.map((one) => (typeof one === "object" && one !== null && "says" in one ? String(one.says) : "")).join(" ");
}

/** Says on every page that a database could not be reached: what is shown is then a part. */
export function OutOfReach() {
  const missing = useStore(said);
  if (missing.length === 0) return null;
  return (
    <Alert color="red" mb="lg" maw={1180} mx="auto" icon={<AlertIcon size={18} aria-hidden />} title={words.incomplete} role="alert">
      {missing.join(" ")}
    </Alert>
  );
}
