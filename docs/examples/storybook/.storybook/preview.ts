import type { FetchHandlerOptions } from "notifications-contract/fetch";
import { startPreview } from "notifications-contract/preview";
import demo from "notifications-contract/seeds/demo";
import empty from "notifications-contract/seeds/empty";

const NOW = "2026-11-02T09:00:00Z";

export default {
  loaders: [
    async ({ parameters }: { parameters: Pick<FetchHandlerOptions, "faults"> & { isEmpty?: boolean } }) => {
      const workerUrl = new URL("mockServiceWorker.js", document.baseURI).href;
      const seed = parameters.isEmpty ? empty : demo;
      const { reset, clearFaults, addFault } = await startPreview({ seed, now: NOW, workerUrl });
      await reset();
      await clearFaults();
      for (const fault of parameters.faults ?? []) await addFault(fault);
    },
  ],
};
