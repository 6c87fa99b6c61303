// Visits the texts and numbers of the contract in code: statuses, headers, paths and operations.
import { ts } from "ts-morph";
import { CLIENT_CALLS } from "./recorder.js";
import type { Scan } from "./value-flow.js";

/** Visits comparisons of a status with a number. */
export function createVisitStatuses({ project: { placeOf }, recorder, contract }: Scan) {
  const statuses = [...new Set(contract.operations.flatMap(({ responses }) => responses.map(({ key }) => key)))];

  return (node: ts.Node): void => {
    if (ts.isBinaryExpression(node)) visitBinary(node);
    else if (ts.isSwitchStatement(node)) visitSwitch(node);
  };

  function visitBinary({ left, right, operatorToken }: ts.BinaryExpression): void {
    const compare = COMPARISONS[operatorToken.getText()];
    if (!compare) return;
    if (ts.isNumericLiteral(right)) visitStatus(left, (status) => compare(status, Number(right.text)));
    if (ts.isNumericLiteral(left)) visitStatus(right, (status) => compare(Number(left.text), status));
  }

  function visitSwitch({ expression, caseBlock: { clauses } }: ts.SwitchStatement): void {
    for (const clause of clauses)
      if (ts.isCaseClause(clause) && ts.isNumericLiteral(clause.expression)) {
        const number = Number(clause.expression.text);
        visitStatus(expression, (status) => status === number);
      }
  }

  function visitStatus(value: ts.Expression, matches: (status: number) => boolean): void {
    if (!/status(code)?$/i.test(value.getText())) return;
    for (const status of statuses) if (matches(Number(status))) recorder.add("status", status, placeOf(value));
  }
}

/** Visits texts, and calls of this package's client. */
export function createVisitText({ checker, project, recorder, contract }: Scan) {
  const { placeOf } = project;
  const headers = recorder.places.filter(({ kind }) => kind === "header").map(({ member }) => member);

  return (node: ts.Node): void => {
    if (ts.isIdentifier(node)) visitIdentifier(node);
    else if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) visitText(node);
  };

  function visitIdentifier(node: ts.Identifier): void {
    if (!Object.hasOwn(CLIENT_CALLS, node.text)) return;
    const symbol = checker.getSymbolAtLocation(node);
    const target = symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
    const isOfPackage = target?.declarations?.some((declaration) => project.isOfClient(declaration.getSourceFile()));
    if (isOfPackage) recorder.call(node.text, placeOf(node));
  }

  /** Looks for the name or path of an operation, and for the name of a header. */
  function visitText(node: ts.StringLiteralLike | ts.TemplateExpression): void {
    const { parent } = node;
    const text = buildPattern(node);
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
    if (ts.isCallExpression(parent) && parent.arguments[0] === node)
      for (const operation of called) visitInit(operation.id, parent.arguments[1]);
    const named = ts.isLiteralTypeNode(parent) ? contract.operations.filter(({ id }) => id === text) : [];
    for (const operation of [...(called.length > 0 ? called : atPath), ...named])
      recorder.add("operation", operation.id, placeOf(node));
  }

  /** The options of openapi-fetch, whose type is that of the literal: `{ params: { header: { … } }, body: { … } }`. */
  function visitInit(operation: string, init: ts.Expression | undefined): void {
    const visit = (value: ts.Expression, steps: readonly string[]): void => {
      if (!ts.isObjectLiteralExpression(value)) return;
      for (const member of value.properties) {
        const name = member.name && !ts.isComputedPropertyName(member.name) ? member.name.text : undefined;
        if (name === undefined) continue;
        const path = [...steps, steps[0] === "header" ? name.toLowerCase() : name];
        const found = recorder.places.find(
          (one) => one.operation === operation && one.steps.join("\n") === path.join("\n"),
        );
        if (found) recorder.add(found.kind, found.member, placeOf(member));
        if (ts.isPropertyAssignment(member)) visit(member.initializer, path[0] === "params" ? path.slice(1) : path);
      }
    };
    if (init) visit(init, []);
  }
}

/** The text with `{}` for inserted values: `{}/v2/subscribers/{}/preferences`. */
function buildPattern(node: ts.StringLiteralLike | ts.TemplateExpression): string {
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
