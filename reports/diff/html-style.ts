/** How the report in HTML looks, and the few lines of script that it can be read without. */

/** The style sheet: light and dark, narrow and wide, on screen and on paper. */
export const style = `
:root {
  color-scheme: light dark;
  --text: #1b1f24; --faint: #57606a; --page: #ffffff; --panel: #f6f8fa; --line: #d0d7de; --link: #0550ae;
  --breaking: #b3201f; --risky: #7d4e00; --compatible: #116329; --documentation: #57606a;
  --removed: #ffebe9; --removed-part: #ffc1bc; --added: #e6ffec; --added-part: #abf2bc;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6edf3; --faint: #9aa4ae; --page: #0d1117; --panel: #161b22; --line: #3d444d; --link: #79b8ff;
    --breaking: #ff8f86; --risky: #e3b341; --compatible: #6fdd8b; --documentation: #9aa4ae;
    --removed: #3c1618; --removed-part: #8e2a2b; --added: #12301c; --added-part: #1f6f38;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 84rem; padding: 1rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
a { color: var(--link); }
h1 { font-size: 1.5rem; }
h2 { font-size: 1.3rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.1rem; }
h4, h5, p, figure, dl { margin: 0.4rem 0; font-size: 1rem; }
code, pre { font: 0.875rem/1.45 ui-monospace, monospace; }
.skip { position: absolute; left: -100vw; }
.skip:focus { position: static; }
.faint { color: var(--faint); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; padding: 0; list-style: none; }
fieldset { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; border: 1px solid var(--line); }
[hidden] { display: none; }
summary { cursor: pointer; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
article { margin: 1rem 0; padding: 0.5rem 1rem; background: var(--panel); border: 1px solid var(--line); border-left-width: 0.4rem; }
article.breaking { border-left-color: var(--breaking); }
article.risky { border-left-color: var(--risky); }
article.compatible { border-left-color: var(--compatible); }
article.documentation { border-left-color: var(--documentation); }
.level-breaking { color: var(--breaking); }
.level-risky { color: var(--risky); }
.level-compatible { color: var(--compatible); }
.level-documentation { color: var(--documentation); }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0.5rem 1rem; }
.sides figure { min-width: 0; }
pre { margin: 0; padding: 0.5rem; overflow-x: auto; background: var(--page); border: 1px solid var(--line); }
pre del, pre ins { text-decoration: none; display: inline-block; min-width: 100%; }
del { background: var(--removed); }
ins { background: var(--added); }
del mark { background: var(--removed-part); color: inherit; }
ins mark { background: var(--added-part); color: inherit; }
@media print {
  :root {
    color-scheme: light; --text: #000000; --faint: #333333; --page: #ffffff; --panel: #ffffff; --line: #999999; --link: #000000;
    --breaking: #8a0f0e; --risky: #5c3a00; --compatible: #0b4a1e; --documentation: #333333;
    --removed: #ffffff; --removed-part: #dddddd; --added: #ffffff; --added-part: #dddddd;
  }
  nav, fieldset, .skip { display: none; }
  body { max-width: none; font-size: 10pt; }
  pre { white-space: pre-wrap; }
  h2, h3, h4 { break-after: avoid; }
  figure, pre { break-inside: avoid; }
  details::details-content { display: block; content-visibility: visible; }
}
`;

/** Shows and hides levels, and opens what is folded before printing. */
export const script = `
const levels = document.getElementById('levels');
if (levels !== null) {
  levels.hidden = false;
  levels.addEventListener('change', ({ target }) => {
    document.getElementById(target.value).hidden = !target.checked;
  });
}
addEventListener('beforeprint', () => {
  for (const folded of document.querySelectorAll('details')) folded.open = true;
});
`;
