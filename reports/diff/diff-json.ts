/** The JSON report of a comparison; its schema is specs/diff-report.schema.json. Nothing is shortened. */

import type { Json } from '../../core/json.ts';
import {
  type Change,
  type ChangeSide,
  type ChangeWitness,
  type ContractComparison,
  changeLevels,
  unacceptedChanges,
} from '../../core/results/diff-result.ts';
import { printReport } from '../print-json.ts';

/** Version of the format. A removed or changed field makes a new version, a new field does not. */
const diffReportVersion = 'touchstone-diff/1' as const;

/** Renders a comparison. The changes of a result may include accepted ones; those of a report do not. */
export function renderDiffJson(comparison: ContractComparison): string {
  const { count, version, old, new: next, accepted, searched, notCompared, consumers, notes } = comparison;
  const { isEnough, ...semver } = version;
  return printReport({
    schema: diffReportVersion,
    breaking: count.breaking > 0,
    semver: { ...semver, enough: isEnough },
    count,
    old,
    new: next,
    changes: changeLevels.flatMap((level) => unacceptedChanges(comparison, level)).map(toChange),
    accepted: accepted.map((each) => ({ ...each, change: toChange(each.change) })),
    searched,
    notCompared,
    consumers,
    notes,
  });
}

function toChange(change: Change): object {
  return { ...change, before: toSide(change.before), after: toSide(change.after), witness: change.witness && toWitness(change.witness) };
}

function toSide({ value, place }: ChangeSide): object {
  return { ...toValue(value), place };
}

/** A value with its presence, since `null` is a value too. */
function toValue(value: Json | undefined): { readonly present: boolean; readonly value: Json } {
  return { present: value !== undefined, value: value ?? null };
}

function toWitness({ exchange: { request, response }, value, ...witness }: ChangeWitness): object {
  return {
    exchange: {
      request: request && { ...request, body: toValue(request.body) },
      response: response && { ...response, body: toValue(response.body) },
    },
    refused: toValue(value),
    ...witness,
  };
}
