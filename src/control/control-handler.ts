// What a handler of the control plane is: the function that executes one of its operations.
import type { ControlOperationId, ControlOperations } from "./control-schemas.js";
import type { EnvironmentManager } from "./environment-manager.js";
import type { FaultRule, Faults } from "./faults.js";
import type { RequestHistory } from "./request-history.js";

export interface ControlContext {
  environments: EnvironmentManager;
  faults: Faults;
  history: RequestHistory;
  /** Of the contract that is served. */
  version: () => string;
  /** @throws ControlError for a fault that no operation could have. */
  assertPossible(rule: FaultRule): void;
  /** Aborts when the client goes or the server stops. */
  aborted: AbortSignal;
}

type Part<Id extends ControlOperationId, In extends string> = In extends keyof ControlOperations[Id]["parameters"]
  ? NonNullable<ControlOperations[Id]["parameters"][In]>
  : never;
type BodyOf<Id extends ControlOperationId> = ControlOperations[Id] extends {
  requestBody: { content: { "application/json": infer Body } };
}
  ? Body
  : undefined;
type ResponsesOf<Id extends ControlOperationId> = ControlOperations[Id]["responses"];
type JsonOf<Response> = Response extends { content: { "application/json": infer Body } } ? Body : undefined;
type SuccessOf<Id extends ControlOperationId> = JsonOf<
  ResponsesOf<Id>[Extract<keyof ResponsesOf<Id>, 200 | 201 | 204>]
>;

/** A request that has passed the control plane's contract, defaults filled in. */
export interface ControlRequest<Id extends ControlOperationId> {
  path: Part<Id, "path">;
  query: Part<Id, "query">;
  body: BodyOf<Id>;
}

export type ControlHandler<Id extends ControlOperationId> = (
  request: ControlRequest<Id>,
  context: ControlContext,
) => SuccessOf<Id> | Promise<SuccessOf<Id>>;
