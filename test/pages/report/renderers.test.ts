// One report in three formats: each shows every text, and escapes it.
import { describe, expect, test } from "vitest";
import * as b from "../../../src/pages/report/blocks.js";
import { renderHtmlReport } from "../../../src/pages/report/render-html.js";
import { renderMarkdown } from "../../../src/pages/report/render-markdown.js";
import { renderTerminal } from "../../../src/pages/report/render-terminal.js";

const HOSTILE = `<img src=x> **b** | \u001b[31m\u202e \`\`\` end`;

const CONTROL = /(?!\n)[\p{Cc}\p{Cf}]/u;

const CASES: [title: string, content: b.Content, html: string, markdown: string, terminal: string][] = [
  ["heading", b.heading(2, "A", "a b"), '<h2 id="a-b">A</h2>', "## A", "\nA\n"],
  ["paragraph", b.paragraph("a ", b.strong("b"), 1, undefined, false, ""), "<p>a <b>b</b>1</p>", "a **b**1", "a b1\n"],
  ["marked text", b.marked("a `b`"), "a <code>b</code>", "a <code>b</code>", "a b\n"],
  ["link", b.link("a", "#b", "c"), '<a href="#b" title="c">a</a>', "a", "a\n"],
  ["tag", b.tag("a", "bad"), '<span class="tag bad">a</span>', "**a**", "a\n"],
  ["list", b.list(["a", "b"]), "<ul><li>a</li><li>b</li></ul>", "- a\n- b", "  a\n  b\n"],
  [
    "table",
    b.table({ label: "t", columns: ["x", "y"] }, [["a", "b"], { id: "r", cells: ["long", "d"] }]),
    '<tr id="r"><th scope="row">long</th><td data-label="y">d</td></tr>',
    "| x | y |\n| --- | --- |\n| a | b |\n| long | d |",
    "a     b\nlong  d\n",
  ],
  [
    "pairs",
    b.pairs([["expected", b.code("1")], ["is", "2"]]), // biome-ignore format: one line
    "<div><dt>expected</dt><dd><code>1</code></dd></div>",
    "- expected: <code>1</code>\n- is: 2",
    "expected  1\nis        2\n",
  ],
  ["code", b.codeBlock("a\n b", { language: "sh" }), "<code>a\n b</code>", "```sh\na\n b\n```", "a\n b\n"],
  [
    "diff",
    b.codeBlock("  1  a\n- 2    b: <c>\n+ 2    b: <d>", { language: "diff" }),
    '<del><span>-</span><span class="soft"> 2</span><span>    </span><span>b: &lt;<mark>c</mark>&gt;</span>\n</del>',
    "```diff\n  1  a\n- 2    b: <c>\n+ 2    b: <d>\n```",
    "  1  a\n- 2    b: <c>\n+ 2    b: <d>\n",
  ],
  [
    "details",
    b.details(["a ", b.code("b")], "c", { level: 2, id: "d" }),
    '<details><summary><h2 id="d">a <code>b</code></h2></summary>c</details>',
    "<details><summary>a <code>b</code></summary>\n\nc\n\n</details>",
    "a b\n  c\n",
  ],
  [
    "details with a note and a count",
    b.details("a", "c", undefined, { note: "n", count: 2 }),
    '<details><summary><span>a<span class="note">n</span></span><span class="count">2</span></summary>c</details>',
    "<details><summary>a n (2)</summary>\n\nc\n\n</details>",
    "a n (2)\n  c\n",
  ],
  [
    "bar",
    b.bar(
      "Outcomes",
      [3, 0, 1].map((count, index) => ({ name: `n${index}`, count, tone: "good" as const })),
    ),
    '<rect class="good" x="75.00" width="25.00" height="10"/></svg><ul><li><span class="key good"></span><b>3</b> n0</li>',
    "3 n0, 1 n2",
    "3 n0, 1 n2\n",
  ],
  [
    "entry",
    b.entry({ tone: "bad", title: "a", id: "e" }, b.codeBlock("curl")),
    '<div class="entry bad" id="e"><p>a</p>',
    "- a\n\n```\ncurl\n```",
    "✗ a\ncurl\n",
  ],
  [
    "callout",
    b.callout("warn", "a", "b"),
    '<div class="verdict warn"><strong>a</strong>b</div>',
    "## ⚠️ a\n\nb",
    "a\nb\n",
  ],
];

const toHtml = (content: b.Content) => renderHtmlReport({ title: "t", heading: "h", content });

describe("renderers", () => {
  test.each(CASES)("%s", (_title, content, html, markdown, terminal) => {
    expect(toHtml(content)).toContain(html);
    expect(renderMarkdown(content)).toBe(`${markdown}\n`);
    expect(renderTerminal(content, { isColoured: false })).toBe(terminal);
  });

  test("every text is escaped", () => {
    const content = [
      b.paragraph(HOSTILE, b.code(HOSTILE), b.strong(HOSTILE), b.link(HOSTILE, "#a", HOSTILE)),
      b.table({ label: HOSTILE, columns: [HOSTILE] }, [[HOSTILE]]),
      b.pairs([[HOSTILE, HOSTILE]]),
      b.codeBlock(HOSTILE),
      b.details(HOSTILE, b.entry({ tone: "bad", title: HOSTILE, id: HOSTILE })),
    ];
    const page = toHtml(content);
    expect(page).not.toContain("<img");
    expect(page).not.toMatch(CONTROL);
    const markdown = renderMarkdown(content);
    expect(markdown.replaceAll(/````\n.*\n````/g, "")).not.toMatch(/<img|\*\*b\*\*|```/);
    expect(renderTerminal(content, { isColoured: false })).not.toMatch(CONTROL);
  });

  test("Markdown omits parts that do not fit into a comment, and says so", () => {
    const text = renderMarkdown([b.paragraph("head"), b.details("a", "ü".repeat(40_000)), b.details("b", "small")]);
    expect(Buffer.byteLength(text)).toBeLessThan(65_536);
    expect(text).toContain("head");
    expect(text).toContain("small");
    expect(text).toContain("Shortened to fit a comment");
  });

  test("the terminal is coloured on demand", () => {
    const content = b.list([["one ", b.toned("two", "good")]]);
    expect(renderTerminal(content, { isColoured: true })).toBe("  one \u001b[32mtwo\u001b[39m\n");
  });
});
