// A contract that is saved again and again, with requests in between: no contract before the last one stays in memory.
import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CONTRACT_PATH } from "../../../src/contract/contract-file.js";
import { withVersion } from "../../support/contract-text.js";
import { isWeekly, SIZES } from "../../support/sizes.js";
import { sendTo } from "../../support/socket-request.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";
import { type Measured, startMeasuredServer } from "./measured-server.js";

const TIMEOUT_MS = 600_000; // each save waits until the file is looked at again
const BATCH = 3;
const MEGABYTE = 2 ** 20;
const MORE_HEAP = 12 * MEGABYTE; // two contracts: the history of 1.0.0 kept each one

const LIST = { target: "/v1/notifications", headers: { authorization: "ApiKey demo-key" } };

test.runIf(isWeekly).each([
  ["server", { watch: true }],
  ["mock", {}],
] as const)(
  `%s: ${SIZES.saves} saves with requests`,
  async (kind, options) => {
    const whole = await readFile(CONTRACT_PATH, "utf8");
    const path = join(await createTemporaryFolder(), "contract.yaml");
    await writeFile(path, whole);
    const server = await startMeasuredServer(kind, { ...options, contractPath: path });
    onTestFinished(server.close);
    const readVersion = async () => (await sendTo(server.url, { target: "/health" })).body.contract.version;

    const measured: Measured[] = [];
    for (let save = 1; save <= SIZES.saves; save++) {
      const version = `1.2.${save}`;
      await writeFile(`${path}.tmp`, withVersion(whole, version));
      await rename(`${path}.tmp`, path);
      await expect.poll(readVersion, { interval: 5 }).toBe(version);
      expect(await sendTo(server.url, LIST)).toMatchObject({ status: 200 });
      expect(await sendTo(server.url, { ...LIST, target: "/v1/notifications?limit=0" })).toMatchObject({ status: 422 });
      if (save % BATCH === 0) measured.push(await server.measure());
    }
    const heaps = measured.map(({ heapUsed, external }) => heapUsed + external);
    console.info(
      `${kind}: heap in MB after each ${BATCH} saves`,
      heaps.map((bytes) => Math.round(bytes / MEGABYTE)).join(" "),
    );
    expect((heaps.at(-1) as number) - (heaps[0] as number)).toBeLessThan(MORE_HEAP);
  },
  TIMEOUT_MS,
);
