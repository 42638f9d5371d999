/** Arbitraries of the JSON bodies of an operation. Other media types are not generated. */

import { type Arbitrary, option } from 'fast-check';
import { type Json, printJson } from '../../core/json.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { Schema } from '../../core/openapi/schema-facts.ts';
import { Unsupported } from '../generation-errors.ts';
import { arbitraryFor } from '../schema-arbitrary.ts';

/** A body: its text and its value; the value is `undefined` when the text is not JSON. */
export interface GeneratedBody {
  readonly text: string;
  readonly type: string;
  readonly content: Json | undefined;
}

/** The body rule of an operation. */
interface BodyRule {
  readonly schema: Schema;
  /** The media type in which it is sent. */
  readonly type: string;
  readonly required: boolean;
}

/**
 * The documented JSON body; `undefined` when there is none: GET, HEAD and TRACE have no body (RFC 9110 §9.3), and an optional body that is
 * not JSON is left out.
 * @throws {Unsupported} when a required body cannot be JSON.
 */
export function bodyRuleOf({ method, requestBody, pointer }: Operation): BodyRule | undefined {
  if (requestBody === undefined || ['GET', 'HEAD', 'TRACE'].includes(method)) return undefined;
  const { required, content } = requestBody;
  for (const [range, { schema }] of content) {
    const type = jsonTypeOf(range);
    if (type !== undefined) return { schema, type, required };
  }
  if (!required) return undefined;
  const types = [...content.keys()].join(' or ') || 'of no type';
  throw new Unsupported(pointer, 'requestBody', `it must be ${types}, and only JSON is written`);
}

/** The bodies of an operation; sometimes none when the body is optional. */
export function bodiesFor(operation: Operation): Arbitrary<GeneratedBody | undefined> | undefined {
  const rule = bodyRuleOf(operation);
  if (rule === undefined) return undefined;
  const bodies = arbitraryFor(rule.schema, { document: operation.document }).map((content) => toBody(rule, content));
  return rule.required ? bodies : option(bodies, { nil: undefined, freq: 3 });
}

/** The JSON body of a value. */
export function toBody({ type }: BodyRule, content: Json): GeneratedBody {
  return { text: printJson(content), type, content };
}

/** The JSON media type that a media range covers (RFC 9110 §12.5.1). */
function jsonTypeOf(range: string): string | undefined {
  const [type = ''] = range.toLowerCase().split(';');
  if (['*/*', 'application/*'].includes(type.trim())) return 'application/json';
  return /^application\/(json|[^/*]+\+json)$/.test(type.trim()) ? range : undefined;
}
