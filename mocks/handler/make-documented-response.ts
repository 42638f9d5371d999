/** Makes the documented response that Prism has chosen: its body, from an example or a schema, and its headers. */

import { hash } from 'node:crypto';
import { documentedTypeOf, isJsonType } from '../../core/http/media-type.ts';
import { isObject, type Json, readJson } from '../../core/json.ts';
import { type BodySchema, type HeaderRule, type Operation, responseFor } from '../../core/openapi/operation.ts';
import { type Schema, typesOf } from '../../core/openapi/schema-facts.ts';
import type { SchemaViolation } from '../../core/openapi/schema-violation.ts';
import { isSlowPattern } from '../../core/openapi/validator.ts';
import { valueAt, withoutValuesAt, withValueAt } from '../../core/pointer.ts';
import type { Call } from './call.ts';
import { type DraftResponse, withNote } from './prepare-response.ts';
import type { ChosenResponse } from './prism/engine.ts';
import { printBody, typeOfBody } from './values/print-body.ts';
import { printHeaders } from './values/print-headers.ts';
import { sampleRepaired } from './values/sample-repaired.ts';
import type { Sample } from './values/sample-value.ts';
import { withoutMisdirected } from './values/without-misdirected.ts';

/** A documented response. */
interface DocumentedResponse extends DraftResponse {
  /** True if the body is an example of the document. */
  readonly isExample: boolean;
  /** What the body breaks of its own schema. */
  readonly violations: readonly SchemaViolation[];
}

/** Dates lie near the beginning of the hour, so that bodies stay the same for a while. */
const hourMs = 3_600_000;

/** The parts of a call that decide the values of its response. */
type Circumstances = Pick<Call, 'operation' | 'method' | 'target' | 'nowMs'> & {
  /** A value whose branches the body should have. */
  readonly like?: Json | undefined;
};

/** Makes the chosen response, with varied values instead of typical ones if it is dynamic. `change` may edit its body before it is printed. */
export async function makeDocumentedResponse(
  circumstances: Circumstances,
  chosen: ChosenResponse,
  isDynamic: boolean,
  change: (value: Json, isExample: boolean) => Json = (value) => value,
): Promise<DocumentedResponse> {
  const { operation, nowMs } = circumstances;
  const content = contentOf(operation, chosen);
  const { isExample, value, note = '' } = content === undefined ? noBody : await exampleOrGenerated(content, circumstances, isDynamic);
  const shown =
    value === undefined
      ? undefined
      : withoutMisdirected(
          content?.body,
          changeLegally(withoutMisdirected(content?.body, value), (each) => change(each, isExample), content?.judge),
        );
  const printable = { document: operation.document, schema: content?.schema ?? true, value: shown, isExample };
  const body = content === undefined ? undefined : printBody(content.mediaType, printable);
  const documented = responseFor(operation, Number(chosen.code))?.headers ?? [];
  const headers = {
    ...printHeaders(documented, {
      document: operation.document,
      nowMs: startOfHour(nowMs),
    }),
    ...(content === undefined || body === undefined
      ? {}
      : { 'content-type': typeof shown === 'string' ? content.mediaType : typeOfBody(content.mediaType) }),
    ...(operation.deprecated ? { deprecation: 'true' } : {}),
  };
  const violations = shown === undefined ? [] : (content?.judge?.(shown) ?? []);
  const draft = { status: Number(chosen.code), headers, body, isUncoded: excludesGzip(documented) };
  return { ...withNote(draft, note), isExample, violations };
}

function excludesGzip(headers: readonly HeaderRule[]): boolean {
  const codings = headers.find(({ name }) => name === 'content-encoding')?.parameter.allowed ?? [];
  return codings.length > 0 && !codings.includes('gzip');
}

/** Number of times that members which break the schema get their documented values back. */
const restoredMax = 3;

/** Changes a body. Members whose change breaks its schema stay as documented: a reason may be one of a few texts. */
function changeLegally(body: Json, change: (body: Json) => Json, judge: Judge = () => []): Json {
  let changed = change(body);
  if (changed === body) return body;
  const allowed = judge(body).length;
  for (let restored = 0; ; restored += 1) {
    const violations = judge(changed);
    if (violations.length <= allowed) return changed;
    if (restored === restoredMax || violations.some(({ path }) => path === '')) return body;
    for (const { path } of violations) {
      const documented = valueAt(body, path);
      changed = documented === undefined ? withoutValuesAt(changed, [path]) : withValueAt(changed, path, documented);
    }
  }
}

/** The documented content of a chosen response. */
interface Content {
  readonly mediaType: string;
  readonly schema: Schema;
  readonly body: BodySchema | undefined;
  /** Judges a value; absent where only the media type is described. */
  readonly judge: Judge | undefined;
  readonly example: Json | undefined;
}

/** The content of a chosen response; `undefined` if the document describes none, or HTTP allows none. */
function contentOf(operation: Operation, { code, mediaType, schema, bodyExample }: ChosenResponse): Content | undefined {
  const documented = responseFor(operation, Number(code))?.content;
  if (documented === undefined || documented.size === 0 || mediaType === undefined || code === '204' || code === '304') return undefined;
  const body = documented.get(documentedTypeOf([...documented.keys()], mediaType) ?? '');
  return {
    mediaType,
    schema: (schema ?? body?.schema ?? true) as Schema,
    body,
    judge: body !== undefined && isJsonType(mediaType) ? judgeWith(body.validate) : undefined,
    example: bodyExample !== undefined && 'value' in bodyExample ? (bodyExample.value as Json) : undefined,
  };
}

const noBody = { isExample: false, value: undefined, note: undefined };

async function exampleOrGenerated(
  content: Content,
  circumstances: Circumstances,
  isDynamic: boolean,
): Promise<Generated & { readonly isExample: boolean }> {
  if (content.example !== undefined) return { isExample: true, value: readExample(content.example, content), note: undefined };
  return { isExample: false, ...(await generate(content, circumstances, isDynamic)) };
}

/** An example of JSON; one that is its text, as some vendors write it, is read. */
function readExample(example: Json, { judge }: Content): Json {
  if (typeof example !== 'string' || judge === undefined || judge(example).length === 0) return example;
  const value = readJson(example);
  return typeof value === 'object' && value !== null && judge(value).length === 0 ? value : example;
}

function startOfHour(nowMs: number): number {
  return nowMs - (nowMs % hourMs);
}

/** A value of a schema, and what a reader should know about it. */
interface Generated {
  readonly value: Json | undefined;
  readonly note: string | undefined;
}

type Judge = (value: Json) => readonly SchemaViolation[];

/** Typical values by schema. They are kept for an hour of the clock, since making one takes milliseconds. */
const typicalValues = new WeakMap<object, { readonly hour: number; readonly generated: Generated; readonly hasBranches: boolean }>();

async function generate(
  { schema, judge, mediaType }: Content,
  { operation, method, target, nowMs, like }: Circumstances,
  isDynamic: boolean,
): Promise<Generated> {
  const hour = startOfHour(nowMs);
  const earlier = isObject(schema) && !isDynamic ? typicalValues.get(schema) : undefined;
  if (earlier?.hour === hour && (like === undefined || !earlier.hasBranches)) return earlier.generated;
  // The value depends on the request only, so that it is the same in every process.
  const seed = isDynamic ? hash('sha256', `${method} ${target}`, 'buffer').readInt32BE() : undefined;
  const sample = await sampleRepaired(schema, judge, { document: operation.document, nowMs: hour, like }, seed);
  const generated = {
    value: sample.value ?? withoutValue(schema, mediaType),
    note: noteOn(sample),
  };
  const { hasBranches } = sample;
  if (isObject(schema) && !isDynamic && (like === undefined || !hasBranches)) typicalValues.set(schema, { hour, generated, hasBranches });
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
