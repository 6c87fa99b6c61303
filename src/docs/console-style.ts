// The console's own style, after that of all pages: one screen with a rail beside it, or above it where it is narrow; only
// lists scroll.

export const CONSOLE_STYLE = `
body { display: grid; grid-template: minmax(0, 1fr) / 15rem minmax(0, 1fr); height: 100dvh; max-width: none; padding:
  0; overflow: hidden; }
[hidden] { display: none !important; }
h2 { margin: 0; padding: 0; border: 0; font-size: 1.2rem; }

.rail { display: flex; flex-direction: column; gap: 1rem; padding: 1rem; background: var(--panel); border-right: 1px
  solid var(--line); overflow-y: auto; }
.rail h1 { font-size: 1.15rem; margin: 0; }
.rail select { width: 100%; }
.rail ul { flex-direction: column; margin: 0; gap: 0.1rem; }
.rail a { display: flex; justify-content: space-between; gap: 0.5rem; padding: 0.35rem 0.6rem; border-radius: 6px;
  text-decoration: none; }
.rail a:hover, .rail a[aria-current] { background: var(--paper); }
.rail a[aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 3px 0 var(--link); }
.rail .pages { margin-top: auto; }

main, main > section, .split > .body { display: flex; flex-direction: column; min-height: 0; min-width: 0; }
main > section { flex: 1; }
main:focus, .detail:focus { outline: none; }
.bar { padding: 0.6rem 1.5rem; border-bottom: 1px solid var(--line); }
.title { display: flex; align-items: center; gap: 0.4rem 1rem; min-height: 2.7rem; }
.title [data-state] { flex: 1; color: var(--soft); }
.body, .split { flex: 1; min-height: 0; overflow-y: auto; }
.body { padding: 0.8rem 1.5rem; position: relative; /* so that what is unseen in it does not lengthen the page */ }
.split { display: grid; grid-template: minmax(0, 1fr) / minmax(0, 1fr); overflow: hidden; }
.split > .body { padding: 0; }
.split > .body > :not(table) { margin: 0.6rem 1.5rem; flex: none; }
.split > .body > button { align-self: start; }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(24rem, 100%), 1fr)); gap: 1rem; align-content:
  start; }
.cards > div { border: 1px solid var(--line); border-radius: 10px; padding: 0 1rem 0.8rem; }
.cards h3 { margin-top: 0.8rem; }
.notice { border: 2px solid currentColor; border-radius: 6px; padding: 0.5rem 0.8rem; margin: 0.8rem 1.5rem;
  font-weight: 600; }

form { gap: 0.5rem; }
fieldset { border: 0; padding: 0; margin: 0; min-width: 0; }
legend { font-weight: 600; padding: 0; }
label .soft { font-weight: 400; font-size: 0.85rem; }
input, textarea, select { min-width: 0; }
input::placeholder, textarea::placeholder { color: var(--soft); opacity: 1; }
input:user-invalid { border-color: var(--bad); }
textarea { field-sizing: content; min-height: 2.5rem; vertical-align: top; }
select, input:not([type="checkbox"]), .bar button, .row button { min-height: 2.5rem; }
.row, .choices { display: flex; flex-wrap: wrap; gap: 0.4rem 0.8rem; align-items: end; margin: 0.4rem 0; }
.choices, .row:not(form) { align-items: center; }
.choice, .choices label { font-weight: 400; display: flex; gap: 0.35rem; align-items: center; padding: 0.3rem 0; }
.many { max-height: 9rem; overflow-y: auto; }
.row > div { flex: 0 1 13rem; min-width: 0; }
.bar .row > div { flex-basis: 10rem; }
.row > :is(p, .choices) { flex-basis: 100%; }
.fields { display: grid; gap: 0.5rem 0.8rem; grid-template-columns: repeat(auto-fill, minmax(min(12rem, 45%), 1fr));
  align-items: end; }
.fields :is(input, select, textarea), .row > div > :is(input, select), dialog textarea { width: 100%; }
:is(.choice, .choices) input { width: auto; }
[data-filter-box] { max-height: 55vh; overflow-y: auto; margin: 0; }
[data-filter-box] details { margin: 0; }
[aria-busy="true"] :is([data-list], [data-matrix], tbody) { opacity: 0.6; }

button { padding: 0.4rem 0.9rem; }
button.quiet { background: none; color: var(--link); }
button.danger { background: none; color: var(--bad); border-color: var(--bad); }
dialog button.danger { background: var(--bad); color: var(--paper); }
button:disabled { color: var(--soft); border-color: var(--line); cursor: default; }
dialog { color: inherit; background: var(--paper); border: 1px solid var(--soft); border-radius: 10px; width:
  min(38rem, calc(100vw - 2rem)); }

.plain { list-style: none; padding: 0; margin: 0.5rem 0; }
.plain > li.row { border-bottom: 1px solid var(--line); padding: 0.3rem 0; margin: 0; flex-wrap: nowrap; }
.plain > li > span:first-child { flex: 1; min-width: 0; overflow-wrap: anywhere; }
.plain time { color: var(--soft); }

/* Rows are grids, so that the browser lays out those in sight alone. */
.rows, .rows :is(thead, tbody) { display: block; }
.rows tr { display: grid; grid-template-columns: var(--columns); column-gap: 1.2rem; padding: 0.3rem 1.5rem;
  border-bottom: 1px solid var(--line); --columns: 7rem minmax(0, 3fr) minmax(0, 2fr) minmax(0, 3fr) 7.5rem; }
.log tr { --columns: 6rem minmax(0, 1fr) 11rem 8rem 6rem; }
.rows tbody tr { cursor: pointer; content-visibility: auto; contain-intrinsic-height: auto 2.2rem; }
.rows tbody tr:is(:hover, .current) { background: var(--panel); }
.rows thead { position: sticky; top: 0; z-index: 1; background: var(--paper); }
.rows:has(tbody:empty) thead { display: none; }
.rows :is(th, td) { min-width: 0; padding: 0; border: 0; overflow-wrap: anywhere; }
.rows :is(time, .number, .tag) { white-space: nowrap; }
.rows .number { text-align: right; }
.rows button { all: unset; cursor: pointer; overflow-wrap: anywhere; }
.rows button:focus-visible { outline: 3px solid var(--link); }
.log button { font: 0.875rem / 1.5 ui-monospace, monospace; }
.new, .changed { box-shadow: inset 4px 0 var(--good); }
.violation { display: block; color: var(--bad); }
.status { font-weight: 700; }
.split:has(> .detail:not([hidden])) { grid-template-columns: minmax(0, 1fr) minmax(0, 1fr);
  .rows tr { --columns: 6rem minmax(0, 1fr) minmax(0, 1fr); }
  .log tr { --columns: 4rem minmax(0, 1fr); }
  .rows :is(th, td):nth-child(n + 4), .log :is(th, td):nth-child(n + 3) { display: none; }
}
.detail { border-left: 1px solid var(--line); padding: 0.8rem 1.2rem; overflow-y: auto; }
.detail [data-close] { position: sticky; top: 0; float: right; margin-left: 1rem; background: var(--paper); }
.detail h3 { margin: 0 0 0.4rem; overflow-wrap: anywhere; }
.detail pre { max-height: 20rem; }
#feed .detail pre { max-height: none; }
.snippet { position: relative; }
.snippet button { position: absolute; top: 0.4rem; right: 0.4rem; padding: 0.1rem 0.6rem; background: var(--paper); }
.snippet pre { padding-right: 5rem; }

.now { font: 1.6rem / 1.5 ui-monospace, monospace; }

#preferences > .body { padding-top: 0; }
.matrix thead th { position: sticky; top: 0; z-index: 1; background: var(--paper); box-shadow: inset 0 -1px var(--line);
  white-space: nowrap; }
.matrix :is(th, td) { min-width: 3.6rem; padding: 0.25rem 0.5rem; vertical-align: middle; }
.matrix tbody th { min-width: 8rem; font-weight: 400; }
.matrix tbody tr:first-child th { font-weight: 600; }
input[role="switch"] { appearance: none; width: 2.6rem; height: 1.5rem; padding: 0; margin: 0; border-radius: 1rem;
  border: 2px solid var(--soft); background: var(--paper); display: inline-block; vertical-align: middle; cursor:
  pointer; position: relative; }
input[role="switch"]::before { content: ""; position: absolute; inset: 0.15rem auto 0.15rem 0.15rem; aspect-ratio: 1;
  border-radius: 50%; background: var(--soft); }
input[role="switch"]:checked { background: var(--good); border-color: var(--good); }
input[role="switch"]:checked::before { inset: 0.15rem 0.15rem 0.15rem auto; background: var(--paper); }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 60rem) {
  body { grid-template: auto minmax(0, 1fr) / minmax(0, 1fr); }
  .rail { border: 0; border-bottom: 1px solid var(--line); padding: 0.5rem 1rem 0.3rem; flex-flow: row wrap; gap: 0 0.2rem; }
  .rail > div { display: flex; gap: 0.6rem; align-items: center; flex-basis: 100%; }
  .rail h1 { position: absolute; clip-path: inset(50%); }
  .rail :is(nav, ul) { display: contents; }
  .rail a { padding: 0.35rem 0.4rem; font-size: 0.85rem; }
  .rail a[aria-current] { box-shadow: inset 0 -3px var(--link); }
  .bar, .body { padding-inline: 1rem; }
  .split:has(> .detail:not([hidden])) { grid-template-columns: minmax(0, 1fr); }
  .split:has(> .detail:not([hidden])) > .body { display: none; }
  .detail { border: 0; }
  main > section:has(.detail:not([hidden])) > .bar :is(form, details, p, button) { display: none; }
}
@media (max-width: 40rem) {
  .title { flex-wrap: wrap; }
  .title [data-state]:not(:empty) { order: 1; flex-basis: 100%; }
  .bar .row > div { flex: 1 1 8rem; }
  .rows thead { display: none; }
  .rows tbody tr { display: flex; flex-wrap: wrap; gap: 0 0.6rem; padding: 0.4rem 1rem; }
  .matrix thead { position: static; }
  .matrix tr { display: table-row; }
  .matrix :is(th, td) { display: table-cell; border-bottom: 1px solid var(--line); }
  .matrix thead th { font-size: 0.75rem; }
  .matrix thead th, .matrix tbody td { min-width: 2.3rem; padding: 0.35rem 0.15rem; }
  .matrix tbody th { min-width: 5.5rem; padding-left: 0; }
  .matrix .tags { display: none; }
  .matrix input[role="switch"] { width: 2.1rem; height: 1.25rem; }
}
`;
