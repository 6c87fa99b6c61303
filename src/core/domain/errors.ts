// Reasons for an operation to reject a request. No HTTP here: request/errors.ts has the status of each.

export type DomainErrorCode =
  | "workflowNotFound"
  | "subscriberNotFound"
  | "workflowCritical"
  | "outsidePlan"
  | "dateRangeInverted";

/** An operation's rejection. `details` become part of the error's `ctx`. */
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
