/** The style of all sandbox pages: light or dark by system setting, and a card for each table row on a phone. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --background: light-dark(#fff, #15181d);
  --text: light-dark(#1c2430, #e3e7ed);
  --line: light-dark(#dfe4ea, #303742);
  --soft: light-dark(#f4f6f9, #1e232b);
  --quiet: light-dark(#4d5968, #a3aebd);
  --accent: light-dark(#2451d6, #8ab0ff);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 4rem; }
body { margin: 0; background: var(--background); color: var(--text); font: 1rem/1.5 system-ui, sans-serif; }
main { margin: 0 auto; padding: 1.5rem 1rem 4rem; }
main.wide { max-width: 90rem; }
main.narrow { max-width: 28rem; }
main.customer { max-width: 60rem; min-height: 100dvh; display: grid; align-items: center; padding: 0; }
.checkout { display: grid; }
.checkout section { padding: 2rem 1.5rem; }
.checkout .order { background: var(--soft); }
.checkout .shop { font-weight: 600; margin: 0; }
.checkout .sum { font-size: 2rem; font-weight: 650; margin: 0.25rem 0 1rem; }
.checkout .sum small { font-size: 1rem; font-weight: 400; color: var(--quiet); }
.checkout .pay h1 { margin-bottom: 1rem; }
.checkout form { display: grid; gap: 0.9rem; margin-bottom: 1rem; }
.checkout form.code { grid-template-columns: 1fr auto; align-items: end; }
.checkout form.code .bad { grid-column: 1 / -1; margin: 0; }
.checkout label { display: grid; gap: 0.25rem; font-size: 0.9rem; }
.checkout button.main { padding: 0.85rem; font-weight: 600; }
.checkout .buttons button { font-size: 0.85rem; color: var(--quiet); }
@media (min-width: 48rem) { .checkout { grid-template-columns: 1fr 1fr; min-height: 70dvh; border: 1px solid var(--line); border-radius: 0.75rem; overflow: hidden; } .checkout section { padding: 3rem 2.5rem; } }
.outcome { text-align: center; padding-top: 12dvh; }
.mark { display: inline-grid; place-items: center; width: 4rem; height: 4rem; margin: 0 0 1rem; border-radius: 50%; font-size: 1.75rem; background: var(--soft); }
.mark.succeeded { background: light-dark(#15803d, #14532d); color: #fff; }
.mark.failed { background: light-dark(#c81e1e, #7f1d1d); color: #fff; }
a.main { display: inline-block; padding: 0.6rem 1.25rem; border-radius: 0.4rem; background: #2451d6; color: #fff; text-decoration: none; }
article { border: 1px solid var(--line); border-radius: 0.6rem; padding: 0.9rem 1rem; margin-bottom: 0.9rem; min-width: 0; }
article > header { display: flex; flex-wrap: wrap; gap: 0.35rem 0.75rem; align-items: baseline; margin-bottom: 0.6rem; }
article > header .note { margin: 0 0 0 auto; }
article h3 { font-size: 1rem; margin: 0; }
article details { margin-top: 0.6rem; }
.tag, .status { font-size: 0.8rem; padding: 0.05rem 0.5rem; border: 1px solid var(--line); border-radius: 1rem; background: var(--soft); }
.steps { list-style: none; margin: 0.75rem 0 0; padding: 0 0 0 0.9rem; border-left: 2px solid var(--line); display: grid; gap: 0.4rem; }
.steps li { display: flex; flex-wrap: wrap; gap: 0.3rem 0.6rem; align-items: baseline; }
.steps .note { margin: 0; }
.steps button, article > .buttons button { padding: 0.15rem 0.6rem; }
.filter label { display: flex; gap: 0.4rem; align-items: center; }
a { color: var(--accent); }
h1 { font-size: 1.5rem; margin: 0 0 0.25rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 0.5rem; }
h2 small, nav small { font-weight: 400; color: var(--quiet); }
.note { color: var(--quiet); margin: 0 0 1rem; }
nav { display: flex; gap: 0.25rem; overflow-x: auto; position: sticky; top: 0; z-index: 1; padding: 0.5rem 0; background: var(--background); border-bottom: 1px solid var(--line); }
nav a { white-space: nowrap; padding: 0.3rem 0.6rem; border-radius: 0.4rem; color: inherit; text-decoration: none; }
nav a:hover { background: var(--soft); }
.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 0.5rem; }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: top; padding: 0.45rem 0.7rem; border-bottom: 1px solid var(--line); }
th { white-space: nowrap; font-weight: 600; }
tbody:last-child > tr:last-child > td, tr:has(+ .more) > td { border-bottom: 0; }
tr:has(+ .more) > td { padding-bottom: 0; }
.more details[open] { padding-bottom: 0.5rem; }
code { font: 0.85em ui-monospace, monospace; overflow-wrap: anywhere; white-space: pre-wrap; }
pre { margin: 0.5rem 0; padding: 0.75rem; max-width: 60rem; max-height: 24rem; overflow: auto; border-radius: 0.4rem; background: var(--soft); font: 0.85em/1.45 ui-monospace, monospace; }
form { display: inline; }
button, select, input { font: inherit; padding: 0.5rem 0.75rem; border: 1px solid var(--line); border-radius: 0.4rem; background: var(--background); color: inherit; }
button { cursor: pointer; background: var(--soft); }
button:hover { border-color: var(--accent); }
form[data-acting] button { opacity: 0.5; cursor: progress; }
button.main { background: #2451d6; border-color: #2451d6; color: #fff; }
.buttons { display: flex; flex-wrap: wrap; gap: 0.35rem; align-items: center; }
td button { padding: 0.15rem 0.55rem; }
.row > * { min-width: 0; max-width: 100%; }
.row { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: center; margin-top: 0.75rem; }
.good { color: light-dark(#15803d, #4ade80); }
.bad { color: light-dark(#c81e1e, #f87171); }
.said { border: 1px solid var(--line); border-left: 4px solid light-dark(#c81e1e, #f87171); border-radius: 0.4rem; padding: 0.6rem 0.9rem; margin: 1rem 0; }
.said ul { margin: 0.25rem 0; }
.stack { display: grid; gap: 0.75rem; }
.stack label { display: grid; gap: 0.25rem; }
.stack form { display: grid; gap: 0.75rem; }
.line { display: flex; justify-content: space-between; gap: 1rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
.total { font-weight: 600; border-bottom: 0; }
@media (max-width: 48rem) {
  .scroll { border: 0; }
  thead { display: none; }
  table, tbody, tr, td { display: block; }
  tbody { border: 1px solid var(--line); border-radius: 0.5rem; margin-bottom: 0.75rem; padding: 0.4rem 0; }
  tbody .more > td { display: block; padding-top: 0.4rem; }
  tbody tr:not(.more) > td { display: grid; grid-template-columns: 8rem minmax(0, 1fr); gap: 0.5rem; border: 0; padding: 0.2rem 0.75rem; }
  td { overflow-wrap: anywhere; }
  td[data-head]::before { content: attr(data-head); color: var(--quiet); }
  td[data-head=""] { grid-template-columns: minmax(0, 1fr); min-width: 0; padding-top: 0.4rem; }
  td[data-head=""]::before { content: none; }
  td:empty { display: none; }
  td button { padding: 0.4rem 0.8rem; }
}
`;
