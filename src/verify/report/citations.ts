// What the cases of a run rest on: links to it, and the table that they lead to.
import { type Content, details, link, marked, table, toned } from "../../report/blocks.js";
import { citationsOf, type Report, toCitation } from "../report.js";

/** What the cases rest on, with their number: what has failures first, the rest folded. */
export function toClauses({ results, citations }: Report): Content {
  const columns = ["Rests on", "What it settles", "Cases"];
  const all = Object.entries(citations).map(([citation, title]) => {
    const cases = results.filter((result) => citationsOf(result).includes(citation));
    return { citation, title, cases: cases.length, failures: cases.filter(({ failure }) => failure).length };
  });
  const toTable = (rows: typeof all) =>
    table(
      { label: "Clauses and decisions", columns },
      rows.map(({ citation, title, cases, failures }) => ({
        id: `cited ${citation}`,
        cells: [
          citation,
          marked(title),
          failures > 0 ? toned(`${failures} of ${cases} failed`, "bad") : `${cases} ${cases === 1 ? "case" : "cases"}`,
        ],
      })),
    );
  const failed = all.filter(({ failures }) => failures > 0).toSorted((a, b) => b.failures - a.failures);
  const others = all.filter(({ failures }) => failures === 0);
  return [
    failed.length > 0 && toTable(failed),
    others.length > 0 && details(`${others.length} without a failure`, toTable(others)),
  ];
}

/** Links to what each clause or decision says, which they say themselves on demand. */
export function toCites(cites: readonly string[], { citations }: Report): Content {
  return cites.map((cite, index) => {
    const citation = toCitation(cite);
    return [index > 0 && ", ", link(cite, `#cited ${citation}`, citations[citation])];
  });
}
