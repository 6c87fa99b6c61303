// Visits names of members in code: accesses, destructuring, object literals with an expected type, and names as
// arguments.
import { ts } from "ts-morph";
import { isAssignment, type Scan } from "./value-flow.js";

export function createVisitName({ checker, project: { placeOf }, types, recorder, recordFlow }: Scan) {
  const { namesOf, membersOf, contentsOf } = types;
  const typeAt = (node: ts.Node) => checker.getTypeAtLocation(node);
  const everything = (node: ts.Expression | ts.ObjectBindingPattern, how: string) =>
    recorder.everything(contentsOf(typeAt(node)), placeOf(node), how);

  return (node: ts.Node): void => {
    if (ts.isPropertyAccessExpression(node))
      visitAccess(node, namesOf(checker.getSymbolAtLocation(node.name)), node.name);
    else if (ts.isElementAccessExpression(node)) visitElementAccess(node);
    else if (ts.isObjectBindingPattern(node)) for (const element of node.elements) visitBinding(element, node);
    else if (ts.isObjectLiteralExpression(node)) for (const member of node.properties) visitMember(member, node);
    else if (ts.isForInStatement(node)) everything(node.expression, "for … in");
    else if (ts.isJsxSpreadAttribute(node)) visitProps(node);
    else if (ts.isCallExpression(node)) for (const [index] of node.arguments.entries()) visitKey(node, index);
    else if (ts.isBinaryExpression(node)) visitIn(node);
  };

  function visitAccess(node: ts.Expression, names: readonly string[], at: ts.Node): void {
    const { parent } = node;
    const isTarget = ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent.operatorToken.kind);
    if (isTarget) recorder.write(names, placeOf(at));
    else recorder.read(names, placeOf(at));
  }

  function visitElementAccess(node: ts.ElementAccessExpression): void {
    const { expression, argumentExpression: index } = node;
    const [object, key] = [typeAt(expression), typeAt(index)];
    for (const text of textsOf(key)) visitAccess(node, membersOf(object, text).flatMap(namesOf), index);
    if (key.flags & ts.TypeFlags.String) everything(expression, "computed name");
  }

  function visitBinding({ dotDotDotToken, propertyName, name }: ts.BindingElement, pattern: ts.ObjectBindingPattern) {
    const text = findStaticName(propertyName ?? name);
    if (dotDotDotToken) return; // the rest keeps its members' types
    if (text === undefined) everything(pattern, "computed name");
    else recorder.read(membersOf(typeAt(pattern), text).flatMap(namesOf), placeOf(name));
  }

  function visitMember(member: ts.ObjectLiteralElementLike, literal: ts.ObjectLiteralExpression): void {
    const expected = checker.getContextualType(literal);
    if (ts.isSpreadAssignment(member)) {
      if (expected) recordFlow(typeAt(member.expression), expected, member); // else its members keep their types
    } else if (expected) {
      const text = findStaticName(member.name);
      if (text === undefined) recorder.everything(contentsOf(expected), placeOf(member), "computed name");
      else recorder.write(membersOf(expected, text).flatMap(namesOf), placeOf(member));
    }
  }

  function visitProps(spread: ts.JsxSpreadAttribute): void {
    const expected = checker.getContextualType(spread.parent);
    if (expected) recordFlow(typeAt(spread.expression), expected, spread);
    else everything(spread.expression, "spread");
  }

  /** The name of a member as an argument: `sortBy(page.data, "createdAt")`, `pick(notification, "to", "_id")`. */
  function visitKey(call: ts.CallExpression, index: number): void {
    const argument = call.arguments[index] as ts.Expression;
    const parameters = checker.getResolvedSignature(call)?.getDeclaration()?.parameters ?? [];
    const parameter = parameters[index] ?? parameters.at(-1);
    if (!parameter?.type || !types.isKey(checker.getTypeFromTypeNode(parameter.type))) return;
    const others = [...call.arguments.filter((other) => other !== argument), ...(call.typeArguments ?? [])];
    const owners = others.map((other) => types.itemOf(checker.getTypeAtLocation(other)));
    const key = types.itemOf(typeAt(argument));
    for (const owner of owners) {
      const members = textsOf(key).flatMap((text) => membersOf(owner, text));
      recorder.read(members.flatMap(namesOf), placeOf(argument));
      if (key.flags & (ts.TypeFlags.String | ts.TypeFlags.Any))
        recorder.everything(contentsOf(owner), placeOf(argument), "computed name");
    }
  }

  /** `"template" in notification`. */
  function visitIn({ left, right, operatorToken }: ts.BinaryExpression): void {
    if (operatorToken.kind === ts.SyntaxKind.InKeyword && ts.isStringLiteralLike(left))
      recorder.read(membersOf(typeAt(right), left.text).flatMap(namesOf), placeOf(left));
  }
}

/** The texts of a literal type, or of a union of them. */
function textsOf(type: ts.Type): string[] {
  const parts = type.isUnion() ? type.types : [type];
  return parts.flatMap((part) => (part.isStringLiteral() ? part.value : []));
}

/** undefined for a computed name. */
function findStaticName(name: ts.PropertyName | ts.BindingName | undefined): string | undefined {
  if (!name) return undefined;
  if (ts.isComputedPropertyName(name))
    return ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
  return "text" in name ? name.text : undefined;
}
