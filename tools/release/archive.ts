import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { create } from "tar";

/** The files of a package, by their paths in it. */
export type PackageFiles = ReadonlyMap<string, string | Uint8Array>;

/** Equal files make equal archives, so that a version has one digest wherever it is made. */
const MADE = new Date("2026-01-01T00:00:00Z");

/** A package for npm: everything is below `package/`, and what `bin` names can be executed. */
export function tarball(files: PackageFiles, executables: readonly string[] = []): Uint8Array {
  const folder = mkdtempSync(join(tmpdir(), "partner-payments-package-"));
  try {
    const paths = [...files.keys()].toSorted().map((path) => `package/${path}`);
    for (const [path, content] of files) {
      const file = join(folder, "package", path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, content, { mode: executables.includes(path) ? 0o755 : 0o644 });
    }
    const file = join(folder, "package.tgz");
    create({ cwd: folder, file, gzip: { level: 9 }, portable: true, mtime: MADE, sync: true }, paths);
    return readFileSync(file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A wheel, with its list of files and digests (PEP 427). */
export function wheel(name: string, version: string, files: PackageFiles, metadata: string): Uint8Array {
  const info = `${name}-${version}.dist-info`;
  const all = new Map<string, Uint8Array>([
    ...[...files].map(([path, content]) => [path, bytesOf(content)] as const),
    [`${info}/METADATA`, strToU8(metadata)],
    [`${info}/WHEEL`, strToU8("Wheel-Version: 1.0\nGenerator: partner-payments\nRoot-Is-Purelib: true\nTag: py3-none-any\n")],
  ]);
  const record = [...all].map(
    ([path, content]) => `${path},sha256=${createHash("sha256").update(content).digest("base64url")},${content.length}`,
  );
  all.set(`${info}/RECORD`, strToU8(`${record.join("\n")}\n${info}/RECORD,,\n`));
  return zipSync(Object.fromEntries([...all].map(([path, content]) => [path, [content, { mtime: MADE, level: 9 }] as const])));
}

const bytesOf = (content: string | Uint8Array): Uint8Array => (typeof content === "string" ? strToU8(content) : content);
