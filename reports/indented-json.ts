/** JSON in lines: made by looking at its characters alone, so that every number and every name stays as it was sent, and a cut text stays readable. */

/** Either a text, whole or cut, or any other character that is no white space. */
const tokens = /"(?:[^"\\]|\\[\s\S])*"?|\S/g;

/** Texts that are no object and no list come back as they are. */
export function indentJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  // What was cut says so in words at its end.
  const end = /… \(\d+ characters\)$/.exec(text)?.[0] ?? '';
  let written = '';
  let depth = 0;
  let before = '';
  for (const [token] of text.slice(0, text.length - end.length).matchAll(tokens)) {
    if (isClosing(token)) depth = Math.max(0, depth - 1);
    written += `${breaksBetween(before, token) ? `\n${'  '.repeat(depth)}` : ''}${token === ':' ? ': ' : token}`;
    if (isOpening(token)) depth += 1;
    before = token;
  }
  return `${written}${end}`;
}

/** An empty object or list stays in one line. */
function breaksBetween(before: string, token: string): boolean {
  return before === ',' || (isOpening(before) ? !isClosing(token) : isClosing(token));
}

function isOpening(token: string): boolean {
  return token === '{' || token === '[';
}

function isClosing(token: string): boolean {
  return token === '}' || token === ']';
}
