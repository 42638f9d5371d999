/** Expressions of matchers as patterns of JSON Schema: regular expressions of other engines, and forms of dates. */

/**
 * An expression as a pattern that is read with the flag `u`; `undefined` when it uses what this engine does not know. Writers of pacts escape more
 * characters than `u` lets them.
 */
export function readPattern(expression: string): string | undefined {
  const candidates = [
    expression,
    expression.replaceAll(/\\([^A-Za-z0-9])/g, (all, mark: string) => (syntax.has(mark) ? all : toHex(mark))),
  ];
  return candidates.find(isPattern);
}

const syntax: ReadonlySet<string> = new Set('^$\\.*+?()[]{}|/');

function toHex(mark: string): string {
  return mark.length === 1 && mark.charCodeAt(0) < 256 ? `\\x${mark.charCodeAt(0).toString(16).padStart(2, '0')}` : mark;
}

function isPattern(text: string): boolean {
  try {
    return new RegExp(text, 'u').source !== '';
  } catch {
    // Other engines have more syntax; the caller says that it was not compared.
    return false;
  }
}

/** The pattern of a form such as `yyyy-MM-dd'T'HH:mm:ssXXX`; `undefined` when it has letters that are not known. */
export function readFormat(format: string): string | undefined {
  let pattern = '';
  for (const [piece] of format.matchAll(/'(?:[^']|'')*'|([A-Za-z])\1*|[^A-Za-z']/g)) {
    const part = readPiece(piece);
    if (part === undefined) return undefined;
    pattern += part;
  }
  return `^${pattern}$`;
}

function readPiece(piece: string): string | undefined {
  if (piece === "''") return "'";
  if (piece.startsWith("'")) return escapeText(piece.slice(1, -1).replaceAll("''", "'"));
  return /^[A-Za-z]/.test(piece) ? readLetters(piece) : escapeText(piece);
}

/** A run of one letter, as Java's date forms use them. */
function readLetters(piece: string): string | undefined {
  const letter = piece.charAt(0);
  if ('yudHhKkmsDwW'.includes(letter)) return piece.length === 1 ? '\\d+' : `\\d{${piece.length}}`;
  if (letter === 'S' || letter === 'n') return `\\d{${piece.length}}`;
  if (letter === 'M' || letter === 'L') return piece.length > 2 ? '[A-Za-z]+' : piece.length === 2 ? '\\d{2}' : '\\d{1,2}';
  if (letter === 'E' || letter === 'e') return '[A-Za-z]+';
  return letter === 'a' ? '[AaPp]\\.?[Mm]\\.?' : offsets[piece];
}

const offsets: Readonly<Record<string, string>> = {
  X: '(?:Z|[+-]\\d{2}(?:\\d{2})?)',
  XX: '(?:Z|[+-]\\d{4})',
  XXX: '(?:Z|[+-]\\d{2}:\\d{2})',
  Z: '[+-]\\d{4}',
  ZZ: '[+-]\\d{2}:\\d{2}',
  ZZZ: '[+-]\\d{4}',
  z: '[A-Z]{1,5}',
};

function escapeText(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
