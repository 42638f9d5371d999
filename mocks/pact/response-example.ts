/** The response of an interaction: what the contract promises of status, headers and body, and nothing else. */

import { headerOf } from '../../core/exchange.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { type ResponseRule, responseFor } from '../../core/operation.ts';
import { isJsonType } from '../../core/response.ts';
import { expect, type Knowledge, type Rule } from './expectation.ts';
import { exampleOfHeader } from './personal-example.ts';
import { readPromise } from './promise.ts';
import type { Sighting } from './sighting.ts';
import { textMatchers } from './text-matcher.ts';

/** Writes the response of an exchange, with a body that may be shown. */
export function writeResponse(sighting: Sighting, body: Json | undefined, knowledge: Knowledge): JsonObject {
  const rule = responseFor(sighting.open.operation, sighting.response.status);
  const headers = rule === undefined ? [] : rule.headers.flatMap((header) => writeHeader(sighting, header));
  const content = rule === undefined ? undefined : writeContent(sighting, rule, body, knowledge);
  const shown = [
    ...headers.map(({ name, example }) => [name, [example]] as const),
    ...(content === undefined ? [] : [contentType(sighting)]),
  ];
  const matching = {
    ...(content === undefined || content.rules.length === 0 ? {} : { body: toRules(content.rules) }),
    ...(headers.length === 0 ? {} : { header: Object.fromEntries(headers.map(({ name, rule: own }) => [name, own as unknown as Json])) }),
  };
  return {
    status: sighting.response.status,
    ...(shown.length === 0 ? {} : { headers: Object.fromEntries(shown) }),
    ...(content === undefined ? {} : { body: { content: content.example, contentType: mediaType(sighting), encoded: false } }),
    ...(Object.keys(matching).length === 0 ? {} : { matchingRules: matching }),
  };
}

function toRules(rules: readonly (readonly [string, Rule])[]): JsonObject {
  return Object.fromEntries(rules.map(([path, rule]) => [path, rule as unknown as Json]));
}

/** A header that need not be there cannot be expected. */
function writeHeader(
  sighting: Sighting,
  { name, required, parameter }: ResponseRule['headers'][number],
): readonly { readonly name: string; readonly example: string; readonly rule: Rule }[] {
  const example = exampleOfHeader(sighting, name);
  if (!required || example === undefined) return [];
  const matchers = textMatchers(readPromise(sighting.open.operation.document, parameter.schema));
  return [{ name: spell(name), example, rule: { combine: 'AND', matchers: matchers.length > 0 ? matchers : [{ match: 'type' }] } }];
}

/** Header names are told in the customary spelling; it means nothing (RFC 9110 §5.1). */
function spell(name: string): string {
  return name === 'etag'
    ? 'ETag'
    : name.replaceAll(/(^|-)([a-z])/g, (_all, before: string, letter: string) => before + letter.toUpperCase());
}

function writeContent(
  { open }: Sighting,
  { content }: ResponseRule,
  body: Json | undefined,
  knowledge: Knowledge,
): ReturnType<typeof expect> {
  const [, media] = [...content].find(([type]) => isJsonType(type)) ?? [];
  if (media === undefined || body === undefined) return undefined;
  return expect(open.operation.document, media.schema, body, knowledge);
}

function contentType(sighting: Sighting): readonly [string, readonly string[]] {
  return ['Content-Type', [mediaType(sighting)]];
}

function mediaType({ response }: Sighting): string {
  return (headerOf(response.headers, 'content-type') ?? '').split(';', 1)[0]?.trim() ?? '';
}
