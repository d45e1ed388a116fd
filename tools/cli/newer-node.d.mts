/** Whether a version of Node runs the commands; by default that of this process. */
export function isNewEnough(version?: string): boolean;
/** Runs a command by a newer Node and gives its exit code. */
export function runByNewerNode(args: readonly string[]): Promise<number>;
