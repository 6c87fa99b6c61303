// Every limit of the server, with its reason. docs/operations.md lists them too; a test compares both.

export const LIMITS = {
  /** Request line and headers; more is 431 (D-73). Node's default, set here so that NODE_OPTIONS cannot change it. */
  headBytes: 16 * 1024,
  /** A body, decoded; more is 413 (D-52). */
  bodyBytes: 102_400,
  /** A body of the control plane that contains a seed, which may be large. */
  seedBytes: 64 * 1024 * 1024,
  /** Nesting of a body; deeper is 422, so that walking or writing it cannot overflow the stack. */
  bodyDepth: 100,
  /**
   * From the connection or the previous response to the last header; longer is 408. A head fits in a dozen packets. And
   * from a malformed or late request to the end of its connection, whatever the client still sends.
   */
  headMs: 10_000,
  /** To the last byte of the body; longer is 408. Long enough for a large seed over a slow line. */
  requestMs: 60_000,
  /** Between two requests on one connection; the header `Keep-Alive` says so. */
  keepAliveMs: 5_000,
  /** Without a byte in either direction. Longer than any intended wait: a delay of a minute, a long poll. */
  silenceMs: 120_000,
  /** The interval at which the times above are checked. */
  checkMs: 1_000,
  /** Requests on one connection without a response; the next is read once there are fewer, since each costs memory. */
  waitingRequests: 100,
  /** Open connections; another is closed immediately. Below the usual limit of open files, which the store needs. */
  connections: 1_000,
};

export type Limits = typeof LIMITS;
