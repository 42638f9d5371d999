/** How the report of a run in HTML looks beyond what all pages share, and the few lines of script that it can be read without. */

import { states } from './words.ts';

/** The style sheet. Rows of a state disappear while its box is not checked, without any script. */
export const style: string = `
:root {
  --violated: light-dark(#b3201f, #ff8f86); --waived: light-dark(#6b3fa0, #c9a6ff); --blocked: light-dark(#7d4e00, #e3b341);
  --inconclusive: light-dark(#7d4e00, #e3b341); --not-testable: light-dark(#57606a, #9aa4ae);
  --not-exercised: light-dark(#57606a, #9aa4ae); --holds: light-dark(#116329, #6fdd8b);
}
${states.map((state) => `.state-${state} { color: var(--${state}); }\narticle.${state} { border-left-color: var(--${state}); }`).join('\n')}
${states.map((state) => `body:has(#show-${state}:not(:checked)) tr.${state} { display: none; }`).join('\n')}
.state { font-weight: 600; white-space: nowrap; }
.verdict { font-size: 1.2rem; padding: 0.5rem 1rem; border: 1px solid var(--line); border-left: 0.4rem solid currentcolor; background: var(--panel); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; }
.facts dt { color: var(--faint); }
.facts dd { margin: 0; }
.scroll { overflow-x: auto; position: relative; }
table { border-collapse: collapse; width: 100%; }
.matrix { width: auto; }
caption { text-align: left; color: var(--faint); }
th, td { padding: 0.3rem 0.6rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { background: var(--panel); }
th { font-weight: 600; }
h3 code { font-size: 1rem; }
tbody th { font-weight: 400; }
.matrix td { text-align: center; white-space: nowrap; }
.laws td:nth-of-type(1) { width: 9rem; }
.laws td:nth-of-type(2) { width: 40%; }
tr:target, article:target, section:target > h3 { outline: 3px solid var(--link); }
.seen { border-left: 3px solid var(--line); padding: 0.3rem 0.8rem; background: var(--page); }
.body { max-height: 28rem; overflow: auto; }
@media (min-width: 60rem) { .exchange { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); } }
.command { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: start; margin: 0.4rem 0; }
.command pre { flex: 1 1 20rem; min-width: 0; white-space: pre-wrap; }
button, input[type="search"] {
  font: inherit; padding: 0.2rem 0.8rem; color: var(--text); background: var(--panel); border: 1px solid var(--faint); border-radius: 0.3rem;
}
button { cursor: pointer; }
button:hover { background: var(--line); }
.tools { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; margin: 0.5rem 0; }
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 40rem) {
  .laws, .laws tbody, .laws tr, .laws th, .laws td { display: block; width: auto !important; }
  .laws thead { position: absolute; left: -100vw; }
  .laws tr { margin: 0.5rem 0; }
}
`;

/** Copies commands, finds laws by their words, and opens what is folded before printing. */
export const script = `
const said = document.getElementById('said');
const copy = async (text) => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement('textarea');
    field.value = text;
    document.body.append(field);
    field.select();
    const done = document.execCommand('copy');
    field.remove();
    return done;
  }
};
for (const button of document.querySelectorAll('button.copy')) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const done = await copy(document.getElementById(button.value).textContent.trim());
    button.focus();
    button.textContent = done ? 'Copied' : 'Select and copy by hand';
    said.textContent = done ? 'The command was copied.' : 'The command could not be copied.';
  });
}
const tools = document.getElementById('tools');
if (tools !== null) {
  const rows = [...document.querySelectorAll('table.laws tbody tr')];
  const words = rows.map((row) => (row.dataset.about + ' ' + row.textContent).toLowerCase());
  const field = document.getElementById('find');
  tools.hidden = false;
  field.addEventListener('input', () => {
    const wanted = field.value.toLowerCase().split(' ').filter((word) => word !== '');
    rows.forEach((row, index) => {
      row.hidden = !wanted.every((word) => words[index].includes(word));
    });
    const found = rows.filter((row) => !row.hidden).length;
    said.textContent = found + ' of ' + rows.length + ' checks match.';
    document.getElementById('found').textContent = wanted.length === 0 ? '' : said.textContent;
  });
  document.getElementById('unfold').addEventListener('click', () => {
    for (const folded of document.querySelectorAll('#operations details')) folded.open = true;
  });
  document.getElementById('fold').addEventListener('click', () => {
    for (const folded of document.querySelectorAll('#operations details details')) folded.open = false;
  });
}
addEventListener('beforeprint', () => {
  for (const folded of document.querySelectorAll('details')) folded.open = true;
});
`;
