// The target as the user declares it: its address, its capabilities, its data.
import { createRedactor } from "../../core/request/redactor.js";
import type { Exception } from "../exceptions.js";

/** Capabilities of a target. Cases that need one that is not declared are not applicable. */
export const CAPABILITIES = {
  stateful: "stores updates; responds with 404 for unknown subscribers and workflows",
  listing: "lists its notifications, filtered and in pages",
  idempotent: "replays the response to a repeated Idempotency-Key",
  "checks-key": "rejects unknown API keys",
  "checks-plan": "responds with 402 for dates before those that its plan keeps",
  "exact-headers": "sends only the headers of the contract, and X-Request-Id with each response",
  "cited-errors": "names the clause or decision behind each error in its ctx",
  "demo-seed": "holds the demo seed, on which the contract's examples are based",
} as const;

export type Capability = keyof typeof CAPABILITIES;

export interface TargetKind {
  can: readonly Capability[];
  /** Known differences of the target. */
  except: readonly Exception[];
}

/** Decisions that the live service does not follow, according to their own text or to public facts. */
const SERVICE_DIFFERENCES: [match: string, why: string][] = [
  ["D-03", "it ignores unknown names and stores null"],
  ["D-17", "an empty or null workflowId counts as omitted"],
  ["D-22", "a name without sluggable characters gets random text in its slug"],
  ["D-24", "hasMore is true after every full page"],
  ["D-25", "records of equal times have no order"],
  ["D-26", "it reads brackets, and no more than 20 values"],
  ["D-28", "it ignores unknown query parameters"],
  ["D-37", "it takes a repeated transactionId for a list"],
  ["D-39", "it reads more formats of time, and responds with 400 to others"],
  ["D-40", "after and before include their ends"],
  ["D-45", "401 has no WWW-Authenticate, and repeats what was sent"],
  ["D-47", "it parses the body before it checks the key"],
  ["D-48", "errors copy the members of ctx to the top, or have no ctx"],
  ["D-49", "not every violation is keyed by its location"],
  ["D-51", "a wrong method is 404"],
  ["D-53", "another media type counts as an empty update"],
  ["D-58", "an idempotency key belongs to the organisation"],
  ["D-59", "the path is not part of an idempotency key's request"],
  ["D-61", "422 is recorded too, and errors are replayed as 503"],
  ["D-62", "a key that is too long is 400"],
  ["D-68", "some errors have another media type"],
  ["nearly the contract's", "it reads paths in any case, and with a slash at the end"],
];

export const TARGETS = {
  reference: { can: Object.keys(CAPABILITIES) as Capability[], except: [] },
  // The whole contract, without what only the reference server has.
  implementation: { can: ["stateful", "listing", "idempotent", "checks-key", "checks-plan"], except: [] },
  mock: { can: ["checks-key", "exact-headers", "cited-errors"], except: [] },
  service: {
    can: ["stateful", "listing", "idempotent", "checks-key", "checks-plan"],
    except: SERVICE_DIFFERENCES.map(([match, reason]) => ({ match, reason, isImplied: true })),
  },
} as const satisfies Record<string, TargetKind>;

export interface Target extends TargetKind {
  /** Base URL; a path prefix is allowed. */
  url: URL;
  apiKey: string;
  /** Headers sent with each request, such as those of a gateway, and the limit for a whole response. */
  connection?: { headers?: Record<string, string>; timeoutMs?: number | undefined } | undefined;
  /** For a target with our control plane: the suite creates temporary environments and does not use the keys. */
  control?: { key?: string | undefined } | undefined;
  /** The key of another environment. */
  otherApiKey?: string | undefined;
  /** Two subscribers that exist. Their preferences are changed and restored. */
  subscriber: string;
  otherSubscriber: string;
  /** Identifier of a workflow that is active and listed. */
  workflow: string;
  /** Identifier of a workflow that rejects updates. */
  criticalWorkflow?: string | undefined;
  /** No update is sent. */
  isReadOnly?: boolean | undefined;
  /** Further subscribers that exist. */
  furtherSubscribers?: readonly string[] | undefined;
  /** The workflows that the result lists, in its order, with their channels. */
  listedWorkflows?: readonly { identifier: string; channels?: readonly string[] }[] | undefined;
  /** The file that describes the target, for messages. */
  configFile?: string | undefined;
  /** The options of the command line that declare it, keys as variables. */
  declaration?: string | undefined;
  /** Identifiers of workflows that accept updates and are not listed. */
  unlistedWorkflows: readonly string[];
}

/** The laws' data, in the demo seed. */
export const DEMO_DATA = {
  subscriber: "ines-moreau",
  otherSubscriber: "tomas-novak",
  workflow: "comment-mention",
  criticalWorkflow: "password-reset",
  unlistedWorkflows: ["billing-receipt", "legacy-newsletter"],
} as const;

/** RFC 7617, with the key as the password. */
export const basicOf = (key: string): string => Buffer.from(`x:${key}`).toString("base64");

/**
 * Texts that are nearly a key, which a target must not accept, each with the expression that makes it in a shell. They
 * are as secret as the key.
 */
export const NEAR_KEYS: Readonly<
  Record<string, { toText: (key: string) => string; toShell: (variable: string) => string }>
> = {
  "in other capitals": {
    toText: (key) =>
      key.replaceAll(/[A-Za-z]/g, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase())),
    toShell: (variable) => `$(printf %s "$${variable}" | tr A-Za-z a-zA-Z)`,
  },
  "without its last letter": { toText: (key) => key.slice(0, -1), toShell: (variable) => `\${${variable}%?}` },
  "without its first letter": { toText: (key) => key.slice(1), toShell: (variable) => `\${${variable}#?}` },
  "cut after eight letters": {
    toText: (key) => key.slice(0, 8),
    toShell: (variable) => `$(printf %.8s "$${variable}")`,
  },
  "with another first letter": { toText: (key) => `~${key.slice(1)}`, toShell: (variable) => `~\${${variable}#?}` },
};

/** The texts near a key that differ from it and are long enough to be secret. */
export function nearKeysOf(key: string): [title: string, text: string][] {
  const texts = Object.entries(NEAR_KEYS).map(([title, { toText }]): [string, string] => [title, toText(key)]);
  return texts.filter(([, text]) => text !== key && text.length >= MIN_SECRET_LENGTH - 1);
}

/** All configured values that may be secret. A short header, such as a language, is not. */
export function keysOf({ apiKey, otherApiKey, control, connection }: Target): string[] {
  const headers = Object.values(connection?.headers ?? {}).filter(({ length }) => length >= MIN_SECRET_LENGTH);
  const near = [apiKey, otherApiKey].flatMap((key) => nearKeysOf(key ?? "").map(([, text]) => text));
  return [apiKey, otherApiKey, control?.key, ...headers, ...near].flatMap((key) => (key ? [key, basicOf(key)] : []));
}

const MIN_SECRET_LENGTH = 8;

/**
 * Removes keys from the texts of a value, except commands: they are made without keys, and a short key may be a word in
 * them.
 */
export function redact<T>(value: T, keys: readonly string[]): T {
  const redactor = createRedactor({ placeholder: "$NC_API_KEY" });
  for (const key of keys) redactor.remember(key);
  const text = JSON.stringify(value, (name, member) =>
    typeof member === "string" && name !== "curl" ? redactor.redact(member) : member,
  );
  return JSON.parse(text) as T; // texts stay texts
}
