// The path of a request through the control plane, in its order: as strict as the API, by a contract of its own.
import type { ErrorRequestHandler, Express, RequestHandler } from "express";
import express from "express";
import { type Contract, loadContract } from "../contract/contract.js";
import { examplesOf } from "../contract/examples.js";
import type { Operation } from "../contract/operations.js";
import { createBareApp } from "../http/bare-app.js";
import { createErrorHandler, RequestError } from "../http/errors.js";
import { LIMITS } from "../http/limits.js";
import { nameOperation, toExpressPath } from "../http/paths.js";
import { contextOf } from "../http/request-context.js";
import { createValidateRequest } from "../http/validate-request.js";
import { ControlError, toControlAnswer } from "./control-error.js";
import { CONTROL_CONTRACT_PATH } from "./control-file.js";
import type { ControlParts } from "./control-plane.js";
import type { ControlOperationId } from "./control-schemas.js";
import type { FaultRule } from "./faults.js";
import { createGuard } from "./guard.js";
import { type ControlContext, type ControlHandler, type ControlRequest, controlHandlers } from "./handlers.js";
import { findExample } from "./inject-fault.js";
import { createWorlds } from "./worlds.js";

export async function createControlApp(parts: ControlParts): Promise<Express> {
  const contract = await loadContract(CONTROL_CONTRACT_PATH);
  const validateRequest = createValidateRequest(contract);
  const context = {
    worlds: createWorlds(parts),
    faults: parts.faults,
    history: parts.history,
    version: () => parts.contract().document.info.version,
    assertPossible: (rule: FaultRule) => assertPossible(rule, parts.contract()),
  };
  const app = createBareApp();

  app.use(createGuard(parts.controlKey));
  app.get("/_control/openapi.yaml", function showContract(_request, response) {
    response.type("application/yaml").send(contract.file.text);
  });
  for (const operation of contract.operations) {
    app[operation.method](
      toExpressPath(operation.path),
      nameOperation(operation),
      ...(operation.hasBody ? [createReadBody(operation)] : []),
      validateRequest(operation),
      createAnswer(operation, context, parts.stopping),
    );
  }
  for (const path of new Set(contract.operations.map((operation) => operation.path))) {
    app.all(
      toExpressPath(path),
      createRefuseMethod(contract.operations.filter((operation) => operation.path === path)),
    );
  }
  app.use(function refusePath() {
    throw new ControlError(
      "notFound",
      "There is nothing at this path. /_control/openapi.yaml lists the paths there are.",
    );
  });
  app.use(answerControlError);
  app.use(createErrorHandler(contract, parts.log, { checkAnswers: false }));
  return app;
}

/** The operations whose body may hold a seed. */
const SEEDED = new Set<string>(["createEnvironment", "resetEnvironment"] satisfies ControlOperationId[]);

function createReadBody({ id }: Operation): RequestHandler {
  if (!SEEDED.has(id)) return express.json({ limit: LIMITS.bodyBytes, strict: false });
  return express.json({ limit: LIMITS.seedBytes, strict: false, verify: assertFewValues });
}

const BEFORE_A_VALUE = new Set(Buffer.from("[{,"));

/** Counted before they are made. Those within a text count too, which only makes the limit a little lower. */
function assertFewValues(_request: unknown, _response: unknown, bytes: Buffer): void {
  let values = 0;
  for (const byte of bytes) if (BEFORE_A_VALUE.has(byte)) values += 1;
  if (values <= LIMITS.seedValues) return;
  const most = LIMITS.seedValues.toLocaleString("en");
  throw new RequestError("contentTooLarge", `The body has more than ${most} values. Send a smaller one.`);
}

function createAnswer(
  operation: Operation,
  context: Omit<ControlContext, "gone">,
  stopping: AbortSignal | undefined,
): RequestHandler {
  // The contract has just proven the request to be of the operation's type; the compiler cannot see that proof.
  const handle = controlHandlers[operation.id as ControlOperationId] as ControlHandler<ControlOperationId>;
  const [status = "200"] = Object.keys(operation.object.responses); // the success stands first
  return async function answerControl(request, response) {
    const left = new AbortController();
    response.once("close", () => left.abort());
    const gone = AbortSignal.any([left.signal, ...(stopping ? [stopping] : [])]);
    const asked = { path: request.params, query: request.query, body: request.body };
    const body = await handle(asked as unknown as ControlRequest<ControlOperationId>, { ...context, gone });
    response.status(Number(status));
    if (body === undefined) response.end();
    else response.json(body);
  };
}

function createRefuseMethod(operations: readonly Operation[]): RequestHandler {
  const allow = operations
    .flatMap(({ method }) => (method === "get" ? ["GET", "HEAD"] : method.toUpperCase()))
    .join(", ");
  return function refuseMethod(request, response) {
    response.setHeader("Allow", allow);
    throw new ControlError("methodNotAllowed", `${request.method} is not a method of this path. It has ${allow}.`);
  };
}

/** A fault has one effect beside its delay, and what it answers is in the contract. */
function assertPossible(rule: FaultRule, { document, operations }: Contract): void {
  const answers = rule.status !== undefined || rule.example !== undefined;
  const effects = [answers, rule.disconnect, rule.malformed].filter(Boolean).length;
  if (effects > 1) throw new ControlError("invalid", "Of status, disconnect and malformed give one at most.", "body");
  if (effects === 0 && rule.delayMs === undefined) {
    throw new ControlError(
      "invalid",
      "Say what goes wrong: delayMs, status, example, disconnect or malformed.",
      "body",
    );
  }
  if (!answers) return;
  const fitting = operations.filter(({ id }) => id === (rule.operation ?? id));
  const examples = fitting.flatMap((operation) => examplesOf(document, operation));
  if (findExample(examples, rule)) return;
  const known = new Set(examples.map(({ status, name }) => `${status} ${name}`));
  const message = `The contract has no such example. It has ${[...known].join(", ")}.`;
  throw new ControlError("invalid", message, rule.status === undefined ? "body.example" : "body.status");
}

const answerControlError: ErrorRequestHandler = function answerControlError(error, request, response, next) {
  if (!(error instanceof ControlError)) return next(error);
  const { status, headers, body } = toControlAnswer(error, request, contextOf(response).now);
  response.status(status).set(headers).json(body);
};
