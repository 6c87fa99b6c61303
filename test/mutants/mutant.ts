// A server that does one thing wrong.
import type { Mutation } from "./mutable-server.js";

export type Mutant = [
  /** The clause or decision that it breaks; cases that rest on it should find it. */
  cite: string,
  title: string,
  mutation: Mutation,
  /** Where those cases are many: parts of the names of the ones that should. */
  ...only: string[],
];
