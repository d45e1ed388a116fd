import { linkOf } from "./links.ts";

type Row = Readonly<Record<string, unknown>>;

interface AnswerProps {
  /** The command whose answer it is. */
  readonly command: string;
  readonly answer: object;
  /** The address of the next page of a list, without its cursor. */
  readonly here: URL;
}

/** The answer of a call, whatever it is: lists of objects as tables, anything else as names and values. */
export function Answer({ command, answer, here }: AnswerProps) {
  const { next, ...rest } = { next: null, ...answer };
  return (
    <>
      <Fields command={command} row={rest} level={2} />
      {typeof next === "string" ? (
        <p>
          <a href={nextPage(here, next)}>Next page</a>
        </p>
      ) : null}
    </>
  );
}

function nextPage(here: URL, cursor: string): string {
  const url = new URL(here);
  url.searchParams.set("cursor", cursor);
  return url.pathname + url.search;
}

function isRow(value: unknown): value is Row {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTable(value: unknown): value is readonly Row[] {
  return Array.isArray(value) && value.every(isRow);
}

function Fields({ command, row, level }: { readonly command: string; readonly row: Row; readonly level: number }) {
  const parts = Object.entries(row);
  const plain = parts.filter(([, value]) => !isRow(value) && !isTable(value));
  const nested = parts.filter(([, value]) => isRow(value) || isTable(value));
  return (
    <>
      {plain.length === 0 ? null : (
        <dl>
          {plain.map(([name, value]) => (
            <>
              <dt>{name.replaceAll("_", " ")}</dt>
              <dd>
                <Value command={command} name={name} value={value} row={row} />
              </dd>
            </>
          ))}
        </dl>
      )}
      {nested.map(([name, value]) => (
        <section>
          {name === "data" ? null : <h2>{name.replaceAll("_", " ")}</h2>}
          {isTable(value) ? <Table command={command} name={name} rows={value} /> : null}
          {isRow(value) ? (
            level > 4 ? (
              <pre>{JSON.stringify(value, null, 2)}</pre>
            ) : (
              <Fields command={command} row={value} level={level + 1} />
            )
          ) : null}
        </section>
      ))}
    </>
  );
}

function Table({ command, name, rows }: { readonly command: string; readonly name: string; readonly rows: readonly Row[] }) {
  if (rows.length === 0) return <p class="hint">Nothing.</p>;
  const columns = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return (
    // A scrolled region must be reachable by keyboard.
    <section class="wide" tabindex={0} aria-label={name === "data" ? "List" : name}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th scope="col">{column.replaceAll("_", " ")}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {columns.map((column) => (
                <td>
                  <Value command={command} name={column} value={row[column]} row={row} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The fields of a row in one line. */
function inWords(row: Row): string {
  return Object.entries(row)
    .map(([name, value]) => `${name.replaceAll("_", " ")} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");
}

interface ValueProps {
  readonly command: string;
  readonly name: string;
  readonly value: unknown;
  readonly row: Row;
}

function Value({ command, name, value, row }: ValueProps) {
  if (value === null || value === undefined) return <span class="hint">–</span>;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return <>{value.length === 0 ? "none" : value.join(", ")}</>;
  if (isTable(value)) return <>{value.length === 0 ? <span class="hint">–</span> : value.map((one) => <p>{inWords(one)}</p>)}</>;
  if (typeof value === "object") return <pre>{JSON.stringify(value, null, 1)}</pre>;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  if (ISO.test(text)) return <time datetime={text}>{`${text.slice(0, 10)} ${text.slice(11, 19)} UTC`}</time>;
  const page = linkOf(command, name, value, row);
  return <span>{page === null ? text : <a href={page}>{text}</a>}</span>;
}
