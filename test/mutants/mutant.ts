// A server that does one thing wrong.
import type { Mutation } from "./mutable-server.js";

export type Mutant = [
  /** The clause or decision that it violates; cases that cite it should fail. */
  cite: string,
  title: string,
  mutation: Mutation,
  /** Where those cases are many: parts of the names of the ones that should. */
  ...only: string[],
];
