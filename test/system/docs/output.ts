/** Compares output with the text of a page. `…` in the page stands for anything. */

/** A promised output and how it is written down. */
export interface Promised {
  readonly language: 'text' | 'json';
  readonly text: string;
}

/** True when the output matches. White space at line ends is ignored; in JSON it counts only within strings. */
export function keepsPromise(promised: Promised, printed: string): boolean {
  const normalise = promised.language === 'json' ? squeezeJson : trimLines;
  return toPattern(normalise(promised.text)).test(normalise(printed));
}

function trimLines(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => line.trimEnd())
    .join('\n')
    .trim();
}

/** Drops the white space between tokens. It must not parse: a promise with `…` is no JSON. */
function squeezeJson(text: string): string {
  return (text.match(/"(?:[^"\\]|\\.)*"|\S/g) ?? []).join('');
}

function toPattern(text: string): RegExp {
  const parts = text.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('[\\s\\S]*?')}$`);
}
