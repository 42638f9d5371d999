/** What a changed `format` means for the values: formats of no standard bind only those who choose to check them. */

import type { HalfOfExchange } from '../../../core/results/diff-result.ts';
import { effectOf, type SchemaEdit } from './schema-pair.ts';

/** Formats whose values are all values of other formats (OpenAPI 3.1 §4.4, OpenAPI format registry). */
const includedFormats: Readonly<Record<string, readonly string[]>> = {
  int8: ['int16', 'int32', 'int64'],
  int16: ['int32', 'int64'],
  int32: ['int64'],
  uint8: ['int16', 'int32', 'int64', 'uint16', 'uint32', 'uint64'],
  uint16: ['int32', 'int64', 'uint32', 'uint64'],
  uint32: ['int64', 'uint64'],
  float: ['double'],
  email: ['idn-email'],
  hostname: ['idn-hostname'],
  uri: ['uri-reference', 'iri', 'iri-reference'],
  url: ['uri', 'uri-reference', 'iri', 'iri-reference'],
  'uri-reference': ['iri-reference'],
  iri: ['iri-reference'],
};

/** Formats for the display or transport of a string. They restrict no value. */
const displayFormats: ReadonlySet<string> = new Set(['password', 'binary', 'byte', 'html', 'markdown', 'commonmark', 'textarea']);

/** The formats of JSON Schema (validation §7.3) and of the OpenAPI format registry. Validators may know more, such as `url`, and need not agree on them. */
const standardFormats: ReadonlySet<string> = new Set([
  ...['date-time', 'date', 'time', 'duration', 'email', 'idn-email', 'hostname', 'idn-hostname', 'ipv4', 'ipv6'],
  ...['uri', 'uri-reference', 'iri', 'iri-reference', 'uuid', 'uri-template', 'json-pointer', 'relative-json-pointer', 'regex'],
  ...['int8', 'int16', 'int32', 'int64', 'uint8', 'uint16', 'uint32', 'uint64', 'float', 'double', 'double-int', 'decimal', 'decimal128'],
  ...['base64url', 'binary', 'byte', 'char', 'commonmark', 'html', 'password', 'date-time-local', 'time-local', 'http-date', 'media-range'],
  ...['sf-binary', 'sf-boolean', 'sf-decimal', 'sf-integer', 'sf-string', 'sf-token'],
]);

/** The effect of changed formats. What only a format of no standard refuses is risky. */
export function rateFormats(
  before: readonly string[],
  after: readonly string[],
): Pick<SchemaEdit, 'effect' | 'levels' | 'reason' | 'unchecked'> {
  const isStandard = (format: string): boolean => standardFormats.has(format);
  const [all, standard] = [changeOf(before, after), changeOf(before.filter(isStandard), after.filter(isStandard))];
  const unchecked: readonly HalfOfExchange[] = [
    ...(all.loses && !standard.loses ? (['request'] as const) : []),
    ...(all.gains && !standard.gains ? (['response'] as const) : []),
  ];
  const effect = effectOf(all.loses, all.gains);
  const isDisplayOnly = [...before, ...after].every((format) => displayFormats.has(format)) && (before.length === 0 || after.length === 0);
  if (isDisplayOnly) return { effect, levels: { request: 'risky', response: 'risky' } };
  if (unchecked.length === 0) return { effect };
  return {
    effect,
    unchecked,
    levels: Object.fromEntries(unchecked.map((half) => [half, 'risky'])),
    reason: Object.fromEntries(unchecked.map((half) => [half, uncheckedReasons[half]])),
  };
}

const uncheckedReasons: Readonly<Record<HalfOfExchange, string>> = {
  request: 'No standard defines the format, but a server that checks it may reject what deployed clients send.',
  response: 'No standard defines the format, but a client that checks it may reject what it receives.',
};

/** Whether values are lost and gained between two lists of formats that all apply. */
function changeOf(before: readonly string[], after: readonly string[]): { readonly loses: boolean; readonly gains: boolean } {
  const isInside = (inner: readonly string[], outer: readonly string[]): boolean =>
    outer.every((wide) => inner.some((format) => format === wide || (includedFormats[format] ?? []).includes(wide)));
  return { loses: !isInside(before, after), gains: !isInside(after, before) };
}
