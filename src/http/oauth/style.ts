/** The style of the sign-in's pages. It loads nothing, follows the system's colours, and fits a phone. */
export const STYLE = `
:root { color-scheme: light dark; --line: light-dark(#d0d5dd, #3b4252); --soft: light-dark(#f4f5f7, #232831);
  --ink: light-dark(#1a1d24, #e8eaee); --dim: light-dark(#565d6b, #aab1bf); --page: light-dark(#fff, #171a20);
  --link: light-dark(#0b57b0, #8ab8ff); --bad: light-dark(#a11212, #ff9d94); --good: light-dark(#14662f, #7fd79b); }
* { box-sizing: border-box; }
body { margin: 0; font: 1rem/1.5 system-ui, sans-serif; color: var(--ink); background: var(--page); }
main { padding: 0.75rem 1rem; max-width: 75rem; margin: 0 auto; }
a { color: var(--link); }
a:focus-visible, button:focus-visible, input:focus-visible, select:focus-visible {
  outline: 3px solid var(--link); outline-offset: 2px; }
h1 { font-size: 1.4rem; margin: 0.75rem 0; }
h2 { font-size: 1.1rem; margin: 1.5rem 0 0.5rem; }
fieldset { border: 1px solid var(--line); border-radius: 0.3rem; min-width: 0; }
input, select, button { font: inherit; padding: 0.4rem 0.6rem; border: 1px solid var(--line); border-radius: 0.3rem;
  background: var(--page); color: var(--ink); }
input:not([type="checkbox"], [type="radio"]), select { width: 100%; max-width: 32rem; }
button { background: var(--soft); cursor: pointer; }
form.alone { padding: 0.25rem 0.75rem 0.75rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.6rem; }
form > *, label > * { min-width: 0; max-width: 100%; }
label { display: grid; grid-template-columns: minmax(0, 1fr); gap: 0.15rem; }
label.check { display: flex; gap: 0.5rem; align-items: start; }
label.check input { flex: none; margin-top: 0.35rem; }
.hint { color: var(--dim); font-size: 0.875rem; }
.bad { color: var(--bad); font-weight: 600; }
.good { color: var(--good); font-weight: 600; }
.more { display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; margin: 1rem 0; }
`;
