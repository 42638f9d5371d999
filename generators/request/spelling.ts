/** Spellings: other ways of writing the text of a parameter that mean the same to a strict reader (RFC 3986 §2, §6.2.2; RFC 9110 §5.6.1). */

import type { Parameter } from '../../core/parameter.ts';
import type { ChoiceStream } from './choice-stream.ts';

/** Spells the printed text of a parameter in another way, or keeps it: it means the same. */
export function respell(parameter: Parameter, printed: string, stream: ChoiceStream): string {
  const { style } = parameter;
  if (style.in === 'header') return style.shape === 'list' ? printed.replaceAll(',', () => (stream.next(2) === 1 ? ', ' : ',')) : printed;
  // The name in a matrix segment stands between delimiters, and only its values may be spelled in other ways.
  const isEncodable = style.style !== 'matrix';
  return printed.replace(/%[0-9A-F]{2}|[\s\S]/g, (token) => {
    if (token.length === 3) return respellEscape(parameter, token, stream);
    if (isEncodable && /[A-Za-z0-9_~-]/.test(token)) return [token, encode(token), encode(token).toLowerCase()][stream.next(3)] ?? token;
    return token === ',' && isLooseComma(parameter) ? ([',', '%2C', '%2c'][stream.next(3)] ?? token) : token;
  });
}

/** Spells the name of a header in another case, which means the same (RFC 9110 §5.1). */
export function respellHeader(name: string, stream: ChoiceStream): string {
  return [name, name.toLowerCase(), name.toUpperCase()][stream.next(3)] ?? name;
}

/** Marks that a query or a path may hold as they are, and that separate nothing here (RFC 3986 §3.3 and §3.4). */
const plainMarks: Readonly<Record<'query' | 'path', string>> = { query: ":@!$'()*/?", path: ":@!$'()*" };

function respellEscape({ style }: Parameter, token: string, stream: ChoiceStream): string {
  const character = decodeAscii(token);
  const marks = style.in === 'query' || style.in === 'path' ? plainMarks[style.in] : '';
  const plain =
    character === ' ' && style.in === 'query'
      ? '+'
      : character !== undefined && (marks.includes(character) || (style.style === 'deepObject' && '[]'.includes(character)))
        ? character
        : token;
  return [token, token.toLowerCase(), plain][stream.next(3)] ?? token;
}

/** The character of an escape; `undefined` for a byte of a longer one. */
function decodeAscii(token: string): string | undefined {
  const code = Number.parseInt(token.slice(1), 16);
  return code < 128 ? String.fromCharCode(code) : undefined;
}

function encode(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Whether a comma between values may come encoded, since no value can hold one. */
function isLooseComma({ style }: Parameter): boolean {
  return style.in === 'query' && style.style === 'form' && style.delimiterIsSafe && style.shape === 'list' && !style.explode;
}
