// The style of all pages: light and dark, wide and narrow, on screen and paper. It loads no fonts and no images.

export const STYLE = `
:root { color-scheme: light dark; --ink: #1b1f24; --soft: #57606a; --paper: #ffffff; --panel: #f4f6f8; --line: #d0d7de;
  --link: #0b57d0; --good: #116329; --bad: #b3261e; --warn: #7d4e00; --code: #eef1f4; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6edf3; --soft: #a5b0bb; --paper: #11161c; --panel: #1a2129;
  --line: #3a444f; --link: #8ab4f8; --good: #7ee2a0; --bad: #ff9d94; --warn: #f0c36b; --code: #222b35; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0 auto; max-width: 72rem; padding: 1rem clamp(1rem, 4vw, 3rem) 4rem; color: var(--ink);
  background: var(--paper); font: 1rem/1.55 system-ui, sans-serif; overflow-wrap: break-word; }
h1 { font-size: 1.7rem; line-height: 1.2; margin: 1rem 0 .5rem; }
h2 { font-size: 1.35rem; margin: 2.5rem 0 .5rem; padding-top: .6rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.1rem; margin: 1.6rem 0 .4rem; }
h4, h5 { font-size: 1rem; margin: 1.2rem 0 .3rem; }
p { margin: .4rem 0; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, button:focus-visible, input:focus-visible, textarea:focus-visible,
select:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--paper); padding: .5rem; }
nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; padding: 0; list-style: none; }
code, pre, textarea, .mono { font: .875rem/1.5 ui-monospace, monospace; }
code { background: var(--code); padding: .1em .3em; border-radius: 4px; overflow-wrap: anywhere; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .8rem; overflow-x: auto;
  max-height: 30rem; margin: .5rem 0; }
pre code { background: none; padding: 0; overflow-wrap: normal; }
.scroll { overflow-x: auto; margin: .5rem 0; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
caption { text-align: left; color: var(--soft); padding: .2rem 0; }
th, td { text-align: left; vertical-align: top; padding: .4rem .6rem; border-bottom: 1px solid var(--line); min-width: 6rem; }
table.even { table-layout: fixed; min-width: 74rem; } table.even th:first-child { width: 20rem; } table.even td { overflow-wrap: anywhere; }
td p { margin: 0 0 .2rem; }
th code { white-space: nowrap; }
details { border: 1px solid var(--line); border-radius: 6px; padding: .4rem .8rem; margin: .6rem 0; }
summary { cursor: pointer; font-weight: 600; }
summary > :is(h2, h3, h4) { display: inline; font-size: 1rem; margin: 0; padding: 0; border: 0; }
:target { scroll-margin-top: 1rem; } tr:target > * { background: var(--panel); }
.side { background: var(--paper); position: sticky; top: 0; z-index: 1; padding: .5rem; margin: 0 -.5rem; }
.side h2 { font-size: .95rem; margin: 1rem 0 .2rem; padding: 0; border: 0; }
.side ul { display: block; margin: 0; } .side a { text-decoration: none; } .side a:hover { text-decoration: underline; } .side li { overflow-wrap: anywhere; font-size: .93rem; }
.side input { width: 100%; } .side section { display: none; }
.side:focus-within section:not([hidden]) { display: block; } .side:focus-within { max-height: 70vh; overflow-y: auto; }
@media (min-width: 64rem) {
  body:has(> .side) { display: grid; grid-template: auto 1fr / 16rem minmax(0, 1fr); column-gap: 3rem; max-width: 86rem; }
  body:has(> .side) > :is(header, main) { grid-column: 2; }
  .side, .side:focus-within { grid-column: 1; grid-row: 1 / span 2; align-self: start; height: 100vh; max-height: none; overflow-y: auto; }
  .side section:not([hidden]) { display: block; }
}
@media (max-width: 40rem) {
  pre { white-space: pre-wrap; } pre code { overflow-wrap: anywhere; }
  thead { position: absolute; left: -999rem; } tr { display: block; border-bottom: 1px solid var(--line); padding: .4rem 0; }
  th code { white-space: normal; } table.even { min-width: 0; } table.even th:first-child { width: auto; } th, td { display: block; border: 0; padding: .1rem 0; min-width: 0; }
}
.soft { color: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); } .warn { color: var(--warn); }
.tag { display: inline-block; border: 1px solid currentColor; border-radius: 99px; padding: 0 .55rem; font-size: .8rem;
  font-weight: 600; }
.verdict { border: 2px solid currentColor; border-radius: 10px; padding: .8rem 1.2rem; margin: 1rem 0; }
.verdict strong { font-size: 1.4rem; }
.verdict p { color: var(--ink); }
.change { border-left: 4px solid var(--line); padding: .1rem 0 .1rem 1rem; margin: 1rem 0; }
.change.breaking { border-color: var(--bad); } .change.compatible { border-color: var(--good); }
ins { text-decoration: none; color: var(--good); } del { text-decoration: none; color: var(--bad); }
form { display: grid; gap: .7rem; grid-template-columns: minmax(0, 1fr); }
label { font-weight: 600; display: block; }
input, textarea, select, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--soft);
  border-radius: 6px; padding: .4rem .6rem; max-width: 100%; }
input, textarea { width: min(40rem, 100%); }
button { background: var(--link); color: var(--paper); border-color: var(--link); font-weight: 600; cursor: pointer;
  width: max-content; padding: .5rem 1.4rem; }
@media print { body { max-width: none; font-size: 10pt; } nav, form, .skip, .try { display: none; }
  pre { max-height: none; white-space: pre-wrap; } details::details-content { content-visibility: visible; block-size: auto; } details, .change, tr { break-inside: avoid-page; } a { color: inherit; } }
`;
