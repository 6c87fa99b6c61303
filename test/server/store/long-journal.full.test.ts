// When a journal is compacted although changes keep coming.
import { expect, test } from "vitest";
import type { Change } from "../../../src/core/domain/state.js";
import { create } from "../../support/disk-environment.js";
import { createTemporaryFolder } from "../../support/temporary-folder.js";

test("a journal is long when it exceeds 32 MiB and the file, so that the cost of a change does not grow", async () => {
  const { environment, files } = await create(await createTemporaryFolder());
  const record = (key: string) => {
    const changes: Change[] = [{ type: "responseRecorded", response: toResponse(key) }];
    return environment.transact(() => ({ result: undefined, changes }));
  };
  const isLongAfter = async (key: string) => {
    await record(key);
    return files.isJournalLong;
  };
  expect([await isLongAfter("1"), await isLongAfter("2")]).toEqual([false, true]);
  await files.compact();
  expect(files.isJournalLong).toBe(false);
  await record("3");
  await record("4");
  await files.compact(); // the file has 68 MiB now
  expect([await isLongAfter("5"), await isLongAfter("6"), await isLongAfter("7")]).toEqual([false, false, false]);
  await record("8");
  expect(await isLongAfter("9")).toBe(true);
  await files.close();
});

function toResponse(key: string) {
  const recordedAt = "2026-06-01T00:00:00.000Z";
  return { key, fingerprint: "f", recordedAt, status: 200, headers: {}, body: "x".repeat(17 * 1024 * 1024) };
}
