import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import type { Violation } from "./violation.ts";

interface Described {
  readonly paths: Readonly<
    Record<
      string,
      { readonly post?: { readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, unknown>> }>> } }
    >
  >;
}

/** Checks every answer against the API description for partners. */
export class Answers {
  readonly violations: Violation[] = [];
  count = 0;
  readonly #ajv = new Ajv2020({ strict: false, validateFormats: false });
  readonly #known = new Map<string, ValidateFunction | null>();
  readonly #description: Described;

  constructor(description: unknown) {
    this.#description = description as Described;
    this.#ajv.addSchema(description as object, "description");
  }

  /** Checks a whole answer against the description. Null if it is not a JSON object. */
  check(path: string, status: number, text: string, about: string): Readonly<Record<string, unknown>> | null {
    this.count += 1;
    const body = objectIn(text);
    const validate = this.#validatorOf(path, status);
    const wrong = (what: string) => this.add("answers are as described", `${path} ${status}: ${what}`, about);
    if (body === null) wrong("it is no JSON object");
    else if (validate === null) wrong("no such status is described");
    else if (!validate(body)) wrong(this.#ajv.errorsText(validate.errors));
    return body;
  }

  add(promise: string, what: string, about: string): void {
    this.violations.push({ promise, what, about });
  }

  /** Null if the description does not have the status. */
  #validatorOf(path: string, status: number): ValidateFunction | null {
    const name = `${path} ${status}`;
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const isDescribed = this.#description.paths[path]?.post?.responses[String(status)]?.content?.["application/json"] !== undefined;
    const pointer = ["paths", path, "post", "responses", String(status), "content", "application/json", "schema"];
    const reference = `description#/${pointer.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1"))).join("/")}`;
    const validate = isDescribed ? this.#ajv.compile({ $ref: reference }) : null;
    this.#known.set(name, validate);
    return validate;
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === "object" && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : null;
  } catch {
    return null;
  }
}
