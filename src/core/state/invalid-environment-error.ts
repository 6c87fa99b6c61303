// The error for a file that is not a whole, valid environment, seed or journal.

/** The message names the file, the place, what is wrong and how to fix it. */
export class InvalidEnvironmentError extends Error {
  constructor(path: string, line: number | undefined, reason: string) {
    super(`${line === undefined ? path : `${path}:${line}`}: ${reason}`);
    this.name = "InvalidEnvironmentError";
  }

  withHint(hint: string): this {
    this.message += `\n${hint}`;
    return this;
  }
}

/** Handles a rejection: undefined where a file is invalid. */
export function ignoreInvalid(error: unknown): undefined {
  if (!(error instanceof InvalidEnvironmentError)) throw error;
}
