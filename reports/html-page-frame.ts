/** The frame, style sheet and script of HTML pages. A page loads nothing from outside, and is readable without its script. */

import { createHash } from 'node:crypto';
import { html, type Markup } from './html-template.ts';

/** Content of an HTML page. */
interface HtmlPage {
  readonly title: string;
  /** Row states that the checkbox `rows-NAME` hides. */
  readonly states: readonly string[];
  readonly body: Markup;
}

/** Renders a page with a content security policy for its own style and script. */
export function renderPage({ title, states, body }: HtmlPage): string {
  // Checkboxes hide rows by CSS, without a script.
  const hidingRules = states.map((name) => `body:has(#rows-${name}:not(:checked)) tr.row-${name} { display: none; }`);
  const styleSheet = `${pageStyle}${hidingRules.join('\n')}\n`;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ markup: policyOf(styleSheet) }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ markup: styleSheet }}</style>
</head>
<body>
${body}
<script>${{ markup: script }}</script>
</body>
</html>
`.markup;
}

/** Renders the switch between light and dark. It works by CSS, without a script. */
export function renderThemes(): Markup {
  const choice = (value: string, name: string, isChosen: boolean): Markup =>
    html`<label><input type="radio" name="theme" id="theme-${value}" autocomplete="off"${isChosen ? checkedAttribute : undefined}> ${name}</label>\n`;
  return html`<fieldset class="themes"><legend>Colours</legend>
${choice('system', 'system', true)}${choice('light', 'light', false)}${choice('dark', 'dark', false)}</fieldset>`;
}

const checkedAttribute: Markup = html` checked`;

/** Builds a content security policy that allows only the page's own style and script. */
function policyOf(style: string): string {
  const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  return [
    `default-src 'none'`,
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

/** Style sheet of all pages: light and dark, narrow and wide, screen and paper. */
const pageStyle = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e6edf3); --faint: light-dark(#57606a, #9aa4ae); --page: light-dark(#ffffff, #0d1117);
  --bad: light-dark(#b3201f, #ff8f86); --doubtful: light-dark(#7d4e00, #e3b341); --good: light-dark(#116329, #6fdd8b);
  --neutral: light-dark(#57606a, #9aa4ae);
  --removed: light-dark(#ffebe9, #3c1618); --removed-part: light-dark(#ffc1bc, #8e2a2b);
  --added: light-dark(#e6ffec, #12301c); --added-part: light-dark(#abf2bc, #1f6f38);
  --panel: light-dark(#f6f8fa, #161b22); --line: light-dark(#d0d7de, #3d444d); --link: light-dark(#0550ae, #79b8ff);
}
:root:has(#theme-light:checked) { color-scheme: light; }
:root:has(#theme-dark:checked) { color-scheme: dark; }
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
html { scroll-padding-top: 3.5rem; }
nav { position: sticky; top: 0; z-index: 2; background: var(--page); border-bottom: 1px solid var(--line); }
.skip { position: absolute; left: -100vw; }
.skip:focus { position: static; }
.faint { color: var(--faint); }
.here { color: var(--faint); text-decoration: none; }
nav ul { display: flex; gap: 1.5rem; margin: 0; padding: 0.6rem 0; overflow-x: auto; list-style: none; white-space: nowrap; }
.bar { display: block; width: 100%; height: 0.8rem; margin: 0.6rem 0; }
.bar rect { fill: var(--neutral); stroke: var(--page); }
.bar rect.bad { fill: var(--bad); }
.bar rect.doubtful { fill: var(--doubtful); }
.bar rect.good { fill: var(--good); }
fieldset { display: flex; width: fit-content; max-width: 100%; min-width: 0; flex-wrap: wrap; gap: 0.5rem 1.5rem; border: 1px solid var(--line); }
[hidden] { display: none !important; }
summary { cursor: pointer; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
article { margin: 1rem 0; padding: 0.5rem 1rem; background: var(--panel); border: 1px solid var(--line); border-left-width: 0.4rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0.5rem 1rem; }
.sides figure { min-width: 0; }
pre { margin: 0; padding: 0.5rem; overflow-x: auto; background: var(--page); border: 1px solid var(--line); }
span.bad, h2.bad, .verdict.bad { color: var(--bad); }
span.doubtful, h2.doubtful, .verdict.doubtful { color: var(--doubtful); }
span.good, h2.good, .verdict.good { color: var(--good); }
span.neutral, h2.neutral, .verdict.neutral { color: var(--neutral); }
article.bad { border-left-color: var(--bad); }
article.doubtful { border-left-color: var(--doubtful); }
article.good { border-left-color: var(--good); }
article.neutral { border-left-color: var(--neutral); }
pre del, pre ins { text-decoration: none; display: inline-block; min-width: 100%; }
del { background: var(--removed); }
ins { background: var(--added); }
del mark { background: var(--removed-part); color: inherit; }
ins mark { background: var(--added-part); color: inherit; }
pre.body mark { background: var(--removed); color: inherit; }
.verdict { font-size: 1.2rem; padding: 0.5rem 1rem; border: 1px solid var(--line); border-left: 0.4rem solid currentcolor; background: var(--panel); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: 0.1rem 1rem; }
.facts dt { color: var(--faint); }
.facts dd { margin: 0; }
.scroll { overflow-x: auto; position: relative; }
.scroll table:not(.found) { font-size: 0.875rem; overflow-wrap: break-word; }
.scroll table:not(.found) th[scope="row"] { position: sticky; left: 0; background: var(--panel); }
table { border-collapse: collapse; width: 100%; }
th, td { padding: 0.3rem 0.6rem; border: 1px solid var(--line); text-align: left; vertical-align: top; }
thead th { background: var(--panel); overflow-wrap: break-word; }
th { font-weight: 600; }
h3 code, h4 code { font-size: 1rem; }
tbody th { font-weight: 400; }
.found td:nth-of-type(2) { width: 45%; }
tr:target, article:target, section:target > h2 { outline: 3px solid var(--link); }
.seen { border-left: 3px solid var(--line); padding: 0.3rem 0.8rem; background: var(--page); }
.body { max-height: 28rem; overflow: auto; }
@media (min-width: 60rem) { .exchange { grid-template-columns: minmax(0, 2fr) minmax(0, 3fr); } }
.command { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: start; margin: 0.4rem 0; }
.command code { flex: 1 1 16rem; min-width: 0; padding: 0.5rem; white-space: pre-wrap; background: var(--page); border: 1px solid var(--line); }
button, select, input[type="search"] {
  font: inherit; padding: 0.2rem 0.8rem; color: var(--text); background: var(--panel); border: 1px solid var(--faint); border-radius: 0.3rem;
}
.tools label { max-width: 100%; }
select { max-width: min(100%, 20rem); }
button { cursor: pointer; }
button:hover { background: var(--line); }
.tools { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; align-items: center; margin: 0.5rem 0; }
.hidden-text { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 40rem) {
  .found, .found tbody, .found tr, .found th, .found td { display: block; width: auto !important; }
  .found thead { position: absolute; left: -100vw; }
  .found tr { margin: 0.5rem 0; }
}
@media print {
  :root { color-scheme: light !important; --removed: #ffffff; --removed-part: #dddddd; --added: #ffffff; --added-part: #dddddd; }
  nav, fieldset, button, .skip, .here { display: none; }
  body { max-width: none; font-size: 10pt; }
  pre { white-space: pre-wrap; }
  h2, h3, h4 { break-after: avoid; }
  figure, pre { break-inside: avoid; }
  .scroll table, .scroll thead th { font-size: 7pt !important; overflow-wrap: anywhere; }
  .scroll th, .scroll td { padding: 0.1rem 0.2rem; }
  article details::details-content { display: block; content-visibility: visible; }
  article details details:not([open])::details-content { display: none; }
}
`;

/** Script of all pages: copies commands, filters rows, and opens the evidence before printing. */
const script = `
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
const buttons = [...document.querySelectorAll('button.copy, button.quote')];
// Buttons and links to the article itself are no part of a copied text.
const controls = [...buttons, ...document.querySelectorAll('a.here')];
const textOf = (article) => {
  for (const each of controls) each.hidden = true;
  const text = article.innerText;
  for (const each of controls) each.hidden = false;
  return text.replaceAll(/\\n{3,}/g, '\\n\\n').trim();
};
for (const button of buttons) {
  button.hidden = false;
  button.addEventListener('click', async () => {
    const isCommand = button.className === 'copy';
    const done = await copy(isCommand ? button.previousElementSibling.textContent : textOf(button.closest('article')));
    button.focus();
    button.textContent = done ? 'Copied' : 'Select and copy by hand';
    said.textContent = (isCommand ? 'The command ' : 'The text ') + (done ? 'was copied.' : 'could not be copied.');
  });
}
const unfold = (hash) => {
  const folded = document.getElementById(hash.slice(1))?.querySelector(':scope > details');
  if (folded) folded.open = true;
};
addEventListener('click', ({ target }) => unfold(target.closest('a')?.hash ?? ''));
unfold(location.hash);
const tools = document.getElementById('tools');
if (tools !== null) {
  const rows = [...document.querySelectorAll('table.found tbody tr')];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const field = document.getElementById('find');
  const choices = [...tools.querySelectorAll('select')];
  tools.hidden = false;
  tools.addEventListener('input', () => {
    const wanted = field.value.toLowerCase().split(' ').filter((word) => word !== '');
    rows.forEach((row, index) => {
      const isChosen = choices.every(({ value, dataset }) => value === '' || row.dataset[dataset.label] === value);
      row.hidden = !isChosen || !wanted.every((word) => texts[index].includes(word));
    });
    const found = rows.filter((row) => !row.hidden).length;
    said.textContent = found + ' of ' + rows.length + ' checks match.';
    document.getElementById('found').textContent = found === rows.length ? '' : said.textContent;
  });
  document.getElementById('unfold').addEventListener('click', () => {
    for (const folded of document.querySelectorAll('table.found details')) folded.open = true;
  });
  document.getElementById('fold').addEventListener('click', () => {
    for (const folded of document.querySelectorAll('table.found details')) folded.open = false;
  });
}
addEventListener('beforeprint', () => {
  for (const folded of document.querySelectorAll('article > details')) folded.open = true;
});
`;
