/** Configuration of the documentation site. Its pages are the Markdown files of docs/, which must also read well without the site. */

import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { renderMermaidSVG } from 'beautiful-mermaid';
import { defineConfig } from 'vitepress';

const docs = fileURLToPath(new URL('..', import.meta.url));

/** Where files outside docs/ can be read. Without it, links to them become plain text. */
const source = process.env.DOCS_SOURCE_URL;

/** A group of the sidebar: the pages of a folder, the named ones first, each with the text of its first heading. */
function group(text, folder, first = []) {
  const rank = (name) => (first.includes(basename(name, '.md')) ? first.indexOf(basename(name, '.md')) : first.length);
  const names = readdirSync(join(docs, folder))
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .toSorted((left, right) => rank(left) - rank(right) || left.localeCompare(right));
  const items = names.map((name) => {
    const [, title = name] = /^# (.*)$/m.exec(readFileSync(join(docs, folder, name), 'utf8')) ?? [];
    return { text: title.replaceAll('`', ''), link: `/${folder.replace('/generated', '')}/${basename(name, '.md')}` };
  });
  return { text, items };
}

/** Figures are drawn when the site is built. The words after `mermaid` are the figure's caption, and its text alternative. */
function drawFigures(md) {
  const fence = md.renderer.rules.fence;
  md.renderer.rules.fence = (tokens, index, ...rest) => {
    const [language, ...caption] = tokens[index].info.trim().split(' ');
    if (language !== 'mermaid') return fence(tokens, index, ...rest);
    const svg = renderMermaidSVG(tokens[index].content, {
      bg: 'var(--vp-c-bg)',
      fg: 'var(--vp-c-text-1)',
      accent: 'var(--vp-c-brand-1)',
      font: 'inherit',
      transparent: true,
      padding: 8,
      nodeSpacing: 20,
      layerSpacing: 28,
    });
    const text = md.utils.escapeHtml(caption.join(' '));
    // The drawing would load a font from outside.
    const local = svg.replaceAll(/@import url\([^)]*\);/g, '').replace('<svg ', `<svg role="img" aria-label="${text}" `);
    const parts = local.match(/class="(node|actor)"/g)?.length;
    // Vue leaves style elements out of a template, but not out of a text that becomes HTML.
    const html = md.utils.escapeHtml(JSON.stringify(local));
    return `<figure class="drawing" data-parts="${parts}"><div v-html="${html}"></div><figcaption>${text}</figcaption></figure>\n`;
  };
}

/** Links that leave docs/ lead to the repository. */
function linkToSource(md) {
  md.core.ruler.push('link-to-source', ({ tokens, env }) => {
    for (const { children } of tokens) redirectLinks(children ?? [], posix.join('docs', posix.dirname(env.relativePath ?? '')));
  });
}

/** Redirects the links of a line that leave docs/. Links do not nest, so a closing token belongs to the link that was opened last. */
function redirectLinks(tokens, folder) {
  let open;
  for (const token of tokens) {
    if (token.type === 'link_open') open = token;
    const href = open?.attrGet('href');
    if (token.type !== 'link_close' || href === undefined || /^([a-z]+:|#)/.test(href)) continue;
    const path = posix.join(folder, href);
    if (path.startsWith('docs/') && /\.md(#|$)/.test(path)) continue;
    if (source !== undefined) open.attrSet('href', `${source}/${path}`);
    else for (const each of [open, token]) Object.assign(each, { type: 'text_wrapper', tag: 'span', attrs: null });
  }
}

/** The anchor of a heading, as GitHub names it, so that a link works in both places. */
const slugify = (heading) =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');

export default defineConfig({
  title: 'Touchstone',
  description:
    'Turns an OpenAPI file into a mock that keeps records, a check of any running server, and a diff that shows what a change breaks.',
  lang: 'en',
  base: process.env.DOCS_BASE ?? '/',
  cleanUrls: false,
  metaChunk: true,
  srcExclude: ['**/generated/modules.md'],
  rewrites: (page) => page.replace('reference/api/generated/', 'reference/api/').replace(/README\.md$/, 'index.md'),
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languageAlias: { mts: 'ts', mjs: 'js' },
    anchor: { slugify },
    config: (md) => {
      drawFigures(md);
      linkToSource(md);
    },
  },
  themeConfig: {
    search: { provider: 'local', options: { detailedView: true } },
    outline: [2, 3],
    nav: [
      { text: 'Tutorials', link: '/tutorials/' },
      { text: 'How-to', link: '/how-to/' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Explanation', link: '/explanation/' },
    ],
    sidebar: {
      '/reference/api/': [group('API', 'reference/api/generated/touchstone')],
      '/decisions/': [group('Decisions', 'decisions')],
      '/': [
        group('Tutorials', 'tutorials', ['write-a-client', 'verify-a-deployment', 'review-a-change', 'your-own-api']),
        group('How-to', 'how-to'),
        group('Explanation', 'explanation', ['comparison', 'verdicts', 'mock-data', 'diff-proof']),
        group('Reference', 'reference', [
          'cli',
          'configuration',
          'annotations',
          'mock',
          'verify',
          'diff',
          'pact',
          'library',
          'generators',
          'rules',
        ]),
        {
          text: 'More',
          items: [
            { text: 'API', link: '/reference/api/' },
            { text: 'Decisions', link: '/decisions/' },
            { text: 'Glossary', link: '/glossary' },
          ],
        },
      ],
    },
  },
});
