import { printJson, readJson } from '../core/json.ts';
import { decodeOrKeep } from '../core/parameters/query-string.ts';

/** Names of members of a body with secrets. */
const secretMembers = /api[-_]?key|token|secret|passw|signature|session/i;

/** Replaces the texts of members and form fields with the name of a secret, such as those of a login. */
export function replaceSecretMembers(body: string, replace: (text: string) => string): string {
  const isSecret = (name: string): boolean => secretMembers.test(name);
  if (!/^\s*[[{]/.test(body)) return replacePairs(body, /(^|&)([^=&]+)=([^&]*)/g, isSecret, replace);
  return body.replaceAll(/("(?:[^"\\]|\\.)*"\s*:\s*)("(?:[^"\\]|\\.)*")/g, (wholeMatch, name: string, value: string) =>
    isSecret(name) ? `${name}${printJson(replace(String(readJson(value) ?? value)))}` : wholeMatch,
  );
}

/** Replaces the values of pairs with the name of a secret; the pattern has groups for what stands before the name, the name, and the value. */
export function replacePairs(text: string, pairs: RegExp, isSecret: (name: string) => boolean, replace: (text: string) => string): string {
  return text.replaceAll(pairs, (wholeMatch, before: string, name: string, value: string) =>
    isSecret(decodeOrKeep(name)) ? `${before}${name}=${replace(value)}` : wholeMatch,
  );
}

/** Replaces letters and digits, so the text keeps its shape. */
export function shapeOf(text: string): string {
  return text
    .replaceAll(/\p{Lu}/gu, 'X')
    .replaceAll(/\p{L}/gu, (letter) => (letter === 'X' ? 'X' : 'x'))
    .replaceAll(/\p{N}/gu, '0');
}
