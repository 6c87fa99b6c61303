// Draws mutants of a room of src: copies of a file with one small fault each. The operators are Stryker's, without those
// that mostly give equivalent mutants; nothing outside functions is mutated, since test files share loaded modules.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { createRandom } from "../../dist/core/domain/random.js";

const COMPARISONS = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  "===": "!==",
  "!==": "===",
  "&&": "||",
  "||": "&&",
  "??": "&&",
  "+": "-",
  "-": "+",
};

/**
 * Draws `count` mutants of the files of `src/<room>`, always the same for a seed: the code from `start` to `end` becomes `text`.
 * `body` is where the function begins and, without braces, ends: it tells which tests run it.
 */
export function drawMutants(room, seed, count) {
  const folder = join("src", room);
  const files = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".ts") && !/\.gen\.ts$|\.d\.ts$/.test(name))
    .sort()
    .map((name) => join(folder, name));
  const all = files.flatMap(findMutants);
  const { between } = createRandom(seed);
  return Array.from({ length: Math.min(count, all.length) }, () => all.splice(between(0, all.length - 1), 1)[0]);
}

function findMutants(file) {
  const code = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true);
  const mutants = [];
  const visit = (node, body) => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    for (const [target, text] of body ? mutate(node) : []) {
      const [start, end] = [target.getStart(), target.getEnd()];
      const { line } = source.getLineAndCharacterOfPosition(start);
      mutants.push({ file, line: line + 1, start, end, text, was: code.slice(start, end), body });
    }
    node.forEachChild((child) => visit(child, ts.isFunctionLike(node) && child === node.body ? placeOf(child) : body));
  };
  visit(source);
  return mutants;
}

const placeOf = (body) => (ts.isBlock(body) ? [body.getStart() + 1] : [body.getStart(), body.getEnd()]);

/** Yields the nodes to replace, each with its new text. */
function* mutate(node) {
  if (ts.isIfStatement(node) || ts.isConditionalExpression(node)) {
    const condition = ts.isIfStatement(node) ? node.expression : node.condition;
    yield [condition, "true"];
    yield [condition, "false"];
  } else if (ts.isBinaryExpression(node)) {
    const operator = COMPARISONS[node.operatorToken.getText()];
    if (operator) yield [node.operatorToken, operator];
  } else if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    yield [node, `(${node.operand.getText()})`];
  } else if (node.kind === ts.SyntaxKind.TrueKeyword || node.kind === ts.SyntaxKind.FalseKeyword) {
    if (!ts.isLiteralTypeNode(node.parent)) yield [node, node.kind === ts.SyntaxKind.TrueKeyword ? "false" : "true"];
  } else if (ts.isExpressionStatement(node) && !isSuper(node.expression)) {
    yield [node, ";"];
  } else if (ts.isStringLiteral(node) && node.text !== "" && !ts.isPropertyAssignment(node.parent)) {
    yield [node, '""'];
  } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const name = node.expression.name.text;
    if (/^(filter|toSorted|sort|trim|toLowerCase|slice|toReversed)$/.test(name)) {
      yield [node, node.expression.expression.getText()];
    }
    if (name === "some" || name === "every") yield [node.expression.name, name === "some" ? "every" : "some"];
  }
}

const isSuper = (node) => ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.SuperKeyword;
