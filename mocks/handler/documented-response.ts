/** Makes the documented response that Prism has chosen: its body, from an example or a schema, and its headers. */

import { hash } from 'node:crypto';
import type { IHttpNegotiationResult } from '@stoplight/prism-http/dist/mocker/negotiator/types.js';
import type { HttpRequest } from '../../core/http/exchange.ts';
import { documentedTypeOf, isJsonType } from '../../core/http/media-type.ts';
import { isObject, type Json } from '../../core/json.ts';
import { type Operation, responseFor } from '../../core/openapi/operation.ts';
import { type Schema, typesOf } from '../../core/openapi/schema-facts.ts';
import type { SchemaViolation } from '../../core/openapi/schema-violation.ts';
import { isSlowPattern } from '../../core/openapi/validator.ts';
import { withoutValuesAt } from '../../core/pointer.ts';
import type { DraftResponse } from './prepare-response.ts';
import { createDraw } from './values/draw.ts';
import { printBody } from './values/print-body.ts';
import { printHeaders } from './values/print-headers.ts';
import { type Sample, type SampleOptions, sampleValue } from './values/sample-value.ts';

/** The circumstances of a response. */
export interface Circumstances {
  readonly operation: Operation;
  readonly request: HttpRequest;
  readonly nowMs: number;
  /** True for varied values instead of typical ones. */
  readonly dynamic: boolean;
}

/** A documented response. */
export interface DocumentedResponse {
  readonly draft: DraftResponse;
  /** True if the body is an example of the document. */
  readonly isExample: boolean;
  /** The value of the body before it was printed; `undefined` for none, and for bytes. */
  readonly value: Json | undefined;
  /** What the body breaks of its own schema. */
  readonly violations: readonly SchemaViolation[];
  /** What a reader should know about the body, as a sentence. */
  readonly note: string | undefined;
}

/** Dates lie near the beginning of the hour, so that bodies stay the same for a while. */
const hourMs = 3_600_000;

/** Makes the chosen response. `change` may edit its body before it is printed. */
export async function makeDocumentedResponse(
  circumstances: Circumstances,
  chosen: IHttpNegotiationResult,
  change: (value: Json, isExample: boolean) => Json = (value) => value,
): Promise<DocumentedResponse> {
  const { operation, nowMs } = circumstances;
  const status = Number(chosen.code);
  const rule = responseFor(operation, status);
  const hasContent = rule !== undefined && rule.content.size > 0 && status !== 204 && status !== 304;
  const mediaType = hasContent ? (chosen.mediaType ?? '') : '';
  const documentedType = documentedTypeOf([...(rule?.content.keys() ?? [])], mediaType);
  const content = documentedType === undefined ? undefined : rule?.content.get(documentedType);
  const schema = (chosen.schema ?? content?.schema ?? true) as Schema;
  const example = chosen.bodyExample !== undefined && 'value' in chosen.bodyExample ? (chosen.bodyExample.value as Json) : undefined;
  const isExample = example !== undefined;
  const judge = content === undefined || !isJsonType(mediaType) ? undefined : judgeWith(content.validate);
  const show = (shown: Json): Json => withoutValuesAt(shown, content?.findMisdirected(shown).map(({ path }) => path) ?? []);
  const made =
    mediaType === '' ? nothing : isExample ? { ...nothing, value: example } : await generate(schema, judge, mediaType, circumstances);
  const value = made.value === undefined ? undefined : change(show(made.value), isExample);
  const violations = value === undefined || judge === undefined ? [] : judge(value);
  const body = mediaType === '' ? undefined : printBody(mediaType, { document: operation.document, schema, value, isExample });
  const options = { document: operation.document, nowMs: startOfHour(nowMs) };
  return {
    draft: {
      status,
      headers: {
        ...printHeaders(chosen.headers, options),
        ...(body === undefined ? {} : { 'content-type': mediaType }),
        ...(operation.value['deprecated'] === true ? { deprecation: 'true' } : {}),
      },
      body,
    },
    isExample,
    value: Buffer.isBuffer(body) ? undefined : body,
    violations,
    note: made.note,
  };
}

function startOfHour(nowMs: number): number {
  return nowMs - (nowMs % hourMs);
}

/** A value of a schema, and what a reader should know about it. */
interface Generated {
  readonly value: Json | undefined;
  readonly note: string | undefined;
}

const nothing: Generated = { value: undefined, note: undefined };

type Judge = (value: Json) => readonly SchemaViolation[];

/** Typical values by schema. They are kept for an hour of the clock, since making one takes milliseconds. */
const typicalValues = new WeakMap<object, { readonly hour: number; readonly generated: Generated }>();

async function generate(schema: Schema, judge: Judge | undefined, mediaType: string, circumstances: Circumstances): Promise<Generated> {
  const { operation, request, nowMs, dynamic } = circumstances;
  const hour = startOfHour(nowMs);
  const earlier = isObject(schema) && !dynamic ? typicalValues.get(schema) : undefined;
  if (earlier?.hour === hour) return earlier.generated;
  // The value depends on the request only, so that it is the same in every process.
  const seed = dynamic ? hash('sha256', `${request.method} ${request.target}`, 'buffer').readInt32BE() : undefined;
  const sample = await sampleRepaired(schema, judge, { document: operation.document, nowMs: hour }, seed);
  const generated = {
    value: sample.value ?? withoutValue(schema, mediaType),
    note: noteOn(sample),
  };
  if (isObject(schema) && !dynamic) typicalValues.set(schema, { hour, generated });
  return generated;
}

function noteOn({ value, isCut }: Sample): string | undefined {
  if (isCut) return 'The body is shortened: its schema describes very large values.';
  return value === undefined ? 'The schema has no value that a response could show.' : undefined;
}

/** What is sent where the document describes a body that cannot exist. */
function withoutValue(schema: Schema, mediaType: string): Json | undefined {
  if (!isJsonType(mediaType)) return 'string';
  const [type] = isObject(schema) ? typesOf(schema) : [];
  return type === 'array' ? [] : type === 'object' ? {} : null;
}

/** A value of a schema. Members whose example is not valid get another value, and only they. */
async function sampleRepaired(schema: Schema, judge: Judge | undefined, options: SampleOptions, seed: number | undefined): Promise<Sample> {
  const sampleWith = (more: Partial<SampleOptions>): Sample =>
    sampleValue(schema, { ...options, ...more, ...(seed === undefined ? {} : { draw: createDraw(seed) }) });
  const first = sampleWith({});
  const patternText = first.lacksPattern ? await loadPatternText() : undefined;
  const sample = patternText === undefined ? first : sampleWith({ patternText });
  const wrong = sample.value === undefined || judge === undefined ? [] : judge(sample.value);
  if (wrong.length === 0 || judge === undefined) return sample;
  const repaired = sampleWith({ patternText: patternText ?? (await loadPatternText()), withoutExamples: new Set(wrong.map(({ path }) => path)) });
  return repaired.value !== undefined && judge(repaired.value).length < wrong.length ? repaired : sample;
}

/** Loads the generator, which few bodies need, and which takes a while. */
async function loadPatternText(): Promise<NonNullable<SampleOptions['patternText']>> {
  const { simplestInstance } = await import('../../generators/schema-arbitrary.ts');
  return ({ pattern, minLength, maxLength }) => {
    const bounds = Object.entries({ pattern, minLength, maxLength }).filter(([, value]) => value !== undefined);
    const text = simplestInstance({ type: 'string', ...(Object.fromEntries(bounds) as Schema & object) });
    return typeof text === 'string' ? text : undefined;
  };
}

/** A response whose pattern takes too long is sent unjudged. */
function judgeWith(validate: Judge): Judge {
  return (value) => {
    try {
      return validate(value);
    } catch (error) {
      if (!isSlowPattern(error)) throw error;
      return [];
    }
  };
}
