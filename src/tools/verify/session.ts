// A run's session with the target. Checks each response against the contract before a case sees it. On a reference
// server, it creates temporary environments through the control plane and deletes them at the end: they hold the data
// that cases expect, isolate the run from other clients, and have a clock that can be moved.
import { isDeepStrictEqual } from "node:util";
import { ControlError, createControl } from "../../browser/client/control.js";
import type { Contract } from "../../contract/contract.js";
import type { Notification, Preferences } from "../../contract/contract-types.js";
import type { Operation } from "../../contract/model.js";
import { findResponse } from "../../contract/operation.js";
import type { RequestSpec } from "../../contract/request.js";
import { splitTarget } from "../../contract/target.js";
import { knownNameOf } from "../model/operations.js";
import type { Update } from "../model/preferences.js";
import { createFindViolation } from "./case-violation.js";
import type { Target } from "./declared-target.js";
import { describeNoResponse, ExpectationError, NotApplicable } from "./expectation.js";
import { NoResponseError, openTransport, TargetDownError, type Transport } from "./http-transport.js";
import {
  createTestResponse,
  operationOf,
  type TestRequest,
  type TestResponse,
  toSpec,
  UNROUTABLE,
} from "./test-request.js";

export interface SessionOptions {
  contract: Contract;
  target: Target;
  /** For random cases: the seed, and how many values each tries. */
  random: { seed: number; runs: number };
  onExchange?: ((response: TestResponse, operation: Operation | undefined) => void) | undefined;
  /** Called before each wait for the target's rate limit. */
  onWait?: ((milliseconds: number) => void) | undefined;
  /** Stops the cases: nothing more is sent for them. The reason is a text. */
  signal?: AbortSignal | undefined;
}

/** All records of the target, or its newest ones. */
export interface Snapshot {
  /** In the contract's order. */
  records: Notification[];
  /** In the target's order. */
  received: Notification[];
  /** Set if the target has more records than were read: limits queries to those later than the oldest one read. */
  base: { after?: string };
  /** The members for filters that the target sends. */
  sent: ReadonlySet<string>;
}

/** What cases leave for later ones. */
export interface Run {
  /** The first response that the target has recorded for a key. */
  recorded?: { key: string; at: number; request: Update; body: unknown };
}

type Spec = RequestSpec<Buffer>;

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

export type Session = Awaited<ReturnType<typeof openSession>>;

/**
 * Creates temporary environments if the target has a control plane. Otherwise it records changes and undoes them.
 * @throws TargetDownError if the target does not respond, or an environment cannot be created.
 */
export async function openSession(options: SessionOptions) {
  const { contract, target: declared, random, onExchange, onWait, signal } = options;
  const transport = openTransport(declared, onWait);
  await transport.send({ method: "GET", target: declared.url.pathname, headers: {} }).catch((error) => {
    if (!(error instanceof NoResponseError)) throw error; // a target may close connections for a path that it lacks
  });
  const temporary = openTemporaryEnvironments(declared);
  const [first, second] = temporary ? [await temporary.create(), await temporary.create()] : [];
  const target = first ? { ...declared, apiKey: first.apiKey, otherApiKey: second?.apiKey } : declared;
  const parts = { transport, parse: createParse() };
  const findViolation = createFindViolation(contract, target);
  const restorer = createPreferenceRestorer(target, (request) =>
    exchange(parts, { request, spec: specOf(request), operation: operationOfRequest(request) }),
  );
  const underWay = new Set<Promise<unknown>>();
  const prefix = target.url.pathname.replace(/\/$/, "");
  let isClosed = false;

  const specOf = (request: TestRequest) => toSpec(request, contract, target);
  const operationOfRequest = ({ operation }: TestRequest) =>
    operation === undefined ? undefined : operationOf(contract, operation);

  async function prepare(request: TestRequest, { method }: Spec, operation: Operation | undefined): Promise<void> {
    if (isClosed) throw new NotApplicable("the run has ended");
    if (target.isReadOnly && !SAFE_METHODS.has(method))
      throw new NotApplicable("it would send an update (--read-only)");
    await restorer.remember({ ...request, ...(operation && { operation: knownNameOf(operation) ?? operation.id }) });
    if (signal?.aborted) throw new NotApplicable(String(signal.reason));
  }

  async function send(request: TestRequest, spec: Spec): Promise<TestResponse> {
    const operation = operationOfRequest(request);
    await prepare(request, spec, operation);
    const response = await exchange(parts, { request, spec, operation }, signal);
    onExchange?.(response, operation);
    const { path } = splitTarget(response.request.target.slice(prefix.length));
    // An empty parameter makes another path.
    const atPath = operation && contract.findPath(path)?.operations.includes(operation) ? operation : undefined;
    const hasAnyForm = request.isUnroutable && UNROUTABLE.includes(response.status) && response.status !== 404;
    const violation = response.violation ?? findViolation(atPath, response);
    return { ...response, violation: hasAnyForm ? undefined : violation };
  }

  async function breakOff(request: TestRequest, afterMs: number): Promise<void> {
    const spec = specOf(request);
    await prepare(request, spec, operationOfRequest(request));
    await transport.breakOff(spec, afterMs);
  }

  function track<T>(sending: Promise<T>): Promise<T> {
    underWay.add(sending);
    return sending.finally(() => underWay.delete(sending));
  }

  return {
    contract,
    target,
    random,
    temporary,
    /** True if it went down during the run. */
    isDown: false,
    /** All notifications of each key, once they have been read. */
    snapshots: new Map<string, Promise<Snapshot>>(),
    run: {} as Run,
    toSpec: specOf,

    /** @throws ExpectationError when there is no response, NotApplicable when the run has been stopped. */
    send: (request: TestRequest, spec = specOf(request)): Promise<TestResponse> => track(send(request, spec)),

    /** Closes the connection before there is a response. */
    breakOff: (request: TestRequest, afterMs: number): Promise<void> => track(breakOff(request, afterMs)),

    /** Changes to the target that are not restored yet. */
    changes: (): string[] => temporary?.names.map((name) => `the environment ${name}`) ?? restorer.changes(),

    /** Deletes temporary environments, or restores what was changed; one sentence for each change. */
    async close(): Promise<string[]> {
      isClosed = true;
      await Promise.allSettled(underWay); // a case may fail while others of its requests are in flight
      const changed = temporary?.close() ?? restorer.restore();
      return changed.finally(transport.close);
    },
  };
}

const LONGEST_KEPT = 200_000;

/** Parses JSON; equal texts are one value, since a run gets most bodies several times. */
function createParse(): (text: string) => unknown {
  const values = new Map<string, unknown>();
  return (text) => {
    if (text.length > LONGEST_KEPT) return JSON.parse(text);
    const value = values.get(text) ?? JSON.parse(text);
    values.set(text, value);
    return value;
  };
}

/** Sends a request and reads the response, whatever it is. The signal ends a wait for the target's rate limit. */
async function exchange(
  { transport, parse }: { transport: Transport; parse: (text: string) => unknown },
  { request, spec, operation }: { request: TestRequest; spec: Spec; operation: Operation | undefined },
  signal?: AbortSignal,
): Promise<TestResponse> {
  const { isNewConnection = false } = request;
  const response = await transport.send(spec, { signal, isNewConnection }).catch((error) => {
    if (signal?.aborted) throw new NotApplicable(String(signal.reason));
    if (!(error instanceof NoResponseError)) throw error;
    throw new ExpectationError({ ...describeNoResponse(error), request: spec });
  });
  const declared = operation && findResponse(operation, response.status);
  return createTestResponse(response, spec, { declared: declared?.content.map(({ type }) => type), parse });
}

/** undefined if the target declares no control plane. */
function openTemporaryEnvironments({ url, control: declared, can }: Target) {
  if (!declared) return undefined;
  const { key: controlKey } = declared;
  const baseUrl = url.href.replace(/\/$/, "");
  const control = createControl({ baseUrl, controlKey });
  const usual = can.includes("demo-seed") ? "demo" : undefined;
  const names: string[] = [];
  /** The keys of all that were created. */
  const keys: string[] = [];

  async function create(seed = usual) {
    const { name, apiKey } = await control.createEnvironment(seed ? { seed } : {}).catch((error) => fail(url, error));
    names.push(name);
    keys.push(apiKey);
    return { apiKey, advanceClock: (milliseconds: number) => control.advanceClock(name, milliseconds) };
  }

  /** Deletes all of them; returns a sentence for each that remains. */
  async function close(): Promise<string[]> {
    const deletions = names.map((name) =>
      control.deleteEnvironment(name).then(
        () => [],
        (error) => [`The environment ${name} could not be deleted: ${error}`],
      ),
    );
    const sentences = (await Promise.all(deletions)).flat();
    names.splice(0);
    return sentences.length > 0 ? sentences : ["All cases ran in temporary environments, which were deleted."];
  }

  return { names, keys, create, close };
}

function fail({ origin }: URL, error: unknown): never {
  if (!(error instanceof ControlError)) throw error;
  const hint = error.status === 404 ? "Use --target mock for our mock" : "Use --control-key";
  const remedy = `${hint}, or --api-key for an existing environment.`;
  throw new TargetDownError(`Cannot create a temporary environment at ${origin}: ${error.message} ${remedy}`);
}

interface Remembered {
  request: TestRequest;
  reading: Promise<void>;
  /** Absent until they have been read, and for a subscriber that does not exist. */
  preferences?: Preferences | undefined;
}

/** @param send does not check the response against the contract. */
function createPreferenceRestorer(target: Target, send: (request: TestRequest) => Promise<TestResponse>) {
  const before = new Map<string, Remembered>(); // by subscriber and key
  let idempotentRequests = 0;

  /** An update that names no channel changes nothing (D-04). */
  async function readPreferences(request: TestRequest): Promise<Preferences | undefined> {
    const { status, body } = await send({ ...request, body: { channels: {} } });
    return status === 200 ? (body as Preferences) : undefined;
  }

  /** A global update resets all workflow values (D-15), so those that differ from it are set again. */
  async function write(request: TestRequest, { global, workflows }: Preferences): Promise<void> {
    await send({ ...request, body: { channels: global.channels } });
    const globally: Record<string, boolean> = global.channels;
    for (const { workflow, channels } of workflows) {
      const differing = Object.fromEntries(
        Object.entries(channels).filter(([name, value]) => value !== globally[name]),
      );
      if (Object.keys(differing).length === 0) continue;
      await send({ ...request, body: { channels: differing, workflowId: workflow.identifier } });
    }
  }

  return {
    /** To be called before a request is sent. */
    async remember({ operation, url, path = {}, headers = {}, body }: TestRequest): Promise<void> {
      if (operation !== "updatePreferences" || url || !target.can.includes("stateful")) return;
      if (headers["idempotency-key"]) idempotentRequests++;
      const { workflowId: _workflow, ...update } = (body ?? {}) as Partial<Update>;
      if (isDeepStrictEqual(update, { channels: {} })) return; // changes nothing (D-04)
      const { authorization } = headers;
      // Another key changes nothing.
      if (authorization !== undefined && authorization !== `ApiKey ${target.otherApiKey}`) return;
      const { subscriberId = target.subscriber } = path;
      const request = { operation, path: { subscriberId }, headers: authorization ? { authorization } : {} };
      const key = JSON.stringify(request);
      const known = before.get(key);
      if (known) return known.reading;
      const reading = readPreferences(request).then((preferences) => void Object.assign(entry, { preferences }));
      const entry: Remembered = { request, reading };
      before.set(key, entry);
      return reading;
    },

    changes: (): string[] =>
      [...before.values()].flatMap(({ request, preferences }) =>
        preferences ? `the preferences of ${request.path?.subscriberId}` : [],
      ),

    /** Restores what differs; returns a sentence for each subscriber whose preferences were changed. */
    async restore(): Promise<string[]> {
      const sentences: string[] = [];
      const restored: string[] = [];
      for (const [key, { request, preferences }] of before) {
        const subscriber = String(request.path?.subscriberId);
        try {
          if (preferences && !isDeepStrictEqual(preferences, await readPreferences(request))) {
            await write(request, preferences);
            if (!isDeepStrictEqual(preferences, await readPreferences(request))) throw new Error("they differ still");
            restored.push(subscriber);
          }
        } catch (error) {
          const reason = error instanceof ExpectationError ? error.expectation.actual : (error as Error).message;
          const were = JSON.stringify(preferences);
          sentences.push(`The preferences of ${subscriber} could not be restored (${reason}). They were ${were}`);
        }
        before.delete(key);
      }
      if (restored.length > 0)
        sentences.unshift(`The preferences of ${restored.join(", ")} were changed and restored.`);
      if (idempotentRequests > 0)
        sentences.push(`${idempotentRequests} requests had an idempotency key; recorded responses cannot be deleted.`);
      return sentences;
    },
  };
}
