import { nextPart, pauseAfter, summed } from "../../../../src/core/continues.ts";
import type { CallDefinition } from "./call-definition.ts";
import { type Answer, send } from "./client.ts";
import { type Given, requestOf } from "./request-of.ts";

/**
 * Makes a call from the values of its fields. One that does a part of the work is repeated until nothing is left; `onPart` gets what was
 * done so far, and what the next call is given, and ends the work by answering false. @throws CallFailure as the Worker refuses
 */
export async function perform(
  call: CallDefinition,
  given: Given,
  file?: Blob,
  onPart: (sofar: Answer, next: Given) => boolean = () => true,
): Promise<Answer> {
  const answers: Answer[] = [];
  for (let part: Given | null = given; part !== null; ) {
    const answer = await performOnce(call, part, file);
    answers.push(answer);
    part = nextPart(call.continues, part, answer);
    if (part !== null && !onPart(summed(call.continues, answers), part)) break;
    const pause = pauseAfter(call.continues, answer);
    if (part !== null && pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  return summed(call.continues, answers);
}

function performOnce(call: CallDefinition, given: Given, file: Blob | undefined): Promise<Answer> {
  const { path, query, body } = requestOf(call, given);
  const isForm = file === undefined;
  return send(`${path}${query}`, {
    method: call.method,
    ...(call.method === "GET" ? {} : { headers: { "Content-Type": isForm ? "application/json" : "text/csv" } }),
    ...(isForm ? (body === null ? {} : { body: JSON.stringify(body) }) : { body: file }),
  });
}
