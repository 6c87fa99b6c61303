// Relates types of the compiler to the contract. Whatever a type is derived by (Pick, Omit, generics, aliases, the
// options of a hook), its members keep their declaration in the generated file, whose path is the member's name.
import { ts } from "ts-morph";
import type { Contract } from "../../contract/contract.js";
import { formatMemberName } from "./contract-members.js";

export type TypeMembers = ReturnType<typeof createTypeMembers>;

const DEPTH = 4;

export function createTypeMembers(program: ts.Program, { operations }: Contract, typeFiles: ReadonlySet<string>) {
  const checker = program.getTypeChecker();
  const contents = new Map<ts.Type, string[]>();

  /** The contract's names of a symbol. */
  const namesOf = (symbol: ts.Symbol | undefined): string[] => {
    const declarations = symbol?.declarations?.filter((node) => typeFiles.has(node.getSourceFile().fileName)) ?? [];
    const names = declarations.map((node) => formatMemberName(findPath(node), operations));
    return [...new Set(names.filter((name) => name !== undefined && name !== ""))] as string[];
  };

  /** The contract's schemas, or else members, in a value: `NotificationPage` for `{ ok: true, data: page }`. */
  const contentsOf = (type: ts.Type, depth = DEPTH): string[] => {
    const cached = contents.get(type);
    if (cached) return cached;
    contents.set(type, []); // a type may contain itself
    const found = [...new Set(findContents(type, depth))];
    contents.set(type, found);
    return found;
  };

  function findContents(type: ts.Type, depth: number): string[] {
    if (type.isUnionOrIntersection())
      return type.types.flatMap((part) => contentsOf(findWidened(part, type) ?? part, depth));
    if (!(type.flags & ts.TypeFlags.Object) || type.getCallSignatures().length > 0) return [];
    const own = namesOf(type.symbol);
    if (own.length > 0) return own;
    const [item] = checker.isArrayLikeType(type) ? checker.getTypeArguments(type as ts.TypeReference) : [];
    if (item) return contentsOf(item, depth);
    const declared = type.getProperties().filter((member) => !isOfPlatform(member, program));
    const names = declared.flatMap(namesOf);
    if (names.length > 0 || depth === 0) return names;
    return declared.flatMap((member) => contentsOf(checker.getTypeOfSymbol(member), depth - 1));
  }

  /** The source of `Omit<Query, "after"> & { after?: Date | string }`, whose members all are there. */
  function findWidened({ aliasSymbol, aliasTypeArguments }: ts.Type, whole: ts.Type): ts.Type | undefined {
    const [source] = aliasSymbol?.name === "Omit" ? (aliasTypeArguments ?? []) : [];
    const isWhole = source?.getProperties().every(({ name }) => checker.getPropertyOfType(whole, name));
    return isWhole ? source : undefined;
  }

  const itemOf = (type: ts.Type): ts.Type =>
    checker.isArrayLikeType(type) ? (checker.getTypeArguments(type as ts.TypeReference)[0] ?? type) : type;

  /** True if a declared type is of member names: `keyof T`, `K extends keyof T`, `readonly K[]`, `PropertyKey`. */
  const isKey = (type: ts.Type): boolean => {
    if (type.isUnionOrIntersection()) return type.types.some(isKey);
    if (type.flags & (ts.TypeFlags.Index | ts.TypeFlags.ESSymbol)) return true;
    if (type.flags & ts.TypeFlags.Conditional) return isKey((type as ts.ConditionalType).checkType);
    const inner = type.isTypeParameter() ? type.getConstraint() : itemOf(type);
    return inner !== undefined && inner !== type && isKey(inner);
  };

  return {
    namesOf,
    contentsOf,
    itemOf,
    isKey,
    /** The members of an object type or of each part of a union, by name. */
    membersOf: (type: ts.Type, name: string): ts.Symbol[] =>
      (type.isUnion() ? type.types : [type]).flatMap((part) => checker.getPropertyOfType(part, name) ?? []),
  };
}

function isOfPlatform({ declarations = [] }: ts.Symbol, program: ts.Program): boolean {
  return declarations.some((node) => program.isSourceFileDefaultLibrary(node.getSourceFile()));
}

/** The names around a declaration, outermost first: `["components", "schemas", "Notification", "status"]`. */
function findPath(declaration: ts.Node): string[] {
  const path: string[] = [];
  for (let node: ts.Node = declaration; node && !ts.isSourceFile(node); node = node.parent)
    if (ts.isPropertySignature(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node))
      path.unshift("text" in node.name ? node.name.text : node.name.getText());
  return path;
}
