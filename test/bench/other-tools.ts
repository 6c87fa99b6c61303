// Tools that do something near to what the reference server does. They are no dependencies: --install puts them into the
// cache folder, and without them the bench says so.
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runToEnd } from "../support/command.js";
import { type Program, startProgramOnPort } from "./program.js";
import { CACHE_FOLDER } from "./seeds.js";
import type { RecordedAnswers } from "./servers/recorded-answers.js";
import { AUTHORIZATION, MAIN_LIST, type Workload } from "./workload.js";

export interface OtherTool {
  name: string;
  /** What it does in place of our operations. */
  note: string;
  /** Its program, within `node_modules`. */
  program: string;
  /** Writes what the tool needs into `folder`: the arguments of its program on a port, and the requests for it. */
  prepare(folder: string, given: Given): Promise<{ toArgs: (port: number) => string[]; workload: Workload }>;
}

/** The smallest seed, and the requests and answers of the reference server. */
export interface Given {
  seedPath: string;
  workload: Workload;
  answers: RecordedAnswers;
}

const TOOLS_FOLDER = join(CACHE_FOLDER, "tools");
const PACKAGES = ["json-server@1.0.0-beta.15", "@mockoon/cli@9.9.0"];

export const OTHER_TOOLS: readonly OtherTool[] = [
  {
    name: "json-server",
    note: "the smallest seed; lists by one template, merges an update into the subscriber and writes its file later",
    program: "json-server/lib/bin.js",
    prepare: prepareJsonServer,
  },
  {
    name: "Mockoon",
    note: "the same bytes; checks and stores nothing",
    program: "@mockoon/cli/bin/run.js",
    prepare: prepareMockoon,
  },
];

export function isInstalled({ program }: OtherTool): boolean {
  return existsSync(join(TOOLS_FOLDER, "node_modules", program));
}

/** Without the packages' own scripts. */
export async function installOtherTools(): Promise<void> {
  await mkdir(TOOLS_FOLDER, { recursive: true });
  await writeFile(join(TOOLS_FOLDER, "package.json"), '{ "private": true }\n');
  const args = ["install", "--ignore-scripts", "--no-audit", "--no-fund", ...PACKAGES];
  const { code, output } = await runToEnd("npm", args, { cwd: TOOLS_FOLDER });
  if (code !== 0) throw new Error(`npm ${args.join(" ")} ended with ${code}:\n${output.trim()}`);
}

export async function startOtherTool(
  { program, prepare }: OtherTool,
  folder: string,
  given: Given,
): Promise<{ server: Program; workload: Workload }> {
  const { toArgs, workload } = await prepare(folder, given);
  const path = join(TOOLS_FOLDER, "node_modules", program);
  return { server: await startProgramOnPort((port) => [path, ...toArgs(port)]), workload };
}

async function prepareJsonServer(folder: string, { seedPath, workload }: Given) {
  const { notifications, subscribers } = JSON.parse(await readFile(seedPath, "utf8")) as SeedPart;
  const ids = subscribers.map(({ subscriberId }) => subscriberId).filter((id) => /^[\w-]+$/.test(id));
  const file = join(folder, "json-server.json");
  const database = {
    notifications: notifications.map(({ _id, ...notification }) => ({ id: _id, ...notification })),
    subscribers: ids.map((id) => ({ id, channels: {} })),
  };
  await writeFile(file, JSON.stringify(database));
  const path = `/notifications?_templateId=${notifications[0]?._templateId}&_page=1&_per_page=10`;
  const list = { method: "GET", path, headers: AUTHORIZATION } as const;
  const updates = workload.updates.map((update, index) => ({
    ...update,
    path: `/subscribers/${ids[index % ids.length]}`,
  }));
  return {
    toArgs: (port: number) => ["--port", String(port), file],
    workload: { lists: new Map([[MAIN_LIST, [list]]]), updates },
  };
}

/** A seed as far as json-server needs it. */
interface SeedPart {
  notifications: { _id: string; _templateId: string }[];
  subscribers: { subscriberId: string }[];
}

async function prepareMockoon(folder: string, { workload, answers }: Given) {
  const routes = [
    toRoute("1", "get", "v1/notifications", answers.pages[workload.lists.get(MAIN_LIST)?.[0]?.path ?? ""]),
    toRoute("2", "patch", "v2/subscribers/:subscriberId/preferences", answers.preferences),
  ];
  const rootChildren = routes.map(({ uuid }) => ({ type: "route", uuid }));
  const file = join(folder, "mockoon.json");
  await writeFile(file, JSON.stringify({ uuid: "bench", name: "bench", port: 0, routes, rootChildren }));
  return {
    toArgs: (port: number) => [
      ...["start", "--data", file, "--port", String(port), "--hostname", "127.0.0.1"],
      ...["--repair", "--disable-log-to-file", "--disable-admin-api"],
    ],
    workload,
  };
}

function toRoute(uuid: string, method: string, endpoint: string, answer: unknown) {
  const headers = [{ key: "Content-Type", value: "application/json; charset=utf-8" }];
  const body = JSON.stringify(answer);
  const response = { uuid: `${uuid}-answer`, statusCode: 200, headers, body, disableTemplating: true, default: true };
  return { uuid, type: "http", method, endpoint, responses: [response] };
}
