/** Whether what was printed is what a page promised. `…` in the promise stands for anything. */

/** A promised output and how it is written down. */
export interface Promised {
  readonly language: 'text' | 'json';
  readonly text: string;
}

/** Whether the printed text keeps the promise. White space at line ends never counts; in JSON it counts only inside of texts. */
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
