// One run of Prism, from its start to its end: how it is asked, and why it ended.
import { type ChildProcess, fork } from "node:child_process";
import { type IncomingHttpHeaders, type IncomingMessage, request as openRequest } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { PrismFault, PrismSettings } from "./prism-child.js";

export interface PrismRequest {
  method: string;
  /** Path and query, encoded. */
  target: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
}

export interface PrismAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface PrismProcess {
  pid: number;
  url: string;
  /** @throws an Error when the process ends, or says nothing for long. */
  ask(request: PrismRequest): Promise<PrismAnswer>;
  /** Settles once the process has ended, with the reason. */
  ended: Promise<string>;
  /** Ends the process. It holds nothing that would have to be saved. */
  end(): Promise<void>;
}

// The compiled file, also for the tests: a forked process reads no TypeScript. The path holds in `src` and in `dist`.
const CHILD_PATH = fileURLToPath(new URL("../../dist/mock/prism-child.js", import.meta.url));

const PATIENCE_MS = 10_000;
const START_PATIENCE_MS = 60_000; // a start takes a second, many on a machine that is busy

/**
 * Starts Prism on a document.
 * @throws an Error with Prism's reason when it cannot serve the document, or when the signal aborts before it is ready.
 */
export async function startPrismProcess(settings: PrismSettings, signal: AbortSignal): Promise<PrismProcess> {
  signal.throwIfAborted();
  const child = fork(CHILD_PATH, {
    env: toChildEnvironment(process.env),
    // A query of 16 kB, Node's limit for the mock itself, grows when all of it has to be percent-encoded.
    execArgv: ["--max-http-header-size=131072"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const ended = endOf(child);
  const end = async () => {
    child.kill("SIGKILL");
    await ended;
  };
  child.send(settings);
  const late = sleep(START_PATIENCE_MS, { fault: "it said nothing for a minute after its start" }, { ref: false });
  signal.addEventListener("abort", end);
  const report = await Promise.race([reportOf(child), ended.then((reason) => ({ fault: reason })), late]);
  signal.removeEventListener("abort", end);
  if ("fault" in report) {
    await end();
    throw new Error(report.fault);
  }
  return { pid: child.pid ?? 0, url: report.url, ask: (request) => ask(report.url, request), ended, end };
}

/** Without the mock's own settings, one of which is its key, and without NODE_ENV, which must change nothing. */
function toChildEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isKept = (name: string) => !name.startsWith("NC_") && name !== "NODE_ENV" && name !== "NODE_OPTIONS";
  return Object.fromEntries(Object.entries(environment).filter(([name]) => isKept(name)));
}

/** Prism says on stdout where it listens; our wrapper of it sends a message where it cannot. */
function reportOf(child: ChildProcess): Promise<{ url: string } | PrismFault> {
  return new Promise((resolve) => {
    let said = "";
    child.once("message", (fault) => resolve(fault as PrismFault));
    child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
      said = (said + chunk).slice(-10_000); // read to the end: a full pipe would hold Prism
      const url = /listening on (http:\/\/[\d.:]+)/.exec(said)?.[1];
      if (url) resolve({ url });
    });
  });
}

function endOf(child: ChildProcess): Promise<string> {
  let complaint = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    complaint = (complaint + chunk).slice(-10_000);
  });
  return new Promise((resolve) => {
    child.once("error", (error) => resolve(error.message)); // it could not be forked
    child.once("close", (code, signal) => {
      const thrown = complaint.match(/^\w*Error: .*$/m)?.[0];
      resolve(thrown ?? signal ?? `exit code ${code}`);
    });
  });
}

/** Each request has a connection of its own: one kept alive may be closed by Prism just when it is used again. */
async function ask(url: string, { method, target, headers, body }: PrismRequest): Promise<PrismAnswer> {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE_MS);
    openRequest(url + target, { method, headers, agent: false, signal })
      .once("response", resolve)
      .on("error", reject)
      .end(body);
  });
  return { status: answer.statusCode ?? 0, headers: answer.headers, text: await text(answer) };
}
