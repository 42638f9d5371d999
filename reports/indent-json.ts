/** Indents JSON text for HTML reports. It works on characters, so numbers and names stay as sent, and a truncated text stays readable. */

/** A string, complete or truncated, or any other character except white space. */
const tokenPattern = /"(?:[^"\\]|\\[\s\S])*"?|\S/g;

/** Indents an object or a list; returns other texts unchanged. */
export function indentJson(text: string): string {
  if (!/^\s*[[{]/.test(text)) return text;
  // A truncated text ends with a note on its length.
  const end = /… \(\d+ characters\)$/.exec(text)?.[0] ?? '';
  let indented = '';
  let depth = 0;
  let previousToken = '';
  for (const [token] of text.slice(0, text.length - end.length).matchAll(tokenPattern)) {
    if (isClosing(token)) depth = Math.max(0, depth - 1);
    indented += `${breaksBetween(previousToken, token) ? `\n${'  '.repeat(depth)}` : ''}${token === ':' ? ': ' : token}`;
    if (isOpening(token)) depth += 1;
    previousToken = token;
  }
  return `${indented}${end}`;
}

/** Returns true if a line break belongs between two tokens. An empty object or list stays in one line. */
function breaksBetween(previousToken: string, token: string): boolean {
  return previousToken === ',' || (isOpening(previousToken) ? !isClosing(token) : isClosing(token));
}

function isOpening(token: string): boolean {
  return token === '{' || token === '[';
}

function isClosing(token: string): boolean {
  return token === '}' || token === ']';
}
