/** Settings of a run that decide what it tries, and what they are without being named. */
const SETTINGS = { TEST_SEED: "1", TEST_CELLS: undefined, FUZZ_INPUTS: "1500" };

/**
 * The command that repeats one test alone, or a whole file without names, as a shell takes it. `names`: those of the groups that the
 * test is in, and its own. `environment`: that of the run.
 */
export function repeating(file: string, names: readonly string[], environment: Readonly<Record<string, string | undefined>>): string {
  const pattern = names.join(" ").replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
  const quoted = pattern === "" ? "" : ` -t '${pattern.replaceAll("'", String.raw`'\''`)}'`;
  const settings = Object.entries(SETTINGS).flatMap(([name, usual]) => {
    const value = environment[name];
    return value === undefined || value === usual ? [] : [`${name}=${value} `];
  });
  return `${settings.join("")}npm ${environment.TEST_SCALE === "full" ? "run test:full" : "test"} -- ${file}${quoted}`;
}
