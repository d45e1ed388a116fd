/**
 * The command that repeats one test alone, as a shell takes it. `names`: those of the groups that it is in, and its own. `seed`: what a
 * whole run drew; without one it is the run that everybody has.
 */
export function repeating(file: string, names: readonly string[], seed?: string): string {
  const pattern = names.join(" ").replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const quoted = `'${pattern.replaceAll("'", String.raw`'\''`)}'`;
  const [settings, script] = seed === undefined ? ["", "test"] : [`TEST_SEED=${seed} `, "run test:full"];
  return `${settings}npm ${script} -- ${file} -t ${quoted}`;
}
