import { cures } from "../../src/http/cures.ts";
import { KEY_HEADER } from "../../src/http/key-messages.ts";
import { type Method, methods } from "./sdk-sources.ts";

/** The module `ppay.calls`: the methods of the Python client, by the same names as those of the TypeScript client. */
export function pythonCalls(version: string): string {
  const nouns = Map.groupBy(methods, ({ name }) => name.split(".")[0] ?? "");
  const groups = [...nouns].filter(([noun, [only]]) => only?.name !== noun);
  const classes = groups.map(
    ([noun, ofNoun]) => `class ${classOf(noun)}:
    def __init__(self, send):
        self._send = send

${ofNoun.map((method) => methodText(method, snakeCase(method.name.split(".")[1] ?? ""))).join("\n\n")}
`,
  );
  const singles = methods.filter(({ name }) => !name.includes(".")).map((method) => methodText(method, snakeCase(method.name)));
  const repeats = Object.entries(cures).map(([code, { repeatable }]) => `    "${code}": "${repeatable}",`);
  return `"""The methods of the client. Made from the definitions of the calls."""

VERSION = "${version}"
KEY_HEADER = "${KEY_HEADER}"

# What a repeat needs, by error code.
REPEATS = {
${repeats.join("\n")}
}


${classes.join("\n\n")}

class Calls:
    def __init__(self, send):
        self._send = send
${groups.map(([noun]) => `        self.${snakeCase(noun)} = ${classOf(noun)}(send)`).join("\n")}

${singles.join("\n\n")}
`;
}

const snakeCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const classOf = (noun: string): string => `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;

function methodText({ summary, call, kind }: Method, name: string): string {
  const facts = Object.entries({ ...call, kind }).map(([field, value]) => `"${field}": ${pythonValue(value)}`);
  return `    def ${name}(self, **fields):
        """${summary}."""
        return self._send({${facts.join(", ")}}, fields)`;
}

const pythonValue = (value: unknown): string => (value === true ? "True" : JSON.stringify(value));
