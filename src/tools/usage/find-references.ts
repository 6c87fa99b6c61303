// The references to the contract in the files of a project. A name in the code (`page.hasMore`, `const { hasMore } = page`,
// `{ limit: 5 }` where a filter is expected) belongs to a member of a type, which the generated types declare. value-flow.ts has
// what no name shows.
import { ts } from "ts-morph";
import type { Contract } from "../../contract/contract.js";
import { CLIENT_CALLS } from "./client-calls.js";
import { toOperationName } from "./contract-members.js";
import type { Project } from "./project.js";
import { createRecorder, type Recorder } from "./recorder.js";
import { createTypeMembers } from "./type-members.js";
import type { Usage } from "./usage-file.js";
import { createRecordFlow } from "./value-flow.js";

export interface FoundReferences extends Pick<Usage, "references" | "notRead"> {
  /** Names that the types have and the contract has not. */
  unknown: string[];
}

export function findReferences(project: Project, contract: Contract): FoundReferences {
  const recorder = createRecorder(contract);
  const notRead = project.programs.flatMap((program) => {
    const scan = createScan(program, { project, contract, recorder });
    return program.getSourceFiles().flatMap((file) => (project.isOwn(file, program) ? scan(file) : []));
  });
  return { references: recorder.references(), notRead, unknown: [...recorder.unknown] };
}

interface ScanParts {
  project: Project;
  contract: Contract;
  recorder: Recorder;
}

/** @returns a function that scans a file and returns where it could not follow. */
function createScan(program: ts.Program, { project, contract, recorder }: ScanParts) {
  const checker = program.getTypeChecker();
  const { placeOf, typeFiles } = project;
  const types = createTypeMembers(program, contract, { typeFiles, places: recorder.places });
  const { namesOf, membersOf, contentsOf, enumsOf } = types;
  const recordFlow = createRecordFlow(program, types, { recorder, placeOf });
  const typeAt = (node: ts.Node) => checker.getTypeAtLocation(node);
  const headers = recorder.places.filter(({ kind }) => kind === "header").map(({ member }) => member);
  const statuses = [...new Set(contract.operations.flatMap(({ object }) => Object.keys(object.responses)))];
  const everything = (node: ts.Expression | ts.ObjectBindingPattern, how: string) =>
    recorder.everything(contentsOf(typeAt(node)), placeOf(node), how);

  return (file: ts.SourceFile): Usage["notRead"] => {
    const unresolved: Usage["notRead"] = [];
    const visit = (node: ts.Node) => {
      if (ts.isImportDeclaration(node)) {
        const { moduleSpecifier, importClause } = node;
        if (importClause && isCode(moduleSpecifier) && !checker.getSymbolAtLocation(moduleSpecifier))
          unresolved.push({ place: placeOf(node), reason: `imports ${moduleSpecifier.getText()}, which is not found` });
        return;
      }
      visitNode(node);
      ts.forEachChild(node, visit);
    };
    visit(file);
    return unresolved;
  };

  function visitNode(node: ts.Node): void {
    if (ts.isPropertyAccessExpression(node))
      visitAccess(node, namesOf(checker.getSymbolAtLocation(node.name)), node.name);
    else if (ts.isElementAccessExpression(node)) visitElementAccess(node);
    else if (ts.isObjectBindingPattern(node)) for (const element of node.elements) visitBinding(element, node);
    else if (ts.isObjectLiteralExpression(node)) for (const member of node.properties) visitMember(member, node);
    else if (ts.isBinaryExpression(node)) visitBinary(node);
    else if (ts.isSwitchStatement(node)) visitSwitch(node);
    else if (ts.isForInStatement(node)) everything(node.expression, "for … in");
    else if (ts.isJsxSpreadAttribute(node)) visitProps(node);
    else if (ts.isCallExpression(node)) for (const [index] of node.arguments.entries()) visitKey(node, index);
    else if (ts.isIdentifier(node)) visitIdentifier(node);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) visitText(node);
    if (isDependencyList(node)) return;
    for (const value of valuesOf(node).flatMap(toLeaves)) {
      const destination = ts.isAssertionExpression(node) ? typeAt(node) : checker.getContextualType(value);
      if (destination) recordFlow(typeAt(value), destination, value);
    }
  }

  function visitAccess(node: ts.Expression, names: readonly string[], at: ts.Node): void {
    const { parent } = node;
    const isTarget = ts.isBinaryExpression(parent) && parent.left === node && isAssignment(parent.operatorToken.kind);
    if (isTarget) recorder.write(names, placeOf(at));
    else recorder.read(names, placeOf(at));
  }

  function visitElementAccess(node: ts.ElementAccessExpression): void {
    const { expression, argumentExpression: index } = node;
    for (const name of enumsOf(index)) recorder.add("values", name, placeOf(node), "look-up");
    const [object, key] = [typeAt(expression), typeAt(index)];
    const parts = key.isUnion() ? key.types : [key];
    const texts = parts.flatMap((part) => (part.isStringLiteral() ? part.value : []));
    for (const text of texts) visitAccess(node, membersOf(object, text).flatMap(namesOf), index);
    if (key.flags & ts.TypeFlags.String) everything(expression, "computed name");
  }

  function visitBinding(
    { dotDotDotToken, propertyName, name }: ts.BindingElement,
    pattern: ts.ObjectBindingPattern,
  ): void {
    const text = toStaticName(propertyName ?? name);
    if (dotDotDotToken) return; // what is left has the same members
    if (text === undefined) everything(pattern, "computed name");
    else recorder.read(membersOf(typeAt(pattern), text).flatMap(namesOf), placeOf(name));
  }

  function visitMember(member: ts.ObjectLiteralElementLike, literal: ts.ObjectLiteralExpression): void {
    const expected = checker.getContextualType(literal);
    if (ts.isSpreadAssignment(member)) {
      if (expected) recordFlow(typeAt(member.expression), expected, member); // else its members keep their types
    } else if (expected) {
      const text = toStaticName(member.name);
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
    const parts = key.isUnion() ? key.types : [key];
    for (const owner of owners) {
      const members = parts.flatMap((part) => (part.isStringLiteral() ? membersOf(owner, part.value) : []));
      recorder.read(members.flatMap(namesOf), placeOf(argument));
      if (key.flags & (ts.TypeFlags.String | ts.TypeFlags.Any))
        recorder.everything(contentsOf(owner), placeOf(argument), "computed name");
    }
  }

  /** `[page]` of `useMemo(() => toRows(page), [page])`: only identities are compared. */
  function isDependencyList(node: ts.Node): boolean {
    const { parent } = node;
    if (!ts.isArrayLiteralExpression(node) || !ts.isCallExpression(parent)) return false;
    const before = parent.arguments[parent.arguments.indexOf(node) - 1];
    const isHook = /(^|\.)use[A-Z]\w*$/.test(parent.expression.getText());
    return isHook && before !== undefined && typeAt(before).getCallSignatures().length > 0;
  }

  function visitBinary({ left, right, operatorToken }: ts.BinaryExpression): void {
    const operator = operatorToken.getText();
    if (operator === "in" && ts.isStringLiteralLike(left))
      recorder.read(membersOf(typeAt(right), left.text).flatMap(namesOf), placeOf(left));
    const compare = COMPARISONS[operator];
    if (!compare) return;
    if (ts.isNumericLiteral(right)) visitStatus(left, (status) => compare(status, Number(right.text)));
    if (ts.isNumericLiteral(left)) visitStatus(right, (status) => compare(Number(left.text), status));
    const [value] = [typeAt(right).isStringLiteral() && left, typeAt(left).isStringLiteral() && right].filter(Boolean);
    if (value && /^[!=]==?$/.test(operator))
      for (const name of enumsOf(value)) recorder.add("values", name, placeOf(value), "comparison");
  }

  function visitStatus(value: ts.Expression, matches: (status: number) => boolean): void {
    if (!/status(code)?$/i.test(value.getText())) return;
    for (const status of statuses) if (matches(Number(status))) recorder.add("status", status, placeOf(value));
  }

  function visitSwitch({ expression, caseBlock: { clauses } }: ts.SwitchStatement): void {
    const hasDefault = clauses.some(ts.isDefaultClause);
    for (const name of enumsOf(expression))
      recorder.add("values", name, placeOf(expression), hasDefault ? "switch" : "switch without default");
    for (const clause of clauses)
      if (ts.isCaseClause(clause) && ts.isNumericLiteral(clause.expression)) {
        const number = Number(clause.expression.text);
        visitStatus(expression, (status) => status === number);
      }
  }

  /** A function of this package's client. */
  function visitIdentifier(node: ts.Identifier): void {
    if (!Object.hasOwn(CLIENT_CALLS, node.text)) return;
    const symbol = checker.getSymbolAtLocation(node);
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const isOfPackage = target?.declarations?.some((declaration) => project.isOfClient(declaration.getSourceFile()));
    if (isOfPackage) recorder.call(node.text, placeOf(node));
  }

  /** The name of an operation in a type, the path of one, also within a template, the name of a header. */
  function visitText(node: ts.StringLiteralLike | ts.TemplateExpression): void {
    const { parent } = node;
    const text = toPattern(node);
    const [name, ...values] = ts.isCallExpression(parent)
      ? [parent.expression, ...parent.arguments].map((part) => part.getText())
      : [];
    const header = /\.(get|has)$/.test(name ?? "") && headers.find((name) => name.toLowerCase() === text.toLowerCase());
    if (header) recorder.add("header", header, placeOf(node));
    const words = [name?.split(".").at(-1) ?? "", ...values].map((word) => word.replaceAll(/["']/g, "").toLowerCase());
    const atPath = contract.operations.filter(({ path }) =>
      text.replace(/\?.*/, "").endsWith(path.replaceAll(/{.*?}/g, "{}")),
    );
    const called = atPath.filter(({ method }) => words.includes(method));
    const named = ts.isLiteralTypeNode(parent) ? contract.operations.filter(({ id }) => id === text) : [];
    for (const operation of [...(called.length > 0 ? called : atPath), ...named])
      recorder.add("operation", toOperationName(operation), placeOf(node));
  }
}

/** The text, with `{}` for what is inserted: `{}/v2/subscribers/{}/preferences`. */
function toPattern(node: ts.StringLiteralLike | ts.TemplateExpression): string {
  if (ts.isStringLiteralLike(node)) return node.text.replaceAll(/{.*?}/g, "{}");
  return [node.head.text, ...node.templateSpans.map(({ literal }) => `{}${literal.text}`)].join("");
}

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  "===": (a, b) => a === b,
  "!==": (a, b) => a === b,
  "==": (a, b) => a === b,
  "!=": (a, b) => a === b,
  "<": (a, b) => a < b,
  "<=": (a, b) => a <= b,
  ">": (a, b) => a > b,
  ">=": (a, b) => a >= b,
};

function isAssignment(kind: ts.SyntaxKind): boolean {
  return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
}

/** undefined where it is computed. */
function toStaticName(name: ts.PropertyName | ts.BindingName | undefined): string | undefined {
  if (!name) return undefined;
  if (ts.isComputedPropertyName(name))
    return ts.isStringLiteralLike(name.expression) ? name.expression.text : undefined;
  return "text" in name ? name.text : undefined;
}

/** The expressions whose values a node passes on. */
function valuesOf(node: ts.Node): (ts.Expression | undefined)[] {
  if (ts.isCallExpression(node) || ts.isNewExpression(node)) return [...(node.arguments ?? [])];
  if (ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isPropertyDeclaration(node))
    return node.type ? [node.initializer] : [];
  if (ts.isShorthandPropertyAssignment(node)) return [node.name];
  if (ts.isPropertyAssignment(node)) return [node.initializer];
  if (ts.isArrowFunction(node)) return ts.isBlock(node.body) ? [] : [node.body];
  if (ts.isArrayLiteralExpression(node)) return [...node.elements];
  if (ts.isBinaryExpression(node)) return isAssignment(node.operatorToken.kind) ? [node.right] : [];
  if (
    ts.isReturnStatement(node) ||
    ts.isJsxExpression(node) ||
    ts.isAssertionExpression(node) ||
    ts.isYieldExpression(node)
  )
    return [node.expression];
  return [];
}

function toLeaves(value: ts.Expression | undefined): ts.Expression[] {
  if (!value || ts.isSpreadElement(value)) return [];
  if (ts.isConditionalExpression(value)) return [value.whenTrue, value.whenFalse].flatMap(toLeaves);
  if (ts.isParenthesizedExpression(value) || ts.isSatisfiesExpression(value)) return toLeaves(value.expression);
  const isChoice = ts.isBinaryExpression(value) && !isAssignment(value.operatorToken.kind);
  return isChoice ? [value.left, value.right].flatMap(toLeaves) : [value];
}

const ASSET = /\.(css|scss|sass|less|svg|png|jpe?g|gif|webp|woff2?|json|html|txt|md)(\?.*)?['"]$/;

function isCode(specifier: ts.Expression): boolean {
  return !ASSET.test(specifier.getText());
}
