// One report in three forms: each shows every text, and none lets a text of the target mean something.
import { describe, expect, test } from "vitest";
import {
  type Content,
  callout,
  code,
  codeBlock,
  details,
  entry,
  heading,
  link,
  list,
  marked,
  pairs,
  paragraph,
  strong,
  table,
  tag,
  toned,
} from "../../../src/pages/report/blocks.js";
import { renderHtmlReport } from "../../../src/pages/report/render-html.js";
import { renderMarkdown } from "../../../src/pages/report/render-markdown.js";
import { renderTerminal } from "../../../src/pages/report/render-terminal.js";

const HOSTILE = `<img src=x> **b** | \u001b[31m\u202e \`\`\` end`;

const CONTROL = /(?!\n)[\p{Cc}\p{Cf}]/u;

const CASES: [title: string, content: Content, html: string, markdown: string, terminal: string][] = [
  ["heading", heading(2, "A", "a b"), '<h2 id="a-b">A</h2>', "## A", "\nA\n\n"],
  ["paragraph", paragraph("a ", strong("b"), 1, undefined, false, ""), "<p>a <b>b</b>1</p>", "a **b**1", "a b1\n"],
  ["marked text", marked("a `b`"), "a <code>b</code>", "a <code>b</code>", "a b\n"],
  ["link", link("a", "#b", "c"), '<a href="#b" title="c">a</a>', "a", "a\n"],
  ["tag", tag("a", "bad"), '<span class="tag bad">a</span>', "**a**", "a\n"],
  ["list", list(["a", "b"]), "<ul><li>a</li><li>b</li></ul>", "- a\n- b", "  a\n  b\n"],
  [
    "table",
    table({ label: "t", columns: ["x", "y"] }, [["a", "b"], { id: "r", cells: ["long", "d"] }]),
    '<tr id="r"><th scope="row">long</th><td>d</td></tr>',
    "| x | y |\n| --- | --- |\n| a | b |\n| long | d |",
    "a     b\nlong  d\n",
  ],
  [
    "pairs",
    pairs([["expected", code("1")], ["is", "2"]]), // biome-ignore format: one line
    "<div><dt>expected</dt><dd><code>1</code></dd></div>",
    "- expected: <code>1</code>\n- is: 2",
    "expected  1\nis        2\n",
  ],
  ["code", codeBlock("a\n b", { language: "sh" }), "<code>a\n b</code>", "```sh\na\n b\n```", "a\n b\n"],
  [
    "details",
    details(["a ", code("b")], "c", { level: 2, id: "d" }),
    '<details><summary><h2 id="d">a <code>b</code></h2></summary>c</details>',
    "<details><summary>a <code>b</code></summary>\n\nc\n\n</details>",
    "a b\n  c\n",
  ],
  [
    "entry",
    entry({ tone: "bad", title: "a", id: "e" }, codeBlock("curl")),
    '<div class="entry bad" id="e"><p>a</p>',
    "- a\n\n```\ncurl\n```",
    "✗ a\ncurl\n\n",
  ],
  [
    "callout",
    callout("warn", "a", "b"),
    '<div class="verdict warn"><strong>a</strong>b</div>',
    "## ⚠️ a\n\nb",
    "a\nb\n",
  ],
];

const toHtml = (content: Content) => renderHtmlReport({ title: "t", heading: "h", content });

describe("renderers", () => {
  test.each(CASES)("%s", (_title, content, html, markdown, terminal) => {
    expect(toHtml(content)).toContain(html);
    expect(renderMarkdown(content)).toBe(`${markdown}\n`);
    expect(renderTerminal(content, { isColoured: false })).toBe(terminal);
  });

  test("a text has no meaning, wherever it stands", () => {
    const content = [
      paragraph(HOSTILE, code(HOSTILE), strong(HOSTILE), link(HOSTILE, "#a", HOSTILE)),
      table({ label: HOSTILE, columns: [HOSTILE] }, [[HOSTILE]]),
      pairs([[HOSTILE, HOSTILE]]),
      codeBlock(HOSTILE),
      details(HOSTILE, entry({ tone: "bad", title: HOSTILE, id: HOSTILE })),
    ];
    const page = toHtml(content);
    expect(page).not.toContain("<img");
    expect(page).not.toMatch(CONTROL);
    const markdown = renderMarkdown(content);
    expect(markdown.replaceAll(/````\n.*\n````/g, "")).not.toMatch(/<img|\*\*b\*\*|```/);
    expect(renderTerminal(content, { isColoured: false })).not.toMatch(CONTROL);
  });

  test("Markdown leaves out what does not fit a comment, and says so", () => {
    const text = renderMarkdown([paragraph("head"), details("a", "ü".repeat(40_000)), details("b", "small")]);
    expect(Buffer.byteLength(text)).toBeLessThan(65_536);
    expect(text).toContain("head");
    expect(text).toContain("small");
    expect(text).toContain("Shortened to fit a comment");
  });

  test("the terminal is coloured on demand", () => {
    const content = list([["one ", toned("two", "good")]]);
    expect(renderTerminal(content, { isColoured: true })).toBe("  one \u001b[32mtwo\u001b[39m\n");
  });
});
