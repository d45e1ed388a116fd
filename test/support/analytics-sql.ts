/**
 * The SQL of the platform's Analytics Engine, as its reference has it: parsed, with its functions, their numbers of arguments and its
 * columns, and carried out over points. Nothing better can be had without an account.
 */

/** A row of the dataset. Times in Unix seconds. */
export interface AnalyticsRow {
  readonly timestamp: number;
  readonly index1: string;
  readonly blobs: readonly string[];
  readonly doubles: readonly number[];
}

type Value = string | number;
type Expr =
  | { readonly kind: "literal"; readonly value: Value }
  | { readonly kind: "column"; readonly name: string }
  | { readonly kind: "call"; readonly name: string; readonly params: readonly Expr[]; readonly args: readonly Expr[] }
  | { readonly kind: "operator"; readonly name: string; readonly args: readonly Expr[] };

interface Item {
  readonly expr: Expr;
  readonly alias: string;
}

export interface Query {
  readonly items: readonly Item[];
  readonly table: string;
  readonly where: Expr | null;
  readonly groupBy: readonly Expr[];
  readonly having: Expr | null;
  readonly orderBy: readonly { readonly expr: Expr; readonly isDescending: boolean }[];
  readonly limit: number | null;
}

/** The functions of the reference that queries of ours may use: how many parameters and arguments each takes. */
const AGGREGATES: Readonly<Record<string, readonly [number, readonly number[]]>> = {
  count: [0, [0]],
  sum: [0, [1]],
  avg: [0, [1]],
  min: [0, [1]],
  max: [0, [1]],
  countif: [0, [1]],
  sumif: [0, [2]],
  avgif: [0, [2]],
  quantileexactweighted: [1, [2]],
};
const FUNCTIONS: typeof AGGREGATES = {
  if: [0, [3]],
  now: [0, [0]],
  intdiv: [0, [2]],
  touint32: [0, [1]],
  todatetime: [0, [1, 2]],
};
const COLUMNS = /^(timestamp|index1|_sample_interval|dataset|blob([1-9]|1\d|20)|double([1-9]|1\d|20))$/;
const SECONDS: Readonly<Record<string, number>> = { SECOND: 1, MINUTE: 60, HOUR: 3_600, DAY: 86_400 };
const KEYWORDS = new Set("SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT AS AND OR NOT IN INTERVAL ASC DESC".split(" "));

/** Parses a query. @throws an error that says what the platform would refuse */
export function parseAnalyticsSql(sql: string): Query {
  const tokens = sql.match(/'(?:[^'\\]|\\.)*'|\d+(?:\.\d+)?|[A-Za-z_]\w*|<=|>=|!=|<>|[-+*/%=<>(),]|\S/g) ?? [];
  let at = 0;
  const peek = () => tokens[at] ?? "";
  const isWord = (word: string) => peek().toUpperCase() === word;
  const fail = (what: string): never => {
    throw new Error(`${what} at ${JSON.stringify(tokens.slice(at, at + 4).join(" "))} in ${sql}`);
  };
  const next = () => tokens[at++] ?? fail("the end");
  const take = (word: string) => {
    const is = isWord(word);
    if (is) at += 1;
    return is;
  };
  const expect = (word: string) => void (take(word) || fail(`${word} is missing`));
  const list = <One>(one: () => One): One[] => {
    const found = [one()];
    while (take(",")) found.push(one());
    return found;
  };
  const operator = (name: string, ...operands: Expr[]): Expr => ({ kind: "operator", name, args: operands });

  const leftAssociative = (lower: () => Expr, words: readonly string[]) => (): Expr => {
    let left = lower();
    for (let word = words.find(isWord); word !== undefined; word = words.find(isWord)) {
      at += 1;
      left = operator(word, left, lower());
    }
    return left;
  };
  const product = leftAssociative(unary, ["*", "/", "%"]);
  const sum = leftAssociative(product, ["+", "-"]);
  const conjunction = leftAssociative(negation, ["AND"]);
  const expression = leftAssociative(conjunction, ["OR"]);

  function negation(): Expr {
    return take("NOT") ? operator("NOT", negation()) : comparison();
  }
  function comparison(): Expr {
    const left = sum();
    const symbol = ["=", "!=", "<>", "<=", ">=", "<", ">"].find(isWord);
    if (symbol !== undefined) {
      at += 1;
      return operator(symbol === "<>" ? "!=" : symbol, left, sum());
    }
    const isNegated = isWord("NOT") && tokens[at + 1]?.toUpperCase() === "IN";
    if (isNegated) at += 1;
    if (!take("IN")) return left;
    expect("(");
    const values = list(expression);
    expect(")");
    const found = operator("IN", left, ...values);
    return isNegated ? operator("NOT", found) : found;
  }
  function unary(): Expr {
    return take("-") ? operator("-", { kind: "literal", value: 0 }, unary()) : primary();
  }
  function primary(): Expr {
    if (take("(")) {
      const inner = expression();
      expect(")");
      return inner;
    }
    if (take("INTERVAL")) {
      const count = Number(/^'(\d+)'$/.exec(next())?.[1] ?? fail("an interval is a text of digits"));
      return { kind: "literal", value: count * (SECONDS[next().toUpperCase()] ?? fail("an unknown unit")) };
    }
    const token = next();
    if (/^\d/.test(token)) return { kind: "literal", value: Number(token) };
    if (token.startsWith("'")) return { kind: "literal", value: token.slice(1, -1).replaceAll(/\\(.)/g, "$1") };
    if (!/^[A-Za-z_]/.test(token) || KEYWORDS.has(token.toUpperCase())) return fail(`${token} is no expression`);
    if (!isWord("(")) return { kind: "column", name: token };
    const first = args();
    return isWord("(") ? checked(token, first, args()) : checked(token, [], first);
  }
  function args(): Expr[] {
    expect("(");
    if (take(")")) return [];
    const found = take("*") ? [] : list(expression);
    expect(")");
    return found;
  }
  function checked(name: string, params: Expr[], given: Expr[]): Expr {
    const [wantedParams, wantedArgs] = AGGREGATES[name.toLowerCase()] ?? FUNCTIONS[name.toLowerCase()] ?? fail(`no function ${name}`);
    if (params.length !== wantedParams || !wantedArgs.includes(given.length))
      fail(`${name} takes others than ${params.length}, ${given.length}`);
    return { kind: "call", name: name.toLowerCase(), params, args: given };
  }

  function takeBy(word: string): boolean {
    const is = take(word);
    if (is) expect("BY");
    return is;
  }
  function ordering() {
    const expr = expression();
    const isDescending = take("DESC");
    if (!isDescending) take("ASC");
    return { expr, isDescending };
  }

  expect("SELECT");
  const items = list((): Item => {
    const expr = expression();
    const alias = take("AS") ? next() : expr.kind === "column" ? expr.name : fail("a column without a name");
    return { expr, alias };
  });
  expect("FROM");
  const table = next();
  const where = take("WHERE") ? expression() : null;
  const groupBy = takeBy("GROUP") ? list(expression) : [];
  const having = take("HAVING") ? expression() : null;
  const orderBy = takeBy("ORDER") ? list(ordering) : [];
  const limit = take("LIMIT") ? Number(next()) : null;
  if (at < tokens.length) fail("more than a query");
  const query = { items, table, where, groupBy, having, orderBy, limit };
  checkNames(query);
  return query;
}

/** Columns exist, WHERE has no aggregate, and what is selected beside aggregates is grouped. */
function checkNames({ items, where, groupBy, having, orderBy }: Query): void {
  const aliases = new Set(items.map(({ alias }) => alias));
  for (const expr of [...items.map((item) => item.expr), ...(where === null ? [] : [where])]) {
    for (const name of columnsIn(expr)) if (!COLUMNS.test(name)) throw new Error(`no column ${name}`);
  }
  if (where !== null && hasAggregate(where)) throw new Error("WHERE has an aggregate");
  for (const expr of [...groupBy, ...(having === null ? [] : [having]), ...orderBy.map((one) => one.expr)]) {
    for (const name of columnsIn(expr)) if (!COLUMNS.test(name) && !aliases.has(name)) throw new Error(`no column ${name}`);
  }
  if (groupBy.length === 0 && !items.some(({ expr }) => hasAggregate(expr))) return;
  const grouped = groupBy.flatMap((expr) => (expr.kind === "column" ? [expr.name] : []));
  for (const { expr, alias } of items) {
    if (hasAggregate(expr) || grouped.includes(alias) || (expr.kind === "column" && grouped.includes(expr.name))) continue;
    throw new Error(`${alias} is neither grouped nor an aggregate`);
  }
}

const partsOf = (expr: Expr): readonly Expr[] =>
  expr.kind === "call" ? [...expr.params, ...expr.args] : expr.kind === "operator" ? expr.args : [];
const columnsIn = (expr: Expr): string[] => (expr.kind === "column" ? [expr.name] : partsOf(expr).flatMap(columnsIn));
const hasAggregate = (expr: Expr): boolean => (expr.kind === "call" && expr.name in AGGREGATES) || partsOf(expr).some(hasAggregate);

type Resolve = (name: string) => Value;

/** Carries a query out over rows at a time (Unix seconds). */
export function runAnalyticsSql(sql: string, rows: readonly AnalyticsRow[], now: number): Record<string, Value>[] {
  const query = parseAnalyticsSql(sql);
  const kept = rows.filter((row) => query.where === null || truthy(evaluate(query.where, [row], columnOf(row), now)));
  const keyOf = (row: AnalyticsRow) => {
    const aliased = aliasesOver(query, [row], columnOf(row), now);
    return JSON.stringify(query.groupBy.map((expr) => evaluate(expr, [row], aliased, now)));
  };
  const isOne = query.groupBy.length === 0;
  const groups = isOne ? [kept] : [...Map.groupBy(kept, keyOf).values()];
  const found = groups.map((group) => {
    const [first] = group;
    const resolve: Resolve = first === undefined ? () => 0 : columnOf(first);
    return {
      group,
      resolve,
      result: Object.fromEntries(query.items.map(({ expr, alias }) => [alias, evaluate(expr, group, resolve, now)])),
    };
  });
  const passing = found.filter(({ group, resolve, result }) => {
    const named: Resolve = (name) => result[name] ?? resolve(name);
    return query.having === null || truthy(evaluate(query.having, group, named, now));
  });
  const results = passing.map(({ result }) => result);
  for (const { expr, isDescending } of query.orderBy.toReversed()) {
    const sortKey = (result: Record<string, Value>) => evaluate(expr, [], (name) => result[name] ?? 0, now);
    results.sort((one, other) => (isDescending ? -1 : 1) * (sortKey(one) < sortKey(other) ? -1 : sortKey(one) > sortKey(other) ? 1 : 0));
  }
  return results.slice(0, query.limit ?? results.length);
}

function aliasesOver({ items }: Query, group: readonly AnalyticsRow[], column: Resolve, now: number): Resolve {
  return (name) => {
    const item = items.find(({ alias }) => alias === name);
    return item === undefined ? column(name) : evaluate(item.expr, group, column, now);
  };
}

const columnOf =
  ({ timestamp, index1, blobs, doubles }: AnalyticsRow): Resolve =>
  (name) => {
    if (name === "timestamp") return timestamp;
    if (name === "index1") return index1;
    if (name === "_sample_interval") return 1;
    const position = Number(/\d+$/.exec(name)?.[0] ?? 0) - 1;
    return name.startsWith("blob") ? (blobs[position] ?? "") : (doubles[position] ?? 0);
  };

const truthy = (value: Value) => value !== 0 && value !== "";

function evaluate(expr: Expr, rows: readonly AnalyticsRow[], resolve: Resolve, now: number): Value {
  const value = (one: Expr | undefined) => evaluate(one ?? { kind: "literal", value: 0 }, rows, resolve, now);
  if (expr.kind === "literal") return expr.value;
  if (expr.kind === "column") return resolve(expr.name);
  const [first, second, third] = expr.args;
  if (expr.kind === "operator") return applied(expr.name, value(first), expr.args.slice(1).map(value));
  const each = (one: Expr | undefined) => rows.map((row) => evaluate(one ?? { kind: "literal", value: 0 }, [row], columnOf(row), now));
  const numbers = (one: Expr | undefined) => each(one).map(Number);
  switch (expr.name) {
    case "count":
      return rows.length;
    case "sum":
      return total(numbers(first));
    case "avg":
      return total(numbers(first)) / rows.length;
    case "min":
      return Math.min(...numbers(first));
    case "max":
      return rows.length === 0 ? 0 : Math.max(...numbers(first));
    case "countif":
      return each(first).filter(truthy).length;
    case "sumif":
      return total(numbers(first).filter((_, index) => truthy(each(second)[index] ?? 0)));
    case "quantileexactweighted":
      return numbers(first).toSorted((one, other) => one - other)[Math.ceil(Number(value(expr.params[0])) * rows.length) - 1] ?? 0;
    case "if":
      return truthy(value(first)) ? value(second) : value(third);
    case "now":
      return now;
    case "intdiv":
      return Math.floor(Number(value(first)) / Number(value(second)));
    case "touint32":
    case "todatetime":
      return value(first);
    default:
      throw new Error(`${expr.name} is not carried out here`);
  }
}

const total = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0);

function applied(name: string, left: Value, others: readonly Value[]): Value {
  const [right = 0] = others;
  const [one, other] = [Number(left), Number(right)];
  const is = (truth: boolean) => (truth ? 1 : 0);
  switch (name) {
    case "AND":
      return is(truthy(left) && truthy(right));
    case "OR":
      return is(truthy(left) || truthy(right));
    case "NOT":
      return is(!truthy(left));
    case "IN":
      return is(others.includes(left));
    case "=":
      return is(left === right);
    case "!=":
      return is(left !== right);
    case "<":
      return is(left < right);
    case "<=":
      return is(left <= right);
    case ">":
      return is(left > right);
    case ">=":
      return is(left >= right);
    case "+":
      return one + other;
    case "-":
      return one - other;
    case "*":
      return one * other;
    case "/":
      return one / other;
    default:
      return one % other;
  }
}
