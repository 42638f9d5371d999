/** Bodies of requests, in JSON. */

import { type Arbitrary, option } from 'fast-check';
import { follow } from '../../core/document.ts';
import { isObject, type Json } from '../../core/json.ts';
import type { Operation } from '../../core/operation.ts';
import type { Schema } from '../../core/schema.ts';
import { arbitraryFor } from '../arbitrary.ts';
import { Unsupported } from '../outcome.ts';

/** What the contract says of a body that can be generated. */
export interface BodyRule {
  readonly schema: Schema;
  /** The media type that it is sent as. */
  readonly type: string;
  readonly required: boolean;
}

/** A body: its text and what the text means; the latter is missing where the text is not JSON. */
export interface Body {
  readonly text: string;
  readonly type: string;
  readonly content: Json | undefined;
}

/**
 * The body that an operation documents; `undefined` when it has none that can be sent: GET, HEAD and TRACE have none (RFC 9110 §9.3), and an
 * optional body that is not JSON is left out.
 * @throws {Unsupported} when a body is required and may not be JSON.
 */
export function bodyRuleOf({ document, method, value, pointer }: Operation): BodyRule | undefined {
  const body = follow(document, value['requestBody']);
  if (!isObject(body) || ['GET', 'HEAD', 'TRACE'].includes(method)) return undefined;
  const content = isObject(body['content']) ? Object.entries(body['content']) : [];
  const required = body['required'] === true;
  const found = content.flatMap(([range, media]) => {
    const type = jsonTypeOf(range);
    return type === undefined || !isObject(media) ? [] : [{ schema: (media['schema'] ?? true) as Schema, type, required }];
  });
  if (found.length > 0 || !required) return found[0];
  const types = content.map(([range]) => range).join(' or ') || 'of no type';
  throw new Unsupported(pointer, 'requestBody', `it must be ${types}, and only JSON is written`);
}

/** The bodies that an operation allows, now and then none when it may be left out. */
export function bodiesFor(operation: Operation): Arbitrary<Body | undefined> | undefined {
  const rule = bodyRuleOf(operation);
  if (rule === undefined) return undefined;
  const bodies = arbitraryFor(rule.schema, { document: operation.document }).map((content) => toBody(rule, content));
  return rule.required ? bodies : option(bodies, { nil: undefined, freq: 3 });
}

/** A value as a body. */
export function toBody({ type }: BodyRule, content: Json): Body {
  return { text: JSON.stringify(content), type, content };
}

/** The JSON type that a media range covers (RFC 9110 §12.5.1). */
function jsonTypeOf(range: string): string | undefined {
  const [type = ''] = range.toLowerCase().split(';');
  if (['*/*', 'application/*'].includes(type.trim())) return 'application/json';
  return /^application\/(json|[^/*]+\+json)$/.test(type.trim()) ? range : undefined;
}
