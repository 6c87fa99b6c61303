// What is said of a file that is not a whole, valid environment or journal.

/** The message names the file, the place, what is wrong and the way out. */
export class BrokenEnvironmentError extends Error {
  constructor(path: string, line: number | undefined, reason: string) {
    super(`${line === undefined ? path : `${path}:${line}`}: ${reason}`);
    this.name = "BrokenEnvironmentError";
  }

  withWayOut(wayOut: string): this {
    this.message += `\n${wayOut}`;
    return this;
  }
}
