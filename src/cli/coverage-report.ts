// The coverage as a report.
import type { CountedItem, Coverage } from "../core/coverage/coverage.js";
import {
  type Content,
  callout,
  code,
  details,
  heading,
  marked,
  paragraph,
  table,
  toned,
} from "../pages/report/blocks.js";
import { renderHtmlReport } from "../pages/report/render-html.js";
import { renderTerminal } from "../pages/report/render-terminal.js";

/** Rounds down, so that 100 means all items. */
export function toPercent({ items }: Coverage): number {
  return Math.floor((100 * items.filter(({ count }) => count > 0).length) / Math.max(1, items.length));
}

export function toTerminal(coverage: Coverage, isColoured: boolean): string {
  return renderTerminal(toContent(coverage, false), { isColoured });
}

export function toHtml(coverage: Coverage): string {
  const title = `${toPercent(coverage)} % of the contract seen`;
  return renderHtmlReport({ title, heading: "Contract coverage", content: toContent(coverage, true) });
}

const HOW_TO =
  "`addFault` is a method of the fetch handler; with a server it is `control.addFault(environment.name, …)`. It applies to the " +
  "next request that the page sends. The other calls are the client's, on the demo seed.";

function toContent(coverage: Coverage, hasSeen: boolean): Content {
  const { items, uninspected } = coverage;
  const operations = [...new Set(items.map(({ operation }) => operation))];
  return [
    paragraph(`${toPercent(coverage)} % of the items are seen.`),
    toCounts(items),
    paragraph(marked(HOW_TO)),
    uninspected > 0 &&
      callout(
        "warn",
        `${uninspected} responses of bursts were not inspected. They may contain what is listed as never seen.`,
      ),
    ...operations.flatMap((operation) => {
      const own = items.filter((item) => item.operation === operation);
      const never = own.filter(({ count }) => count === 0);
      return [
        heading(2, operation, operation),
        toCounts(own),
        never.length > 0 &&
          table({ label: `Never seen of ${operation}`, columns: ["Never seen", "Paste"] }, never.map(toNeverSeen)),
        hasSeen && details("Seen", toSeen(operation, own)),
      ];
    }),
  ];
}

const toCounts = (items: readonly CountedItem[]) => {
  const seen = items.filter(({ count }) => count > 0).length;
  return paragraph(toned(`${seen} seen`, "good"), ", ", toned(`${items.length - seen} never seen`, "warn"));
};

const toName = ({ group, name }: CountedItem) => `${group === "state" ? "" : `${group} `}${name}`;

const toNeverSeen = (item: CountedItem) => [toName(item), code(item.recipe)];

function toSeen(operation: string, items: readonly CountedItem[]): Content {
  const rows = items.filter(({ count }) => count > 0).map((item) => [toName(item), item.count]);
  return table({ label: `Seen of ${operation}`, columns: ["Seen", "Requests"] }, rows);
}
