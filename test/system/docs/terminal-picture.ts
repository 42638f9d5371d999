/** A picture of a terminal, as SVG: the lines of a command, with its colours, readable on light and dark pages. */

const lineHeight = 19;
const characterWidth = 8.4;
const padding = 16;
const titleHeight = 12;
const longestLine = 104;

/** Colours of the codes that the command line uses; those of the rest are as before. */
const colours: ReadonlyMap<string, string> = new Map([
  ['1', 'font-weight="bold"'],
  ['2', 'fill="#9aa4b2"'],
  ['31', 'fill="#ff8f8f"'],
  ['32', 'fill="#7ee2a8"'],
  ['33', 'fill="#f4c96b"'],
  ['36', 'fill="#79d0ee"'],
]);

const escapeCode = new RegExp(`${String.fromCharCode(0x1b)}\\[([\\d;]*)m`);

function escapeText(text: string): string {
  return text.replaceAll(' ', '\u00a0').replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** One line: its texts, each with the attributes of the codes before it. */
function renderLine(line: string): string {
  let attributes: readonly string[] = [];
  return line
    .split(escapeCode)
    .map((part, index) => {
      if (index % 2 === 0) return part === '' ? '' : `<tspan ${attributes.join(' ')}>${escapeText(part)}</tspan>`;
      for (const code of part.split(';')) {
        const attribute = colours.get(code);
        if (attribute !== undefined) attributes = [...attributes, attribute];
        else attributes = attributes.filter((each) => (code === '22' ? !/weight|9aa4b2/.test(each) : code === '39' && /weight/.test(each)));
      }
      return '';
    })
    .join('')
    .replaceAll('<tspan >', '<tspan>');
}

/** A line as a terminal shows it: the rest of a long line goes on in the next one, without its colour. */
function wrap(line: string): readonly string[] {
  const rows = [''];
  let length = 0;
  for (const token of line.match(new RegExp(`${escapeCode.source}|.`, 'g')) ?? []) {
    const isVisible = !escapeCode.test(token);
    if (isVisible && length === longestLine) {
      rows.push('');
      length = 0;
    }
    length += isVisible ? 1 : 0;
    rows[rows.length - 1] += token;
  }
  return rows;
}

/** Draws the lines of a terminal. The description is the text alternative. */
export function renderTerminalPicture(description: string, text: string): string {
  const lines = text.trimEnd().split('\n').flatMap(wrap);
  const columns = Math.max(
    ...lines.map(
      (line) =>
        line
          .split(escapeCode)
          .filter((_, index) => index % 2 === 0)
          .join('').length,
    ),
  );
  const width = Math.ceil(columns * characterWidth + 2 * padding);
  const height = lines.length * lineHeight + 2 * padding + titleHeight;
  const dots = ['#ff8f8f', '#f4c96b', '#7ee2a8'].map(
    (fill, index) => `<circle cx="${padding + 5 + 16 * index}" cy="15" r="5" fill="${fill}"/>`,
  );
  const rows = lines.map(
    (line, index) => `<text x="${padding}" y="${padding + titleHeight + lineHeight * (index + 1) - 4}">${renderLine(line)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">
<title>${escapeText(description)}</title>
<rect width="${width}" height="${height}" rx="8" fill="#1b2230"/>
${dots.join('')}
<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="#e8ecf2">
${rows.join('\n')}
</g>
</svg>
`;
}
