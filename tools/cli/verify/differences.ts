/**
 * The differences in shape between two answers to the same call: fields that only one has, and values of different
 * kinds. Values are not compared, null fits anything, and only the first entries of lists are compared.
 */
export function differencesOf(target: unknown, sandbox: unknown, path = ""): string[] {
  const at = path === "" ? "the answer" : path;
  const kinds = [kindOf(target), kindOf(sandbox)];
  if (kinds.includes("null")) return [];
  if (kinds[0] !== kinds[1]) return [`${at}: ${kinds[0]} there, ${kinds[1]} in the sandbox`];
  if (Array.isArray(target) && Array.isArray(sandbox)) {
    return target.length === 0 || sandbox.length === 0 ? [] : differencesOf(target[0], sandbox[0], `${path}[0]`);
  }
  if (!isRecord(target) || !isRecord(sandbox)) return [];
  return [...new Set([...Object.keys(target), ...Object.keys(sandbox)])].flatMap((name) => {
    const inner = path === "" ? name : `${path}.${name}`;
    // Metadata keys are data.
    if (path.endsWith("metadata")) return [];
    if (!(name in target)) return [`${inner}: in the sandbox only`];
    if (!(name in sandbox)) return [`${inner}: there only`];
    return differencesOf(target[name], sandbox[name], inner);
  });
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "list" : typeof value;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
