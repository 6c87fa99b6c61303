// The target as the user declares it: its address, its capabilities, its data. Nothing of it is detected.

/** What a target may be able to do. Cases that need what is not declared are not applicable. */
export const CAPABILITIES = {
  stateful: "stores updates; responds with 404 for unknown subscribers and workflows",
  listing: "lists its notifications, filtered and in pages",
  idempotent: "replays the response to a repeated Idempotency-Key",
  "checks-key": "rejects unknown API keys",
  "checks-plan": "responds with 402 for dates before those that its plan keeps",
  prefer: "supports Prefer: code, example and delay",
  "exact-headers": "sends only the headers of the contract, and X-Request-Id with each response",
  "cited-errors": "names the clause or decision behind each error in its ctx",
  "demo-seed": "holds the demo seed, on which the contract's examples are based",
} as const;

export type Capability = keyof typeof CAPABILITIES;

export interface TargetKind {
  can: readonly Capability[];
  /** Clauses, decisions or parts of case names in which the target is known to differ. */
  except: readonly string[];
}

export const TARGETS = {
  reference: { can: Object.keys(CAPABILITIES) as Capability[], except: [] },
  // All of the contract, without what only our own server has.
  implementation: { can: ["stateful", "listing", "idempotent", "checks-key", "checks-plan"], except: [] },
  mock: { can: ["checks-key", "prefer", "exact-headers", "cited-errors"], except: [] },
  // The decisions whose text says that the live service differs.
  service: {
    can: ["stateful", "listing", "idempotent", "checks-key", "checks-plan"],
    except: ["D-03", "D-17", "D-24", "D-28", "D-39", "D-40", "D-48", "D-51", "D-53", "D-59", "D-62", "D-66"],
  },
} as const satisfies Record<string, TargetKind>;

export interface Target extends TargetKind {
  /** Base URL; a path prefix is allowed. */
  url: URL;
  apiKey: string;
  /** Of a target with our control plane: the suite creates temporary environments and does not use the keys. */
  control?: { key?: string | undefined } | undefined;
  /** Of another environment. */
  otherApiKey?: string | undefined;
  /** Two subscribers that exist. Their preferences are changed and restored. */
  subscriber: string;
  otherSubscriber: string;
  /** Identifier of a workflow that is active and listed. */
  workflow: string;
  /** The channels of that workflow's active steps. */
  workflowChannels?: readonly string[] | undefined;
  /** Identifier of a workflow that rejects updates. */
  criticalWorkflow?: string | undefined;
  /** Identifiers of workflows that accept updates and are not listed. */
  unlistedWorkflows: readonly string[];
}

/** What the laws need, in the demo seed. */
export const DEMO_DATA = {
  subscriber: "ines-moreau",
  otherSubscriber: "tomas-novak",
  workflow: "comment-mention",
  workflowChannels: ["email", "in_app", "push"],
  criticalWorkflow: "password-reset",
  unlistedWorkflows: ["billing-receipt", "legacy-newsletter"],
} as const;
