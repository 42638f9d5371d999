/** Values worth trying in a field or a parameter: such as lie at, just before and just after one another in every way of comparing. */

import type { Document } from '../../../core/document.ts';
import { isObject, type Json } from '../../../core/json.ts';
import { gather, type Schema } from '../../../core/schema.ts';

/** The values that some schemas list, and then values of every kind; most of them fit no given place, so whoever uses them tries first. */
export function listAtoms(document: Document, schemas: readonly Schema[]): readonly Json[] {
  return unique([...schemas.flatMap((schema) => listedBy(document, schema)), ...customary]);
}

/** Values without repetition. */
export function unique(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** The values just beside a number. */
export function neighbours(value: Json): readonly Json[] {
  return typeof value === 'number' && Number.isInteger(value) ? [value - 1, value + 1] : [];
}

function listedBy(document: Document, schema: Schema): readonly Json[] {
  const { enum: values, const: constant, minimum, maximum } = gather(document, schema);
  const bounds = [minimum, maximum].flatMap((bound) => (typeof bound === 'number' ? [bound, ...neighbours(bound)] : []));
  const listed = Array.isArray(values) ? (values as readonly Json[]) : constant === undefined ? [] : [constant];
  return [...listed.filter((value) => !isObject(value)), ...bounds];
}

/** Of two numbers the greater is not always the later text; of two moments the later is not always of the later day. */
const customary: readonly Json[] = [
  ...[1, 2, 10],
  ...['Alpha', 'alpha', 'Álpha', 'Beta', '2', '10'],
  ...['2026-03-10T12:00:00Z', '2026-03-10T12:00:01Z', '2026-03-10T13:00:00+01:00', '2026-03-09T23:30:00-02:00', '2026-03-11T12:00:00Z'],
  ...['2026-03-10', '2026-03-09', '2026-03-11'],
  ...['2026-03-10 12:00:00', '2026-03-10 12:00:01', '2026-03-11 12:00:00'],
  ...['2026-03-10T12:00:00', '2026-03-10T12:00:01', '2026-03-11T12:00:00'],
  ...['12:00', '12:01', '12:00:00', '12:00:01'],
  ...[1.5, true, false],
];
