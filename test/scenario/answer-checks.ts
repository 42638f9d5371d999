/** The assertions about a single answer: its status, its headers, its body. */
import type { CheckReader } from './check.ts';
import { difference, match } from './match.ts';
import { parsePattern } from './pattern.ts';
import { recordOf } from './place.ts';
import { membersOf, ScenarioError, textOf, yesOf } from './source.ts';
import { show } from './value.ts';

/** `status: 422`, `status: 4xx` or a pattern such as `!one-of [401, 403, 404]`. */
export const readStatus: CheckReader = (node) => {
  const family = /^([1-5])xx$/.exec(node.kind === 'scalar' && node.tag === '' ? textOf(node, 'status') : '')?.[1];
  if (family === undefined) {
    const pattern = parsePattern(node);
    return ({ answer }, saved) => match(pattern, answer?.status, 'status', saved);
  }
  return ({ answer }) => (String(answer?.status).startsWith(family) ? [] : [difference('status', `${family}xx`, show(answer?.status))]);
};

/** `headers:` a map of header names to patterns; names in any case. */
export const readHeaders: CheckReader = (node) => {
  const patterns = [...membersOf(node, 'headers')].map(([name, member]) => [name.toLowerCase(), parsePattern(member)] as const);
  if (patterns.length === 0) throw new ScenarioError(`${node.where}: headers expects nothing`);
  return ({ answer }, saved) => patterns.flatMap(([name, pattern]) => match(pattern, answer?.headers[name], `header ${name}`, saved));
};

/** `body:` a pattern for the parsed body, or for the gathered list of a walk. */
export const readBody: CheckReader = (node) => {
  const pattern = parsePattern(node);
  return ({ body }, saved) => match(pattern, body, '', saved);
};

/** `record:` a pattern for the record of a single read, wherever the body carries it. */
export const readRecord: CheckReader = (node) => {
  const pattern = parsePattern(node);
  return ({ body }, saved) => match(pattern, recordOf(body), 'record ', saved);
};

/** `empty body: yes`: not a single byte. */
export const readEmptyBody: CheckReader = (node) => {
  yesOf(node, 'empty body');
  return ({ answer }) => (answer?.raw.length === 0 ? [] : [difference('body', 'no byte at all', `${answer?.raw.length ?? 0} bytes`)]);
};

/** `echoes no key: yes`: the key that went out is nowhere in the headers or the body, as it is or encoded. */
export const readEchoesNoKey: CheckReader = (node) => {
  yesOf(node, 'echoes no key');
  return ({ answer, sentKeys }) => {
    if (sentKeys.length === 0) throw new Error('"echoes no key" needs a step that sends a key');
    const said = `${JSON.stringify(answer?.headers ?? {})}\n${answer?.text ?? ''}`;
    return sentKeys.some((key) => spellingsOf(key).some((spelling) => said.includes(spelling)))
      ? [difference('answer', 'no trace of the key', 'the key, in its headers or its body')]
      : [];
  };
};

/** The ways in which an answer could spell a key. */
export const spellingsOf = (key: string): readonly string[] => [
  key,
  encodeURIComponent(key),
  JSON.stringify(key).slice(1, -1),
  Buffer.from(key).toString('base64').replace(/=+$/, ''),
  Buffer.from(key).toString('base64url'),
];
