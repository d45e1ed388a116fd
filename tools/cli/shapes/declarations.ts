import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { parse } from "@babel/parser";
import type { Node, Statement, TSEntityName, TSInterfaceDeclaration, TSType, TSTypeAliasDeclaration } from "@babel/types";

/** A declared type, and the scope in which its names are looked up. */
export interface Declared {
  /** `<file>#<type>`. */
  readonly name: string;
  readonly node: TSInterfaceDeclaration | TSTypeAliasDeclaration;
  readonly scope: Scope;
}

/** A place in a file: the file, and the namespaces around it, outermost first. */
export interface Scope {
  readonly file: string;
  readonly namespaces: readonly string[];
}

interface File {
  /** By dotted name: `Refund.NextAction`. */
  readonly types: Map<string, Declared>;
  /** The file that each imported name comes from. */
  readonly imports: Map<string, string>;
}

/** The type declarations of a library, one parsed file at a time; files are named relative to its folder, without end. */
export class Declarations {
  readonly #folder: string;
  readonly #files = new Map<string, File>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The declaration of `<file>#<type>`. */
  root(name: string): Declared {
    const [file = "", type = ""] = name.split("#");
    const found = this.#file(file).types.get(type);
    if (found === undefined) throw new Error(`the library declares no ${name}`);
    return found;
  }

  /** The declaration of a name in a scope; undefined if no parsed file declares it. */
  lookUp(name: TSEntityName, { file, namespaces }: Scope): Declared | undefined {
    const dotted = dottedName(name);
    for (let depth = namespaces.length; depth >= 0; depth -= 1) {
      const found = this.#file(file).types.get([...namespaces.slice(0, depth), dotted].join("."));
      if (found !== undefined) return found;
    }
    const [head = ""] = dotted.split(".");
    const from = this.#file(file).imports.get(head);
    return from === undefined ? undefined : this.#file(from).types.get(dotted);
  }

  #file(name: string): File {
    const known = this.#files.get(name);
    if (known !== undefined) return known;
    const path = join(this.#folder, `${name}.d.ts`);
    const { program } = parse(readFileSync(path, "utf8"), { sourceType: "module", plugins: [["typescript", { dts: true }]] });
    const file: File = { types: new Map(), imports: new Map() };
    this.#files.set(name, file);
    for (const statement of program.body) this.#declare(file, statement, { file: name, namespaces: [] });
    return file;
  }

  #declare(file: File, statement: Statement, scope: Scope): void {
    // The parser knows many more forms than type declarations have.
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check
    switch (statement.type) {
      case "ImportDeclaration": {
        const from = relative(this.#folder, join(this.#folder, dirname(scope.file), statement.source.value)).replace(/\.js$/, "");
        for (const { local } of statement.specifiers) file.imports.set(local.name, from);
        return;
      }
      case "ExportNamedDeclaration":
        if (statement.declaration) this.#declare(file, statement.declaration, scope);
        return;
      case "TSModuleDeclaration": {
        if (statement.id.type !== "Identifier" || statement.body.type !== "TSModuleBlock") return;
        const inside = { ...scope, namespaces: [...scope.namespaces, statement.id.name] };
        for (const inner of statement.body.body) this.#declare(file, inner, inside);
        return;
      }
      case "TSInterfaceDeclaration":
      case "TSTypeAliasDeclaration": {
        const dotted = [...scope.namespaces, statement.id.name].join(".");
        // Names in an interface are first looked up in the namespace of the same name.
        const inside = { ...scope, namespaces: [...scope.namespaces, statement.id.name] };
        file.types.set(dotted, { name: `${scope.file}#${dotted}`, node: statement, scope: inside });
        return;
      }
      default:
        return;
    }
  }
}

export function dottedName(name: TSEntityName): string {
  if (name.type === "Identifier") return name.name;
  if (name.type === "TSQualifiedName") return `${dottedName(name.left)}.${name.right.name}`;
  throw new Error(`a type is named by ${name.type}`);
}

/** The type of a property or an alias; throws for forms that these declarations never have. */
export function annotationOf(node: { typeAnnotation?: Node | null | undefined }): TSType {
  const annotation = node.typeAnnotation;
  if (annotation?.type !== "TSTypeAnnotation") throw new Error("a property has no type");
  return annotation.typeAnnotation;
}
