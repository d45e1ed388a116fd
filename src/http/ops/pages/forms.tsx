import type { Argument } from "../../calls/arguments.ts";
import { argumentsOf } from "../../calls/arguments.ts";
import type { OpsCall } from "../define-call.ts";
import { pageOfCall } from "./links.ts";

type Given = Readonly<Record<string, string>>;

interface CallFormProps {
  readonly call: OpsCall;
  readonly given: Given;
  /** Whether the page is about nothing else; otherwise it is folded. */
  readonly alone: boolean;
  /** Of its button, and of what unfolds it. */
  readonly caption?: string;
}

/** The form of a call. What the page knows already is filled in. */
export function CallForm({ call, given, alone, caption = titleOf(call) }: CallFormProps) {
  const form = (
    <form
      action={pageOfCall(call.command)}
      method={call.method === "GET" ? "get" : "post"}
      enctype={call.file === null ? undefined : "multipart/form-data"}
      class={alone ? "alone" : undefined}
    >
      <p class="hint">
        {call.summary}.
        {argumentsOf(call).flatMap(({ name, in: where }) =>
          where === "path" && given[name] ? [` ${name.replaceAll("_", " ")}: ${given[name]}`] : [],
        )}
      </p>
      {argumentsOf(call).map((field) => (
        <Field field={field} call={call} value={given[field.name] ?? ""} />
      ))}
      {call.irreversible === null ? null : (
        <label class="check">
          <input type="checkbox" name="sure" value="yes" required />
          <span>{call.irreversible} I am sure.</span>
        </label>
      )}
      <div>
        <button type="submit">{caption}</button>
      </div>
    </form>
  );
  return alone ? (
    form
  ) : (
    <details>
      <summary>{caption}</summary>
      {form}
    </details>
  );
}

/** What a page calls a call: `Partners` for the list, `Partner` for one, `Disable partner` for what is done with it. */
export function titleOf({ command }: OpsCall): string {
  const [noun = "", verb] = command.split(" ");
  const one = noun.replace(/ies$/, "y").replace(/([^s])s$/, "$1");
  const words =
    verb === undefined || verb === "list" ? noun : verb === "show" ? one : verb === "waiting" ? `waiting ${noun}` : `${verb} ${one}`;
  return (words.charAt(0).toUpperCase() + words.slice(1)).replaceAll("-", " ");
}

function Field({ field, call, value }: { readonly field: Argument; readonly call: OpsCall; readonly value: string }) {
  const { name, demandOption = false, describe, array = false, choices = [] } = field;
  if (field.in === "path" && value !== "") return <input type="hidden" name={name} value={value} />;
  const id = `${call.command}-${name}`.replaceAll(" ", "-");
  const hint = describe === undefined ? null : <span class="hint">{describe}</span>;
  const caption = `${name.replaceAll("_", " ")}${demandOption ? "" : " (optional)"}`;
  if (array && choices.length > 0) {
    return (
      <fieldset>
        <legend>{caption}</legend>
        {hint}
        {choices.map((choice) => (
          <label class="check">
            <input type="checkbox" name={name} value={choice} />
            <span>{choice}</span>
          </label>
        ))}
      </fieldset>
    );
  }
  return (
    <label for={id}>
      <span>{caption}</span>
      <Input field={field} id={id} value={value} />
      {hint}
    </label>
  );
}

function Input({ field, id, value }: { readonly field: Argument; readonly id: string; readonly value: string }) {
  const { name, type, demandOption = false, choices = [], isNumber, array = false } = field;
  if (field.in === "file") return <input id={id} type="file" name={name} required accept=".csv,.json" />;
  const options = type === "boolean" ? ["true", "false"] : choices;
  if (options.length > 0) {
    return (
      <select id={id} name={name} required={demandOption}>
        {demandOption ? null : <option value="">–</option>}
        {options.map((option) => (
          <option value={option} selected={option === value}>
            {option}
          </option>
        ))}
      </select>
    );
  }
  return (
    <input
      id={id}
      name={name}
      value={value}
      required={demandOption}
      inputmode={isNumber ? "numeric" : undefined}
      placeholder={array ? "several, with spaces between" : undefined}
      autocomplete="off"
    />
  );
}

/** What a form sent, as the input of its call. An empty field was not given. */
export function inputOf(call: OpsCall, sent: ReadonlyMap<string, readonly string[]>) {
  const input: Record<"path" | "query" | "body", Record<string, unknown>> = { path: {}, query: {}, body: {} };
  for (const field of argumentsOf(call)) {
    const values = (sent.get(field.name) ?? []).map((value) => value.trim()).filter((value) => value !== "");
    if (field.in !== "file" && (values.length > 0 || (field.array === true && field.demandOption === true))) {
      input[field.in][field.name] = valueIn(field, values);
    }
  }
  return { params: input.path, query: input.query, body: input.body };
}

function valueIn({ array, type, isNumber, choices = [], in: where }: Argument, values: readonly string[]): unknown {
  const [first = ""] = values;
  if (array === true) return choices.length > 0 ? values : first.split(/[\s,]+/);
  // The query of a call is texts, which its schema reads; a body has values.
  if (where !== "body") return first;
  if (type === "boolean") return first === "true";
  return isNumber && /^-?\d+$/.test(first) ? Number(first) : first;
}
