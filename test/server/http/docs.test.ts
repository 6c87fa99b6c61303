// The pages of proposals: the console offers their operations, docs and home page show what is mocked.
import { describe, expect, test } from "vitest";
import { createConsolePage } from "../../../src/pages/shell/console-page.js";
import { createDocsPage } from "../../../src/pages/shell/docs-page.js";
import { createHomePage } from "../../../src/pages/shell/home-page.js";
import { PROPOSALS, toProposal } from "../proposals/proposals.js";

const address = "http://127.0.0.1:4010";

describe("the pages of a proposal", () => {
  test.each(PROPOSALS.filter(({ status }) => status).map((proposal) => [proposal.title, proposal] as const))(
    "%s",
    (_title, proposal) => {
      const contract = toProposal(proposal);
      const mocked = proposal.status?.mocked ?? [];
      const { text } = createDocsPage(contract, { mocked, address, apiKey: "k" });
      expect(text.match(/<span class="tag warn">mocked/g)?.length ?? 0).toBe(mocked.length);
      for (const { path } of contract.operations) expect(text).toContain(`<code>${path}</code>`);
      const ids = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(ids, "ids are unique").toEqual([...new Set(ids)]);
      const links = [...text.matchAll(/ href="#([^"]+)"/g)].map(([, id]) => id);
      const broken = links.filter((id) => !ids.includes(id) && id !== "main");
      expect(broken, "links lead somewhere").toEqual([]);
      const { title, version } = contract.document.info;
      const shared = { title, version, address, hasConsole: true, shownKey: "k", subscribers: [] };
      const { text: console } = createConsolePage(contract);
      for (const { id } of contract.operations) expect(console).toContain(`<option>${id}</option>`);
      const home = createHomePage({ ...shared, status: proposal.status });
      for (const place of Object.values(proposal.status ?? {}).flat()) {
        if (!proposal.status?.implemented?.includes(place)) expect(home.text).toContain(place);
      }
    },
  );
});
