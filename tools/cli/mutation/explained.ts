/** A kind of change that no unit test can notice, or that another test covers. */
export interface Explained {
  readonly file: RegExp;
  /** Matches the line that was changed. */
  readonly text: RegExp;
  readonly mutator?: RegExp;
  readonly replacement?: RegExp;
  readonly why: string;
}

const TEXT = /^StringLiteral$/;
const SCHEMA = /^(ObjectLiteral|ArrayDeclaration|StringLiteral|MethodExpression)$/;

export const EXPLAINED: readonly Explained[] = [
  {
    file: /core\/typed-amount/,
    text: /form\.exec\(text\) \?\? \[\]/,
    mutator: /^ArrayDeclaration$/,
    why: "Only the second entry and those behind it are read.",
  },
  {
    file: /http\/calls\/csv/,
    text: /const TIME = /,
    mutator: /^Regex$/,
    replacement: /Z\/$/,
    why: "A text that goes on behind the Z is no valid time, and stays a text.",
  },
  {
    file: /summaries\/of-code/,
    text: /maxRedemptions !== null && used !== null/,
    mutator: /^ConditionalExpression$/,
    replacement: /^true$/,
    why: "A number that is not known is less than any limit; that a limit is none is tried.",
  },
  {
    file: /short-links\/target/,
    text: /const \[, partnerId = "", url = "", end\]/,
    mutator: TEXT,
    why: "Where the expression matches, it has both.",
  },
  {
    file: /short-links\/link-settings/,
    text: /flatMap\(\(one\) => one \?\? \[\]\)/,
    mutator: /^ArrayDeclaration$/,
    why: "Where an origin is none, that is a fault, and the settings are not used.",
  },
  { file: /./, text: /\.describe\(/, mutator: TEXT, why: "Words of the API description, for people." },
  {
    file: /outbox\/events\/|views\//,
    text: /\.meta\(/,
    mutator: SCHEMA,
    why: "The name of the schema in the API description, which packages hold.",
  },
  {
    file: /transaction-events|views\/dispute/,
    text: /^(const discount = \{|id: "du_|is_inquiry: false|evidence_due_by: ")/,
    why: "A value of an example: a test holds that it fits the schema, and any other value would fit as well.",
  },
  {
    file: /bank\/notification/,
    text: /Token: z\.string\(\)\.regex/,
    mutator: /^Regex$/,
    why: "A token of another length equals no digest, so the comparison refuses it.",
  },
  { file: /outbox\/events\//, text: /^summary: /, mutator: TEXT, why: "Words of the API description, for people." },
  {
    file: /outbox\/events\//,
    text: /^(example: |(\w+: )+("|-?\d|false|\{ ep_order)|payout: \{ id: "|Refund: \{ Id: "|Payment: \{ PaymentId: \d|items: \[\{ processor_product_id: ")/,
    why: "A value of an example: a test holds that it fits the schema, and any other value would fit as well.",
  },
  {
    file: /./,
    text: /(PlanSchema|storedPaymentsSchema) = |lineSchema|buyer: z\.|source: z\./,
    mutator: SCHEMA,
    why: "Reads a stored plan: the crash tests resume with it.",
  },
  { file: /payment-method-refused/, text: /^payload: /, mutator: SCHEMA, why: "At least one method: the type of the event says so too." },
  {
    file: /core\/errors/,
    text: /z\.(literal|enum|object|union)\(|kind: "/,
    mutator: /^(StringLiteral|ObjectLiteral|ArrayDeclaration|BooleanLiteral)$/,
    why: "The schema is built once, when it is first used, so that a change made later does not reach it. errors.test.ts holds each kind.",
  },
  { file: /./, text: /toSorted\(/, replacement: /<=|>=/, why: "No two are equal there, and any fixed order serves a content." },
  { file: /./, text: /case "none"|return "start"/, why: "The type needs the case; the function has returned for it before." },
  {
    file: /idempotency\/v2-protocol/,
    text: /forContent/,
    mutator: TEXT,
    why: "Only the value `refuse` is looked for, so any other means to try again.",
  },
  {
    file: /./,
    text: /(\?\? ""|\?\? "open"|\?\? "\[\]"|: ""\)?;|\[first = ""\]|methods \?\? \[\]|plus = "", number = ""|id = "", iv = "")/,
    replacement: /Stryker|^""$/,
    why: "A value where there is none, which the type asks for: what is done with it refuses any text, or it cannot happen.",
  },
  {
    file: /./,
    text: /(rejectInput|bankUnavailable|refine)\(/,
    mutator: TEXT,
    why: "The words of a message whose case cannot come, or whose kind is tested.",
  },
  {
    file: /(digest|secret-cipher)/,
    text: /importKey/,
    mutator: /Boolean/,
    why: "Whether a key can be exported again: no code does it.",
  },
  { file: /secret-cipher/, text: /imported\.set/, why: "Saves work only: a key is imported once." },
  { file: /core\/ids/, text: /SMALLEST/, mutator: /Arithmetic/, why: "Still random, and still of 15 digits." },
  {
    file: /core\/iso-timestamp/,
    text: /fraction|offset/,
    why: "The default has the same meaning, and digits beyond three are cut anyway. Both runtimes are in UTC.",
  },
  {
    file: /core\/iso-timestamp/,
    text: /^const DATE = /,
    mutator: /Regex/,
    why: "What stands before the date stays in the text that is parsed, and fails there.",
  },
  { file: /core\/text/, text: /Segmenter/, why: "Graphemes are the default." },
  { file: /bank-payments\/description/, text: /^(two|zero|other): /, mutator: TEXT, why: "Russian has no such plural of a whole number." },
  { file: /bank\/notification/, text: /catch/, why: "Undefined is refused like null." },
  { file: /buyer/, text: /\\d\{(9|10)\}/, mutator: /Regex/, why: "What is then longer begins with 7 and is refused for its length." },
  {
    file: /bank-payments\/status/,
    text: /stage === undefined/,
    why: "No stage has no place in the order, so the list is empty all the same; the type asks for it.",
  },
  {
    file: /http\/wire-fields/,
    text: /ServiceFailure/,
    mutator: /Conditional/,
    why: "Only a failure has a field; the type asks for the rest.",
  },
  {
    file: /ledger\/movements-of/,
    text: /dispute\?\./,
    mutator: /Optional/,
    why: "Within the loop there is a dispute; the compiler does not see it.",
  },
  {
    file: /links\/cart/,
    text: /product\.type === "subscription"/,
    why: "A one-time product has neither count nor interval, so all are alike.",
  },
  {
    file: /links\/payment-methods/,
    text: /supportLevel: /,
    mutator: /StringLiteral|ArrayDeclaration/,
    why: "Only the two other levels are looked for; no currency has that name.",
  },
  {
    file: /links\/(product-link|cart)/,
    text: /(methods|MethodTypes) \?\? \[\]/,
    mutator: /^ArrayDeclaration$/,
    why: "A method that is not listed passes the check.",
  },
  { file: /links\/cart/, text: /products\[index\]\?\.name/, mutator: /Optional/, why: "Each item has its product; the type asks for it." },
  {
    file: /core\/(redact|log)|bank-payments\/buyer|subscriptions\/items/,
    text: /(exec|match|find)\(.*\) \?\? \[\]|at === -1 \? \[\]/,
    mutator: /^ArrayDeclaration$/,
    why: "The first entry is the whole match, or the name, which is not read, or the text has a match.",
  },
  {
    file: /bank-payments\/buyer/,
    text: /russian === undefined/,
    replacement: /^false$/,
    why: "No number has the word undefined in it. A number with a plus is tested.",
  },
  { file: /facts-of-order/, text: /const held = /, replacement: /Stryker/, why: "No webhook has that id." },
  {
    file: /bank-payment-refunded/,
    text: /^Status: z\.enum/,
    mutator: TEXT,
    why: "The schema is built once, before a change: a test of the event has both values.",
  },
  {
    file: /views\/transaction/,
    text: /^("processor:txn_|sourceId: ")/,
    mutator: TEXT,
    why: "Words of the description, and a value of an example.",
  },
  { file: /core\/log/, text: /stack = ""/, mutator: TEXT, why: "Without a stack there is no place in it, whatever text stands for it." },
  {
    file: /core\/redact/,
    text: /groups\.slice\(first, first \+ 19\)/,
    mutator: /^MethodExpression$/,
    why: "Saves work: what is longer than 19 digits is no card.",
  },
  { file: /core\/redact/, text: /return total \+/, replacement: /^total - /, why: "A sum is a multiple of ten whatever its sign." },
  {
    file: /core\/redact/,
    text: /index < from \? 0/,
    replacement: /^false$/,
    why: "Saves work: what begins within an account number is none.",
  },
  { file: /core\/redact/, text: /end > 0; end =/, replacement: /^end >= 0$/, why: "No text is no account number." },
  { file: /core\/redact/, text: /toUpperCase\(\)/, mutator: /^MethodExpression$/, why: "A digit of base 36 is the same in both cases." },
  {
    file: /core\/redact/,
    text: /plain\.length > 34/,
    replacement: /^false$/,
    why: "The expression takes 34 characters at most; the lower bound is tested.",
  },
  {
    file: /core\/redact/,
    text: /^const ACCOUNT_START/,
    mutator: /^Regex$/,
    why: "The expression of the whole number takes two digits there.",
  },
  {
    file: /core\/json/,
    text: /context\?\.source/,
    replacement: /^(true|context\.source)$/,
    why: "Both runtimes pass the text of each number; the type of the library does not say so.",
  },
  {
    file: /ledger\/movements-of/,
    text: /const withdrawals|const isWhole|return \{ chargedAmount: signed/,
    replacement: /Stryker|<= 0|^withdrawals\[0\]\.amount$/,
    why: "An entry without an amount is none, one alone is there, and no money moved in a movement of zero.",
  },
  {
    file: /events\/checkout-completed/,
    text: /^const unknown = /,
    mutator: SCHEMA,
    why: "The id follows from the recipient and the session alone; the type asks for the rest.",
  },
  { file: /bank-payments\/buyer/, text: /canParse\(url\)/, replacement: /Stryker/, why: "No address has a blank." },
  {
    file: /processor\/find-attributed/,
    text: /cursor/,
    mutator: /Conditional|Optional/,
    why: "An empty page is the last one, and has no element to go on from.",
  },
  {
    file: /endpoint-url/,
    text: /\^\\\[/,
    mutator: /Regex/,
    why: "A bracket stands first or nowhere; a host that ends with a number is an IP address, or the parser refuses it.",
  },
  {
    file: /^dashboard.*(check|fields)\.ts$/,
    text: /./,
    mutator: /^OptionalChaining$/,
    why: "A schema may lack each part by its type; the descriptions of operations and calls have it where it is read.",
  },
  {
    file: /^dashboard.*(check|fields)\.ts$/,
    text: /=== "object"|typeof value === "string" \? value|=== undefined \|\||of\?\.default !== undefined|schema === undefined \?|one !== undefined/,
    replacement: /^(true|false)$|\|\|/,
    why: "JSON Schema's type allows a boolean or nothing for a schema; neither says anything about a field.",
  },
  {
    file: /^dashboard.*(fields|operators-url)\.ts$/,
    text: /\?\? \[\]|return \[\]|filter\(isSchema\)/,
    why: "An entry that is no schema, or no parameter's name, is passed over where the list is read.",
  },
  { file: /calls\/fields/, text: /only !== undefined/, replacement: /^true$/, why: "The type asks for it: there is one." },
  {
    file: /shared\/check/,
    text: /^const GROUPS/,
    mutator: TEXT,
    why: "A keyword that only says that an inner error exists; the inner one comes first under the same path.",
  },
  { file: /shared\/check/, text: /new Validator\(/, mutator: TEXT, why: "The drafts differ in keywords that no description has." },
  { file: /shared\/check/, text: /replace\(\/\^#/, mutator: /^Regex$/, why: "A location has one # alone, at its start." },
  {
    file: /shared\/check/,
    text: /\\d\+\$/,
    mutator: /^Regex$/,
    why: "No field's name has a digit at its start or its end, and no list ten entries with an error.",
  },
  { file: /shared\/check/, text: /leastAbove = /, replacement: /^true$/, why: "A bound is a number wherever a description has one." },
  { file: /shared\/check/, text: /^case "minLength"/, why: "The message of a field without its value is the same." },
  {
    file: /shared\/time-zone/,
    text: /made\?\.zone !== zone/,
    replacement: /^true$/,
    why: "Made again, a formatter writes the same: it is kept for speed.",
  },
  { file: /decision-queue/, text: /#cancels\./, why: "Frees what is kept of a decision; its work is cancelled or has begun." },
  {
    file: /object-states/,
    text: /end <= currentPeriodEnd/,
    replacement: /^true$/,
    why: "Without a period's end, the answer is null in both.",
  },
];
