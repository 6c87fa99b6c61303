// The consumers of a contract, all started on one file.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type Contract, loadContract } from "../../../src/contract/contract.js";
import { startMock } from "../../../src/mock/mock-server.js";
import { createDocsPage } from "../../../src/pages/docs/docs-page.js";
import { startServer } from "../../../src/start-server.js";
import { startProxy } from "../../../src/tools/proxy/proxy-server.js";
import type { ReportEntry } from "../../../src/tools/proxy/reporter.js";
import { DEMO_DATA, TARGETS } from "../../../src/tools/verify/declared-target.js";
import type { Report } from "../../../src/tools/verify/report/report.js";
import { verify } from "../../../src/tools/verify/verify.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { KEY } from "./security.js";

export const SERVERS = ["serve", "mock", "proxy"] as const;
export type ServerName = (typeof SERVERS)[number];

export interface Consumers {
  contract: Contract;
  urls: Record<ServerName, string>;
  /** What the proxy has reported, complete once it is closed. */
  reported: ReportEntry[];
  proxyErrors: object[];
  /** The results of the contract tests against `serve`. */
  results(): Promise<Report["results"]>;
  docs: string;
  close(): Promise<void>;
}

export async function startConsumers(document: object): Promise<Consumers> {
  const contractPath = join(await createTemporaryFolder(afterAll), "cups.json");
  await writeFile(contractPath, JSON.stringify(document));
  const contract = await loadContract(contractPath);
  const options = { contractPath, apiKey: KEY };
  const [serve, mock] = [await startServer({ ...options, checkResponses: true }), await startMock(options)];
  const proxy = await startProxy({ contract, upstream: serve.url });
  const [reported, proxyErrors]: [ReportEntry[], object[]] = [[], []];
  proxy.events.on("entry", (entry) => reported.push(entry));
  proxy.events.on("internalError", (error) => proxyErrors.push(error));
  const target = { ...DEMO_DATA, ...TARGETS.reference, url: new URL(serve.url), apiKey: KEY, control: {} };
  return {
    contract,
    urls: { serve: serve.url, mock: mock.url, proxy: proxy.url },
    reported,
    proxyErrors,
    async results() {
      return (await verify({ contract, target, seed: 1, runs: 3 })).results;
    },
    docs: createDocsPage(contract, { address: serve.url, apiKey: KEY }).text,
    async close() {
      await proxy.close();
      await Promise.all([serve.close(), mock.close()]);
    },
  };
}
