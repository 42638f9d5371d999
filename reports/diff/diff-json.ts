/**
 * The JSON report of a comparison, as specs/diff-report.schema.json describes it. `cli/diff/diff-report-option.ts` calls it for each contract of `--report
 * json`, at the end of `touchstone diff`. It shortens nothing.
 */

import type { Json } from '../../core/json.ts';
import {
  type AffectedConsumer,
  type Change,
  type ChangeSide,
  type ChangeWitness,
  type ContractComparison,
  changeLevels,
  unacceptedChanges,
  type WitnessExchange,
  type WitnessResponse,
} from '../../core/results/diff-result.ts';
import { orNull, pick, pickOrNull, printReport, toPlace } from '../json-report-parts.ts';

/** Version of the format. A removed or changed field makes a new version, a new field does not. */
const diffReportVersion = 'touchstone-diff/1' as const;

/** Renders a comparison. Keys follow the order of the schema and absent values are `null`, so that reports compare line by line. */
export function renderDiffJson(comparison: ContractComparison): string {
  const { count, version, searched, notes } = comparison;
  return printReport({
    schema: diffReportVersion,
    breaking: count.breaking > 0,
    semver: { ...pickOrNull(version, 'suggested', 'next', 'from', 'to', 'taken'), enough: version.isEnough },
    count: pick(count, ...changeLevels),
    old: pick(comparison.old, 'file', 'title', 'version'),
    new: pick(comparison.new, 'file', 'title', 'version'),
    changes: changeLevels.flatMap((level) => unacceptedChanges(comparison, level)).map(toChange),
    accepted: comparison.accepted.map((each) => ({ change: toChange(each.change), ...pickOrNull(each, 'reason', 'expires') })),
    searched: pick(searched, 'undecided', 'leftOut'),
    consumers: orNull(comparison.consumers, (all) => all.map(toConsumer)),
    notes,
  });
}

function toConsumer(consumer: AffectedConsumer): object {
  return pick(consumer, 'consumer', 'interactions', 'broken');
}

function toChange(change: Change): object {
  return {
    ...pickOrNull(change, 'id', 'fingerprint', 'level', 'operation', 'operations', 'direction', 'location'),
    before: toSide(change.before),
    after: toSide(change.after),
    ...pickOrNull(change, 'text', 'reason', 'affects', 'verdict'),
    witness: orNull(change.witness, toWitness),
    consequences: change.consequences,
    consumers: orNull(change.consumers, (all) => all.map(toConsumer)),
  };
}

function toSide({ value, place }: ChangeSide): object {
  return { ...toValue(value), place: toPlace(place) };
}

/** A value with its presence, since `null` is a value too. */
function toValue(value: Json | undefined): { readonly present: boolean; readonly value: Json } {
  return { present: value !== undefined, value: value ?? null };
}

function toWitness(witness: ChangeWitness): object {
  return {
    exchange: toExchange(witness.exchange),
    pointer: witness.pointer,
    refused: toValue(witness.value),
    ...pickOrNull(witness, 'refusedBy', 'keyword', 'message'),
    place: orNull(witness.place, toPlace),
    records: orNull(witness.records, (records) => pick(records, 'given', 'before', 'after')),
    mockResponses: orNull(witness.mockResponses, ({ old, new: next }) => ({ old: toMockResponse(old), new: toMockResponse(next) })),
  };
}

function toMockResponse(response: WitnessResponse): object {
  return pickOrNull(response, 'status', 'code', 'returned');
}

function toExchange({ request, response }: WitnessExchange): object {
  return {
    request: orNull(request, ({ variables = [], body, ...sent }) => ({
      ...pick(sent, 'method', 'target', 'headers'),
      variables,
      body: toValue(body),
    })),
    response: orNull(response, ({ body, ...received }) => ({ ...pick(received, 'status', 'headers'), body: toValue(body) })),
  };
}
