import type { TSType, TSTypeElement, TSTypeReference } from "@babel/types";
import type { Fields, Shape } from "../../../sandbox/processor/shape.ts";
import { annotationOf, type Declarations, type Declared, dottedName, type Scope } from "./declarations.ts";

/**
 * The schemas reachable from the roots, by name. A type from a file without a root becomes a `resource`: the sandbox
 * never creates such an object. @throws Error for an unknown form of type.
 */
export function extractSchemas(declarations: Declarations, roots: readonly string[]): Record<string, Fields> {
  const files = new Set(roots.map((root) => root.split("#")[0] ?? ""));
  const schemas: Record<string, Fields> = {};
  const open = roots.map((root) => declarations.root(root));
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (schemas[next.name] === undefined) schemas[next.name] = fieldsOf(next);
  }
  return Object.fromEntries(Object.entries(schemas).toSorted(([left], [right]) => (left < right ? -1 : 1)));

  function fieldsOf({ node, scope }: Declared): Fields {
    if (node.type === "TSTypeAliasDeclaration") throw new Error(`${node.id.name} is no interface`);
    let inherited: Fields = {};
    for (const parent of node.extends ?? []) {
      if (parent.expression.type !== "Identifier") throw new Error("an interface extends something without a name");
      const found = declarations.lookUp(parent.expression, scope);
      if (found !== undefined) inherited = { ...inherited, ...fieldsOf(found) };
    }
    return { ...inherited, ...membersOf(node.body.body, scope) };
  }

  function membersOf(members: readonly TSTypeElement[], scope: Scope): Fields {
    const fields: Record<string, Shape> = {};
    for (const member of members) {
      if (member.type === "TSIndexSignature") fields["*"] = shapeOf(annotationOf(member), scope);
      if (member.type !== "TSPropertySignature") continue;
      const name = member.key.type === "Identifier" ? member.key.name : member.key.type === "StringLiteral" ? member.key.value : null;
      // `deleted?: void` distinguishes an object from a deleted one; it is never sent.
      if (member.typeAnnotation?.typeAnnotation.type === "TSVoidKeyword") continue;
      if (name === null) throw new Error(`a property is named by ${member.key.type}`);
      fields[member.optional === true ? `${name}?` : name] = shapeOf(annotationOf(member), scope);
    }
    return fields;
  }

  function shapeOf(type: TSType, scope: Scope): Shape {
    // The parser knows many more forms than type declarations have.
    // oxlint-disable-next-line typescript/switch-exhaustiveness-check
    switch (type.type) {
      case "TSStringKeyword":
        return "string";
      case "TSNumberKeyword":
        return "number";
      case "TSBooleanKeyword":
        return "boolean";
      case "TSNullKeyword":
        return "null";
      case "TSAnyKeyword":
      case "TSUnknownKeyword":
      case "TSTypeLiteral":
        return "any";
      case "TSParenthesizedType":
        return shapeOf(type.typeAnnotation, scope);
      case "TSArrayType":
        return { array: shapeOf(type.elementType, scope) };
      case "TSLiteralType":
        if (!("value" in type.literal) || typeof type.literal.value === "bigint") throw new Error("a literal has no value");
        return { enum: [type.literal.value] };
      case "TSUnionType":
        return unionOf(type.types.map((one) => shapeOf(one, scope)));
      case "TSTypeReference":
        return referenceOf(type, scope);
      default:
        throw new Error(`a type has the form ${type.type}`);
    }
  }

  function referenceOf({ typeName, typeArguments }: TSTypeReference, scope: Scope): Shape {
    const name = dottedName(typeName);
    const [argument] = typeArguments?.params ?? [];
    const of = () => {
      if (argument === undefined) throw new Error(`${name} has no argument`);
      return shapeOf(argument, scope);
    };
    if (name === "Array") return { array: of() };
    if (name === "ApiList" || name.startsWith("ApiList.")) return { list: of() };
    if (name === "Emptyable") return unionOf(["null", { enum: [""] }, of()]);
    if (name === "OtherString") return OTHER;
    if (name === "Decimal") return "string";
    if (name === "Partial" || name === "Record") return "any";
    const found = declarations.lookUp(typeName, scope);
    if (found === undefined) return { resource: name };
    if (found.node.type === "TSTypeAliasDeclaration") return shapeOf(found.node.typeAnnotation, found.scope);
    const [file = ""] = found.name.split("#");
    if (!files.has(file) && !file.endsWith("shared")) return { resource: name };
    const map = found.node.body.body.find((member) => member.type === "TSIndexSignature");
    if (map !== undefined) return { map: shapeOf(annotationOf(map), found.scope) };
    // An interface without fields stands for any kind of object.
    if (found.node.body.body.length === 0 && (found.node.extends ?? []).length === 0) return "any";
    open.push(found);
    return { ref: found.name };
  }
}

/** Any string besides the listed ones: the processor adds values over time. */
const OTHER: Shape = { enum: [], open: true };

/** One shape for several: literals become one `enum`, unions within a union become one. */
function unionOf(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap((shape) => (typeof shape === "object" && "any" in shape ? shape.any : [shape]));
  const enums = flat.filter((shape) => typeof shape === "object" && "enum" in shape);
  const others = flat.filter((shape) => !(typeof shape === "object" && "enum" in shape));
  const values = [...new Set(enums.flatMap((shape) => shape.enum))];
  const isOpen = enums.some((shape) => shape.open === true);
  const merged: Shape[] = enums.length === 0 ? [] : [{ enum: values, ...(isOpen ? { open: true as const } : {}) }];
  const all = [
    ...merged,
    ...others.filter((shape, index) => others.findIndex((one) => JSON.stringify(one) === JSON.stringify(shape)) === index),
  ];
  const [only] = all;
  return all.length === 1 && only !== undefined ? only : { any: all };
}
