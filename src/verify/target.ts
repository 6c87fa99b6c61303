// What the user says of the target: where it is, what it can do, which data it holds. None of it is discovered.

/** What a target may be able to do. What is not declared is not asked of it. */
export const CAPABILITIES = {
  stateful: "keeps updates and shows them; unknown subscribers and workflows are 404",
  listing: "lists notifications that it holds, filtered and in pages",
  idempotent: "replays the answer to an Idempotency-Key it has seen",
  "checks-key": "tells an unknown key from a known one",
  "checks-plan": "answers 402 to dates before those that its plan keeps",
  prefer: "follows Prefer: code, example and delay",
  "exact-headers": "sends no headers but those of the contract, and X-Request-Id with each answer",
  "exact-errors": "sends errors that name their reason, and no members but those of the contract",
  "demo-seed": "holds the demo seed, so that the contract's examples come true",
} as const;

export type Capability = keyof typeof CAPABILITIES;

export interface TargetKind {
  can: readonly Capability[];
  /** Clauses, decisions or parts of case names that the target is known not to keep. */
  except: readonly string[];
}

export const TARGETS = {
  reference: { can: Object.keys(CAPABILITIES) as Capability[], except: [] },
  mock: { can: ["checks-key", "prefer", "exact-headers", "exact-errors"], except: [] },
  // The decisions whose text says that the live service does otherwise.
  service: {
    can: ["stateful", "listing", "idempotent", "checks-key", "checks-plan"],
    except: ["D-03", "D-17", "D-24", "D-28", "D-39", "D-40", "D-48", "D-51", "D-53", "D-59", "D-62", "D-66"],
  },
} as const satisfies Record<string, TargetKind>;

export interface Target extends TargetKind {
  /** Base URL; a path prefix is allowed. */
  url: URL;
  apiKey: string;
  /** Where the target has our control plane: the suite makes environments of its own, and the keys above are not used. */
  control?: { key?: string | undefined } | undefined;
  /** Opens another environment. */
  otherApiKey?: string | undefined;
  /** Two subscribers that exist. Their preferences are changed and put back. */
  subscriber: string;
  otherSubscriber: string;
  /** Identifier of a workflow that is active and listed. */
  workflow: string;
  /** Identifiers of workflows that refuse updates, or take them without listing them. */
  criticalWorkflow?: string | undefined;
  unlistedWorkflows: readonly string[];
}

/** Where the demo seed has what the laws need. */
export const DEMO_DATA = {
  subscriber: "ines-moreau",
  otherSubscriber: "tomas-novak",
  workflow: "comment-mention",
  criticalWorkflow: "password-reset",
  unlistedWorkflows: ["billing-receipt", "legacy-newsletter"],
} as const;
