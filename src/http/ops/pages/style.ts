/** The one style of the operators' pages. It loads nothing, follows the system's colours, and fits a phone. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d0d5dd, #3b4252); --soft: light-dark(#f4f5f7, #232831);
  --ink: light-dark(#1a1d24, #e8eaee); --dim: light-dark(#565d6b, #aab1bf); --page: light-dark(#fff, #171a20);
  --link: light-dark(#0b57b0, #8ab8ff); --bad: light-dark(#a11212, #ff9d94); --good: light-dark(#14662f, #7fd79b); }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
header, main { padding: 0.75rem 1rem; max-width: 75rem; margin: 0 auto; }
header { display: flex; flex-wrap: wrap; gap: 0.5rem 1rem; align-items: center; border-bottom: 1px solid var(--line); }
header nav { display: flex; flex-wrap: wrap; gap: 0.25rem 0.75rem; }
header search { flex: 1 1 16rem; }
header form { display: flex; gap: 0.5rem; }
header input { flex: 1; min-width: 0; }
a { color: var(--link); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible, summary:focus-visible, .wide:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -100rem; }
.skip:focus { left: 1rem; }
h1 { font-size: 1.4rem; margin: 0.75rem 0; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0.5rem; }
.wide { overflow-x: auto; }
fieldset { border: 1px solid var(--line); border-radius: 0.3rem; min-width: 0; }
input[type="file"] { max-width: 100%; min-width: 0; width: 100%; }
table { border-collapse: collapse; width: 100%; font-size: 0.925rem; }
th, td { text-align: left; vertical-align: top; padding: 0.35rem 0.6rem; border-bottom: 1px solid var(--line); }
td p { margin: 0; min-width: 16rem; }
th { color: var(--dim); font-weight: 600; white-space: nowrap; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: 0.3rem 1rem; margin: 0; }
dt { color: var(--dim); }
dd { margin: 0; overflow-wrap: anywhere; min-width: 0; }
dd pre { margin: 0; white-space: pre-wrap; font-size: 0.85rem; }
input, select, button { font: inherit; padding: 0.4rem 0.6rem; border: 1px solid var(--line); border-radius: 0.3rem;
  background: var(--page); color: var(--ink); }
input:not([type="checkbox"], [type="radio"]), select { width: 100%; max-width: 32rem; }
button { background: var(--soft); cursor: pointer; }
details { border: 1px solid var(--line); border-radius: 0.3rem; margin: 0.5rem 0; }
summary { padding: 0.5rem 0.75rem; cursor: pointer; }
details form, form.alone { padding: 0.25rem 0.75rem 0.75rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.6rem; }
form > *, label > * { min-width: 0; max-width: 100%; }
label { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.15rem; }
label.check { display: flex; gap: 0.5rem; align-items: start; }
label.check input { flex: none; margin-top: 0.35rem; }
.hint { color: var(--dim); font-size: 0.875rem; }
.bad { color: var(--bad); font-weight: 600; }
.good { color: var(--good); font-weight: 600; }
.more { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 1rem 0; }
ol.story { list-style: none; margin: 0; padding: 0; border-left: 3px solid var(--line); }
ol.story li { padding: 0.3rem 0 0.7rem 1rem; overflow-wrap: anywhere; }
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(13rem, 1fr)); gap: 0.75rem; padding: 0; list-style: none; }
.tiles li { border: 1px solid var(--line); border-radius: 0.3rem; padding: 0.6rem 0.8rem; background: var(--soft); }
.tiles strong { font-size: 1.5rem; display: block; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); gap: 1rem; }
figure { margin: 0; border: 1px solid var(--line); border-radius: 0.3rem; padding: 0.6rem 0.8rem; }
svg { display: block; width: 100%; height: auto; margin-top: 0.4rem; }
svg line { stroke: var(--line); }
svg .usual { fill: var(--link); } svg .good { fill: var(--good); } svg .dim { fill: var(--dim); } svg .bad { fill: var(--bad); }
.scale { display: flex; justify-content: space-between; margin: 0.2rem 0 0; }
.calls { columns: 13rem; list-style: none; padding: 0; margin: 0; }
.calls li { padding: 0.15rem 0; }
@media (max-width: 40rem) { dl { grid-template-columns: 1fr; } dd { margin-bottom: 0.4rem; } }
`;
