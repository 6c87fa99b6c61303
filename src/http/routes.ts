// The operations as the contract lists them, and the step that answers them.
import type { Request, RequestHandler } from "express";
import type { Contract } from "../contract/contract.js";
import type { Operation, OperationId, OperationRequest, SuccessBody } from "../contract/operations.js";
import type { Change, EnvironmentView } from "../domain/environment-view.js";
import type { JsonText } from "../domain/json-text.js";
import type { Plan } from "../domain/plan.js";
import type { Environment } from "../store/environment.js";
import { type Answer, assertInContract, writeAnswer } from "./answer.js";
import { toRefusal } from "./errors.js";
import { answerOnce, type Decide, fingerprintOf } from "./idempotency.js";
import { listNotifications } from "./list-notifications.js";
import { contextOf, environmentOf, type RequestContext } from "./request-context.js";
import { updatePreferences } from "./update-preferences.js";

export interface HandlerContext {
  view: EnvironmentView;
  now: Date;
  plan: Plan;
}

/**
 * Answers an operation: the body of its success and what it changes.
 * @throws DomainError for a refusal.
 */
export type Handler<Id extends OperationId> = (
  request: OperationRequest<Id>,
  context: HandlerContext,
) => { body: SuccessBody<Id> | JsonText<SuccessBody<Id>>; changes: readonly Change[] };

// An operation of the contract without a handler, or one that answers something else, does not compile.
export const handlers = { updatePreferences, listNotifications } satisfies { [Id in OperationId]: Handler<Id> };

export interface AnswerOptions {
  contract: Contract;
  plan: Plan;
  checkAnswers: boolean;
}

/** The last step of an operation: decides, makes the change durable, then answers. */
export function createAnswerOperation(operation: Operation, options: AnswerOptions): RequestHandler {
  return async function answerOperation(request, response) {
    const context = contextOf(response);
    const environment = environmentOf(response);
    const decide: Decide = (view) => {
      const decided = decideAnswer(operation, request, { ...context, view, plan: options.plan });
      // Before anything is stored: a wrong answer must not leave its change behind, nor be recorded for replay.
      if (options.checkAnswers) assertInContract(options.contract, operation, response, decided.answer);
      return decided;
    };
    const answer = isSafe(operation)
      ? decide(environment.state).answer
      : await answerUpdate(request, context, environment, decide);
    writeAnswer(response, answer);
  };
}

async function answerUpdate(
  request: Request,
  context: RequestContext,
  environment: Environment,
  decide: Decide,
): Promise<Answer> {
  const { now } = context;
  const key = request.get("idempotency-key");
  if (!key) {
    return environment.transact((view) => {
      const { answer, changes } = decide(view);
      return { result: answer, changes };
    });
  }
  const fingerprint = fingerprintOf(request.method, request.path, request.body);
  const once = await answerOnce({ environment, key, fingerprint, now }, (view) => {
    try {
      return decide(view);
    } catch (error) {
      const refusal = toRefusal(error, request, context);
      if (!refusal) throw error; // a fault is not recorded: another try may succeed
      return { answer: refusal, changes: [] };
    }
  });
  return { ...once, headers: { ...once.headers, "Idempotency-Key": key } };
}

function decideAnswer(operation: Operation, request: Request, context: HandlerContext) {
  // The contract has just proven the request to be of the operation's type; the compiler cannot see that proof. Its
  // operations are those of the generated types: handlers.types.ts and the clauses' test hold them together.
  const handle = handlers[operation.id as OperationId] as Handler<OperationId>;
  const { body, changes } = handle(
    { path: request.params, query: request.query, body: request.body } as unknown as OperationRequest<OperationId>,
    context,
  );
  return { answer: { status: 200, headers: {}, body }, changes };
}

function isSafe({ method }: Operation): boolean {
  return method === "get";
}
