/** A request as a shell command, fully quoted. */
export function curlOf(method: string, url: string, headers: readonly string[], body: string): string {
  const parts = ["curl", "-X", method, quoted(url), ...headers.flatMap((header) => ["-H", quoted(header)])];
  return [...parts, ...(body === "" ? [] : ["--data-raw", quoted(body)])].join(" ");
}

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
