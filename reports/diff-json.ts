/** The report of a comparison as JSON, for programs; specs/diff-report.schema.json says what it holds. */

import type { Change, ContractComparison, Side, Witness, WitnessExchange } from '../core/change.ts';
import { levels } from '../core/change.ts';
import type { Json } from '../core/json.ts';
import { openChanges } from './diff-words.ts';
import { orNull, printReport, toPlace } from './json-report.ts';

/** The version of the report's shape. A field that goes or changes its meaning makes a new version, a new field does not. */
export const diffReportSchema = 'touchstone-diff/1' as const;

/** Renders a comparison. The keys stand in the order of the schema, and what is absent is `null`, so that two reports compare line by line. */
export function renderDiffJson(comparison: ContractComparison): string {
  const { old, new: next, count, version, accepted, searched, notes } = comparison;
  const { suggested, from, to, taken, isEnough } = version;
  return printReport({
    schema: diffReportSchema,
    breaking: count.breaking > 0,
    semver: { suggested, from, to, taken: taken ?? null, enough: isEnough },
    count: Object.fromEntries(levels.map((level) => [level, count[level]])),
    old: { file: old.file, title: old.title, version: old.version },
    new: { file: next.file, title: next.title, version: next.version },
    changes: levels.flatMap((level) => openChanges(comparison, level)).map(toChange),
    accepted: accepted.map(({ change, reason, expires }) => ({ change: toChange(change), reason, expires: expires ?? null })),
    searched: {
      schemas: searched.schemas,
      witnessed: searched.witnessed,
      proved: searched.proved,
      unwitnessed: searched.unwitnessed,
      tried: searched.tried,
      leftOut: searched.leftOut,
    },
    notes,
  });
}

function toChange(change: Change): object {
  const { id, fingerprint, level, operation, operations, direction, location, text, reason, affects, verdict, tried, witness } = change;
  return {
    id,
    fingerprint,
    level,
    operation: operation ?? null,
    operations,
    direction: direction ?? null,
    location,
    before: toSide(change.before),
    after: toSide(change.after),
    text,
    reason,
    affects,
    verdict: verdict ?? null,
    tried: tried ?? null,
    witness: orNull(witness, toWitness),
  };
}

function toSide({ value, place }: Side): object {
  return { ...toValue(value), place: toPlace(place) };
}

/** A value that may be absent: `null` is a value too, so whether there is one stands beside it. */
function toValue(value: Json | undefined): { readonly present: boolean; readonly value: Json } {
  return { present: value !== undefined, value: value ?? null };
}

function toWitness({ exchange, pointer, value, refusedBy, keyword, message, place, records }: Witness): object {
  return {
    exchange: toExchange(exchange),
    pointer,
    refused: toValue(value),
    refusedBy: refusedBy ?? null,
    keyword,
    message,
    place: orNull(place, toPlace),
    records: orNull(records, ({ given, before, after }) => ({ given, before, after })),
  };
}

function toExchange({ request, response }: WitnessExchange): object {
  return {
    request: orNull(request, ({ method, target, headers, body }) => ({ method, target, headers, body: toValue(body) })),
    response: orNull(response, ({ status, headers, body }) => ({ status, headers, body: toValue(body) })),
  };
}
