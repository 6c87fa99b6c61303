// Finds references to the contract in the files of a project: names of members that the generated types declare, such
// as `page.hasMore` (member-names.ts); statuses, headers and paths (known-texts.ts); values that move on
// (value-flow.ts).
import { ts } from "ts-morph";
import type { Contract } from "../../contract/contract.js";
import { createVisitStatuses, createVisitText } from "./known-texts.js";
import { createVisitName } from "./member-names.js";
import type { Project } from "./project.js";
import { createRecorder } from "./recorder.js";
import { createTypeMembers } from "./type-members.js";
import type { Usage } from "./usage-file.js";
import { createRecordFlow, isAssignment, type Scan } from "./value-flow.js";

export interface FoundReferences extends Pick<Usage, "references" | "notRead"> {
  /** Names in the types that the contract lacks. */
  unknown: string[];
}

export function findUsage(project: Project, contract: Contract): FoundReferences {
  const recorder = createRecorder(contract);
  const notRead = project.programs.flatMap((program) => {
    const types = createTypeMembers(program, contract, project.typeFiles);
    const recordFlow = createRecordFlow(program, types, { recorder, placeOf: project.placeOf });
    const checker = program.getTypeChecker();
    const visitFile = createVisitFile({ project, contract, checker, types, recorder, recordFlow });
    return program.getSourceFiles().flatMap((file) => (project.isOwn(file, program) ? visitFile(file) : []));
  });
  return { references: recorder.references(), notRead, unknown: [...recorder.unknown] };
}

/** @returns a function that visits all nodes of a file, and returns the imports that it could not follow */
function createVisitFile(scan: Scan) {
  const visitors = [createVisitName(scan), createVisitStatuses(scan), createVisitText(scan), createVisitFlow(scan)];
  return (file: ts.SourceFile): Usage["notRead"] => {
    const unresolved: Usage["notRead"] = [];
    const visit = (node: ts.Node) => {
      unresolved.push(...findUnresolved(scan, node));
      if (ts.isImportDeclaration(node)) return;
      for (const visitNode of visitors) visitNode(node);
      ts.forEachChild(node, visit);
    };
    visit(file);
    return unresolved;
  };
}

const ASSET = /\.(css|scss|sass|less|svg|png|jpe?g|gif|webp|woff2?|json|html|txt|md)(\?.*)?['"]$/;

/** Without the types of this package, what a file uses of the contract stays unknown. */
const OF_PACKAGE = /^notifications-contract(\/|$)/;

function findUnresolved({ checker, project }: Scan, node: ts.Node): Usage["notRead"] {
  const specifier = findSpecifier(node);
  if (!specifier || checker.getSymbolAtLocation(specifier)) return [];
  const isOfPackage = OF_PACKAGE.test(specifier.text);
  const reason = `imports ${specifier.getText()}, which is not found`;
  return [{ place: project.placeOf(node), reason, ...(isOfPackage ? { isOfPackage } : {}) }];
}

/** The module that an import of code names. An import for its effects, or of an asset, has no types. */
function findSpecifier(node: ts.Node): ts.StringLiteral | undefined {
  const isImport = ts.isImportDeclaration(node) && node.importClause !== undefined;
  const isDynamic = ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword;
  const specifier =
    isImport || ts.isExportDeclaration(node) ? node.moduleSpecifier : isDynamic ? node.arguments[0] : undefined;
  return specifier && ts.isStringLiteral(specifier) && !ASSET.test(specifier.getText()) ? specifier : undefined;
}

/** Visits values that move on to where another type is expected. */
function createVisitFlow({ checker, recordFlow }: Scan) {
  const typeAt = (node: ts.Node) => checker.getTypeAtLocation(node);
  return (node: ts.Node): void => {
    if (isDependencyList(node)) return;
    for (const value of valuesOf(node).flatMap(findLeaves)) {
      const destination = ts.isAssertionExpression(node) ? typeAt(node) : checker.getContextualType(value);
      if (destination) recordFlow(typeAt(value), destination, value);
    }
  };

  /** `[page]` of `useMemo(() => toRows(page), [page])`: only identities are compared. */
  function isDependencyList(node: ts.Node): boolean {
    const { parent } = node;
    if (!ts.isArrayLiteralExpression(node) || !ts.isCallExpression(parent)) return false;
    const before = parent.arguments[parent.arguments.indexOf(node) - 1];
    const isHook = /(^|\.)use[A-Z]\w*$/.test(parent.expression.getText());
    return isHook && before !== undefined && typeAt(before).getCallSignatures().length > 0;
  }
}

/** The expressions whose values the node passes on. */
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

function findLeaves(value: ts.Expression | undefined): ts.Expression[] {
  if (!value || ts.isSpreadElement(value)) return [];
  if (ts.isConditionalExpression(value)) return [value.whenTrue, value.whenFalse].flatMap(findLeaves);
  if (ts.isParenthesizedExpression(value) || ts.isSatisfiesExpression(value)) return findLeaves(value.expression);
  const isChoice = ts.isBinaryExpression(value) && !isAssignment(value.operatorToken.kind);
  return isChoice ? [value.left, value.right].flatMap(findLeaves) : [value];
}
