// How much the server takes and how long it waits: every limit, with its reason. docs/operations.md repeats them; a test compares.

export const LIMITS = {
  /** Request line and headers; more is 431 (D-73). Node's own default, kept here so that no NODE_OPTIONS moves it. */
  headBytes: 16 * 1024,
  /** A body, decoded; more is 413 (D-52). */
  bodyBytes: 102_400,
  /** The same where the control plane takes a seed: a team's own may be large. */
  seedBytes: 64 * 1024 * 1024,
  /** How deep a body may be nested; deeper is 422. Walking or writing it must not end the stack. */
  bodyDepth: 100,
  /** From the connection, or the response before, to the last header; longer is 408. A head fits in a dozen packets. */
  headMs: 10_000,
  /** To the last byte of the body; longer is 408. A large seed over a slow line has to fit. */
  requestMs: 60_000,
  /** Between two requests on one connection; the header `Keep-Alive` says so. */
  keepAliveMs: 5_000,
  /** Without a byte in either direction. More than what may wait on purpose: a delay of a minute, a long poll. */
  silenceMs: 120_000,
  /** How often the times above are checked. */
  checkMs: 1_000,
  /** From a malformed or late request to the end of its connection, whatever its client still sends. */
  lastResponseMs: 1_000,
  /** On one connection, without a response; the next is read when there are fewer. What waits costs memory. */
  waitingRequests: 100,
  /** At once; a further one is closed at once. Below the open files that most systems allow, so that the disk goes on. */
  connections: 1_000,
};

export type Limits = typeof LIMITS;
