// Compares the type of a value that moves on (argument, result, property, annotated variable) with that of its
// destination:
//   JSON.stringify(page)               any member may be read
//   toRow(notification)                `toRow(row: { subject: string })` reads `subject`
//   client.listNotifications(filter)   `const filter = { limit: 5 }` writes `limit`
// While both types are the contract's, nothing is read. The parameters of a function flow the other way: from its
// caller into it.
import { ts } from "ts-morph";
import type { Contract } from "../../contract/contract.js";
import type { Project } from "./project.js";
import type { Recorder } from "./recorder.js";
import type { TypeMembers } from "./type-members.js";

/** Shared by the visitors of one program. */
export interface Scan {
  project: Project;
  contract: Contract;
  checker: ts.TypeChecker;
  types: TypeMembers;
  recorder: Recorder;
  recordFlow: ReturnType<typeof createRecordFlow>;
}

const DEPTH = 5;
const OPEN = ts.TypeFlags.Any | ts.TypeFlags.Unknown | ts.TypeFlags.NonPrimitive;

/** @returns a function that records the members that a value's way to its destination reads or writes */
export function createRecordFlow(
  program: ts.Program,
  { namesOf, membersOf, contentsOf }: TypeMembers,
  { recorder, placeOf }: { recorder: Recorder; placeOf(node: ts.Node): string },
) {
  const checker = program.getTypeChecker();
  /** How deep a pair of types has been searched without finding a member of the contract. */
  const searched = new WeakMap<ts.Type, WeakMap<ts.Type, number>>();

  function record(value: ts.Type, destination: ts.Type, node: ts.Node, depth = DEPTH): boolean {
    if (value === destination || depth <= (searched.get(value)?.get(destination) ?? 0)) return false;
    const isFound = recordParts(value, destination, node, depth);
    if (!isFound) searched.set(value, (searched.get(value) ?? new WeakMap()).set(destination, depth));
    return isFound;
  }

  /**
   * Records what happens to the members of a value on its way:
   *
   *   into a type without members (`unknown`)        any of them may be read
   *   of a literal                                   nothing: they are visited one by one
   *   of an `any`, or an object of computed names    those of the destination may be written
   *   from a list into a list                        those of its items move on
   *   of a function                                  those of its parameters move the other way
   *   of any other object                            each moves on by itself
   *
   * @returns true if one of them is the contract's
   */
  function recordParts(value: ts.Type, destination: ts.Type, node: ts.Node, depth: number): boolean {
    if (isOpen(destination)) return recordAll(contentsOf(value), "leaves the types", node);
    if (isLiteral(node)) return false; // its members are visited one by one
    if (value.flags & ts.TypeFlags.Any) return recordWritten(destination, node, "any");
    if (hasComputedNames(value)) return recordWritten(destination, node, "computed name");
    const [item, target] = [itemOf(value), itemOf(destination)];
    if (item && target) return record(item, target, node, depth - 1);
    const [given] = value.getCallSignatures();
    const [expected] = destination.getNonNullableType().getCallSignatures();
    if (given && expected) return recordParameters(given, expected, node, depth);
    return recordMembers(value, destination, node, depth);
  }

  function recordMembers(value: ts.Type, destination: ts.Type, node: ts.Node, depth: number): boolean {
    const members = partsOf(value).flatMap((part) => part.getProperties());
    const results = members.map((member) => {
      const targets = membersOf(destination, member.name);
      if (targets.length === 0) return false;
      const [own, theirs] = [namesOf(member), targets.flatMap(namesOf)];
      if (own.length > 0 && theirs.length > 0) return true; // the contract's on both sides: it only moves on
      recorder.read(own, placeOf(node));
      recorder.write(theirs, placeOf(declarationIn(member, node)));
      const from = checker.getTypeOfSymbol(member);
      const below = targets.map((target) => record(from, checker.getTypeOfSymbol(target), node, depth - 1));
      return own.length + theirs.length > 0 || below.includes(true);
    });
    return results.includes(true);
  }

  /** Whoever calls the function passes what its own parameters read. */
  function recordParameters(given: ts.Signature, expected: ts.Signature, node: ts.Node, depth: number): boolean {
    const results = given.parameters.map((parameter, index) => {
      const passed = expected.parameters[index];
      return passed && record(checker.getTypeOfSymbol(passed), checker.getTypeOfSymbol(parameter), node, depth - 1);
    });
    return results.includes(true);
  }

  /** True for an object whose names the compiler does not know, such as a `Record`. */
  function hasComputedNames(value: ts.Type): boolean {
    const isIndexed = partsOf(value).some((part) => checker.getIndexInfosOfType(part).length > 0 && !isList(part));
    return isIndexed && contentsOf(value).length === 0;
  }

  function recordAll(names: readonly string[], how: string, node: ts.Node): boolean {
    recorder.everything(names, placeOf(node), how);
    return names.length > 0;
  }

  /** Records an `any`, or an object of unknown names, where a request is expected. */
  function recordWritten(destination: ts.Type, node: ts.Node, how: string): boolean {
    const names = contentsOf(destination).filter((name) =>
      recorder.places.some(({ kind, within }) => (kind === "request" || kind === "parameter") && within.includes(name)),
    );
    return recordAll(names, how, node);
  }

  /** True if any member can be read from the type. */
  function isOpen(type: ts.Type): boolean {
    if (type.isUnion()) return type.types.some(isOpen);
    if (type.flags & OPEN) return true;
    const isObject = type.flags & ts.TypeFlags.Object && type.getProperties().length === 0;
    return Boolean(isObject) && type.getCallSignatures().length === 0 && contentsOf(type).length === 0;
  }

  const isList = (type: ts.Type) => checker.isArrayLikeType(type);
  const itemOf = (type: ts.Type) => {
    const array = partsOf(type).find(isList);
    return array && checker.getTypeArguments(array as ts.TypeReference)[0];
  };

  return (value: ts.Type, destination: ts.Type, node: ts.Node): void => void record(value, destination, node);
}

function isLiteral(node: ts.Node): boolean {
  return ts.isObjectLiteralExpression(node) || ts.isArrayLiteralExpression(node);
}

function partsOf(type: ts.Type): ts.Type[] {
  const parts = type.isUnion() ? type.types : [type];
  return parts.filter(({ flags }) => flags & (ts.TypeFlags.Object | ts.TypeFlags.Intersection));
}

/** The declaration of a member, if it is in the same file as the value. */
function declarationIn({ declarations = [] }: ts.Symbol, node: ts.Node): ts.Node {
  return declarations.find((other) => other.getSourceFile() === node.getSourceFile()) ?? node;
}

export function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}
