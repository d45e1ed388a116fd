import { findObject, type World } from "../world.ts";

/** A copy of an answer in which ids along each path, such as `data.invoice`, are replaced by the objects they name. */
export function expand(world: World, answer: object, paths: readonly string[]): object {
  const copy = structuredClone(answer) as Record<string, unknown>;
  for (const path of paths) expandPath(world, copy, path.split("."));
  return copy;
}

function expandPath(world: World, node: unknown, [key, ...rest]: readonly string[]): void {
  if (Array.isArray(node)) {
    for (const item of node) expandPath(world, item, key === undefined ? [] : [key, ...rest]);
    return;
  }
  if (key === undefined || node === null || typeof node !== "object") return;
  const fields = node as Record<string, unknown>;
  const named = findObject(world, fields[key]);
  if (named !== undefined) fields[key] = structuredClone(named);
  if (rest.length > 0) expandPath(world, fields[key], rest);
}
