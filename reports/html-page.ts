/** A report as one page of HTML that asks for nothing from outside and can be read without its script: its frame, its colours and its type. */

import { createHash } from 'node:crypto';
import { html, type Markup } from './html-text.ts';

/** What a page holds. */
export interface Page {
  readonly title: string;
  /** Follows the style that all pages share. */
  readonly style: string;
  readonly script: string;
  readonly body: Markup;
}

/** Renders a page. */
export function renderPage({ title, style, script, body }: Page): string {
  const whole = `${pageStyle}${style}`;
  return html`<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${{ markup: policyOf(whole, script) }}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${title}</title>
<style>${{ markup: whole }}</style>
</head>
<body>
${body}
<script>${{ markup: script }}</script>
</body>
</html>
`.markup;
}

/** The switch between light and dark: the style sheet obeys it, so it needs no script. */
export function renderThemes(): Markup {
  const choice = (value: string, name: string, isChosen: boolean): Markup =>
    html`<label><input type="radio" name="theme" id="theme-${value}" autocomplete="off"${isChosen ? checked : undefined}> ${name}</label>\n`;
  return html`<fieldset class="themes"><legend>Colours</legend>
${choice('system', 'as the system', true)}${choice('light', 'light', false)}${choice('dark', 'dark', false)}</fieldset>`;
}

const checked: Markup = html` checked`;

/** Nothing may be loaded, sent or run but the style and the script that a page was made with. */
function policyOf(style: string, script: string): string {
  const hashOf = (text: string): string => `sha256-${createHash('sha256').update(text).digest('base64')}`;
  return [
    `default-src 'none'`,
    `style-src '${hashOf(style)}'`,
    `script-src '${hashOf(script)}'`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}

/** What all pages share: light and dark, narrow and wide, on screen and on paper. */
const pageStyle = `
:root {
  color-scheme: light dark;
  --text: light-dark(#1b1f24, #e6edf3); --faint: light-dark(#57606a, #9aa4ae); --page: light-dark(#ffffff, #0d1117);
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
.skip { position: absolute; left: -100vw; }
.skip:focus { position: static; }
.faint { color: var(--faint); }
nav ul { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; padding: 0; list-style: none; }
fieldset { display: flex; width: fit-content; max-width: 100%; min-width: 0; flex-wrap: wrap; gap: 0.5rem 1.5rem; border: 1px solid var(--line); }
[hidden] { display: none !important; }
summary { cursor: pointer; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
article { margin: 1rem 0; padding: 0.5rem 1rem; background: var(--panel); border: 1px solid var(--line); border-left-width: 0.4rem; }
.sides { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 24rem), 1fr)); gap: 0.5rem 1rem; }
.sides figure { min-width: 0; }
pre { margin: 0; padding: 0.5rem; overflow-x: auto; background: var(--page); border: 1px solid var(--line); }
@media print {
  :root { color-scheme: light !important; }
  nav, fieldset, button, .skip { display: none; }
  body { max-width: none; font-size: 10pt; }
  pre { white-space: pre-wrap; }
  h2, h3, h4 { break-after: avoid; }
  figure, pre { break-inside: avoid; }
  details::details-content { display: block; content-visibility: visible; }
}
`;
