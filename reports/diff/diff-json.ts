/** The JSON report of a comparison, as specs/diff-report.schema.json describes it. `touchstone diff` calls it for `--report json`. It shortens nothing. */

import type { Json } from '../../core/json.ts';
import {
  type AffectedConsumer,
  type Change,
  type ChangeSide,
  type ChangeWitness,
  type ContractComparison,
  changeLevels,
  unacceptedChanges,
  type WitnessAnswer,
  type WitnessExchange,
} from '../../core/results/contract-change.ts';
import { orNull, printReport, toPlace } from '../print-json.ts';

/** Version of the format. A removed or changed field makes a new version, a new field does not. */
const diffReportVersion = 'touchstone-diff/1' as const;

/** Renders a comparison. Keys follow the order of the schema and absent values are `null`, so that reports compare line by line. */
export function renderDiffJson(comparison: ContractComparison): string {
  const { old, new: next, count, version, accepted, searched, consumers, notes } = comparison;
  const { suggested, next: nextVersion, from, to, taken, isEnough } = version;
  return printReport({
    schema: diffReportVersion,
    breaking: count.breaking > 0,
    semver: { suggested, next: nextVersion ?? null, from, to, taken: taken ?? null, enough: isEnough },
    count: Object.fromEntries(changeLevels.map((level) => [level, count[level]])),
    old: { file: old.file, title: old.title, version: old.version },
    new: { file: next.file, title: next.title, version: next.version },
    changes: changeLevels.flatMap((level) => unacceptedChanges(comparison, level)).map(toChange),
    accepted: accepted.map(({ change, reason, expires }) => ({ change: toChange(change), reason, expires: expires ?? null })),
    searched: {
      schemas: searched.schemas,
      witnessed: searched.witnessed,
      proved: searched.proved,
      unwitnessed: searched.unwitnessed,
      tried: searched.tried,
      leftOut: searched.leftOut,
    },
    consumers: orNull(consumers, (all) => all.map(toConsumer)),
    notes,
  });
}

function toConsumer({ consumer, interactions, broken }: AffectedConsumer): object {
  return { consumer, interactions, broken };
}

function toChange(change: Change): object {
  const {
    id,
    fingerprint,
    level,
    operation,
    operations,
    direction,
    location,
    text,
    reason,
    affects,
    verdict,
    tried,
    witness,
    consequences,
    consumers,
  } = change;
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
    consequences,
    consumers: orNull(consumers, (all) => all.map(toConsumer)),
  };
}

function toSide({ value, place }: ChangeSide): object {
  return { ...toValue(value), place: toPlace(place) };
}

/** A value with its presence, since `null` is a value too. */
function toValue(value: Json | undefined): { readonly present: boolean; readonly value: Json } {
  return { present: value !== undefined, value: value ?? null };
}

function toWitness({ exchange, pointer, value, refusedBy, keyword, message, place, records, answers }: ChangeWitness): object {
  return {
    exchange: toExchange(exchange),
    pointer,
    refused: toValue(value),
    refusedBy: refusedBy ?? null,
    keyword,
    message,
    place: orNull(place, toPlace),
    records: orNull(records, ({ given, before, after }) => ({ given, before, after })),
    answers: orNull(answers, ({ old, new: next }) => ({ old: toAnswer(old), new: toAnswer(next) })),
  };
}

function toAnswer({ status, code, returned }: WitnessAnswer): object {
  return { status, code: code ?? null, returned: returned ?? null };
}

function toExchange({ request, response }: WitnessExchange): object {
  return {
    request: orNull(request, ({ method, target, headers, body, variables = [] }) => ({
      method,
      target,
      headers,
      variables,
      body: toValue(body),
    })),
    response: orNull(response, ({ status, headers, body }) => ({ status, headers, body: toValue(body) })),
  };
}
