// Why an operation may reject a request. No HTTP in here: operations/errors.ts gives each code its status and its place in the contract.

export type DomainErrorCode =
  | "workflowNotFound"
  | "subscriberNotFound"
  | "workflowCritical"
  | "outsidePlan"
  | "dateRangeInverted";

/** An operation's rejection. `details` are facts for the caller; they end up in the error's `ctx`. */
export class DomainError extends Error {
  constructor(
    readonly code: DomainErrorCode,
    message: string,
    readonly details: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.name = "DomainError";
  }
}
