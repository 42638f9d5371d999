/** A cause of violations as an entry of a report: the mistake, the requests that show it best, and what else it explains. */

import { countNoun } from '../../core/count-noun.ts';
import { formatLocation, type SourceLocation } from '../../core/errors.ts';
import { type Json, printJson } from '../../core/json.ts';
import { type Cause, type CheckResult, type Counterexample, describeWaiver, type RunResult } from '../../core/results/run-result.ts';
import { type Block, code, type Entry, type Fact, paragraph, type Text } from '../report-model.ts';
import { shortenAround } from '../shorten-value.ts';
import { headCheck, stateTones } from './check-states.ts';
import { describeAgain, describeChecks, versusOf } from './verify-sentences.ts';

/** Maximum number of records in a list. */
const recordsMax = 5;

/** Operations in the name of a cause. */
const operationsMax = 3;

/** Builds the entry of a cause. That of a waived one has the waiver in its line. */
export function entryOfCause(cause: Cause, result: RunResult, link: string): Entry {
  const { rule, operations, title, message, waiver } = cause;
  const more = operations.length - operationsMax;
  const places = more > 0 ? `${operations.slice(0, operationsMax).join(', ')} and ${more} more` : operations.join(', ');
  const tone = stateTones[waiver === undefined ? 'violated' : 'waived'];
  return {
    name: [{ text: rule, as: tone }, ' in ', code(places)],
    title,
    tone,
    line: waiver === undefined ? message : describeWaiver(waiver),
    id: link,
    blocks: blocksOfCause(cause, result),
  };
}

/** The mistake, the requests that show it best, and what else it explains. */
export function blocksOfCause(cause: Cause, result: RunResult): readonly Block[] {
  const { id, rule, explains, counterexample, waiver } = cause;
  // A check with several violations counts once.
  const others = explains.filter(
    (each, index) =>
      each.rule !== rule && explains.findIndex((one) => one.rule === each.rule && one.operation === each.operation) === index,
  );
  return [
    versusOf(counterexample),
    {
      kind: 'facts',
      facts: [
        ...(waiver === undefined ? [] : [['waived', describeWaiver(waiver)] as const]),
        ...describeMistake(cause),
        ...listOtherPlaces(cause, result.checks),
        ['contract', describeClause(counterexample.clause, headCheck(cause, result.checks))],
        ...(others.length === 0 ? [] : [['also fails', describeOthers(others)] as const]),
        [waiver === undefined ? 'accept as' : 'cause', code(id)],
      ],
    },
    ...excerptOfClause(counterexample),
    { kind: 'exchanges', ...counterexample },
    ...(others.length < 2
      ? []
      : [
          {
            kind: 'fold',
            title: `Also fails ${countNoun(others.length, 'more check')}`,
            blocks: [paragraph(describeChecks(others))],
          } as const,
        ]),
    ...listRecords(counterexample.records),
    ...describeAgain(result, cause),
  ];
}

/** The violation of a check that another check shows better, or a check without a result. */
export function blocksOfCheck(check: CheckResult, cause: Cause | undefined): readonly Block[] {
  const { title, message, source, counterexample, waiver } = check;
  return [
    paragraph(title),
    ...(counterexample === undefined ? [] : [versusOf(counterexample)]),
    {
      kind: 'facts',
      facts: [
        ...(counterexample === undefined ? [['message', message] as const] : []),
        ...(waiver === undefined ? [] : [['waived', describeWaiver(waiver)] as const]),
        ...describeMistake(check),
        ['source', code(source)],
        ...(cause === undefined ? [] : [['cause', code(cause.id)] as const]),
      ],
    },
  ];
}

/** The other parameters, headers or members at which the same mistake shows, with other words than those of the cause. */
function listOtherPlaces({ rule, explains }: Cause, checks: readonly CheckResult[]): readonly Fact[] {
  const violations = checks.flatMap((check) => (check.rule === rule ? [check, ...(check.further ?? [])] : []));
  const [first, ...others] = explains.flatMap((each) => violations.find(({ fingerprint }) => fingerprint === each.fingerprint) ?? []);
  const places = new Set(others.flatMap((other) => (other.message === first?.message ? [] : [placeOf(other.subject ?? '')])));
  places.delete(placeOf(first?.subject ?? ''));
  places.delete('');
  const [place, ...more] = places;
  return place === undefined
    ? []
    : [['also in', [code(place), ...(more.length === 0 ? [] : [` and ${countNoun(more.length, 'more place')}`])]]];
}

/** The place in a subject: `limit` of `filter-ignored.limit`, `/data/status` of `/data/status enum`; empty if it names none. */
function placeOf(subject: string): string {
  const [first = '', ...words] = subject.split(' ');
  return words.length > 0 ? first : first.split('.').slice(1).join('.');
}

/** The lines of the contract that state the violated rule. */
function excerptOfClause({ clauseExcerpt }: Counterexample): readonly Block[] {
  return clauseExcerpt === undefined ? [] : [{ kind: 'excerpt', label: 'contract', excerpt: clauseExcerpt }];
}

/** Describes what the server does, and the likely mistake in its code. */
function describeMistake({ diagnosis, hint }: Pick<Cause, 'diagnosis' | 'hint'>): readonly Fact[] {
  if (diagnosis === undefined) return hint === undefined ? [] : [['hint', hint]];
  return [['diagnosis', hint === undefined ? diagnosis : `${diagnosis}. ${hint}`]];
}

/** Names the first of the checks that a cause explains, so that a terminal needs one line. */
function describeOthers(others: Cause['explains']): string {
  const [first] = others;
  return `${countNoun(others.length, 'more check')}${others.length === 1 ? ':' : ', such as'} ${first?.rule} in ${first?.operation}`;
}

function describeClause(clause: SourceLocation, check: CheckResult | undefined): Text {
  const place = formatLocation(clause);
  if (check === undefined) return code(place);
  return [code(place), ...(place === check.source ? [] : [`, from ${check.source}`]), ` (${check.strength})`];
}

function listRecords(records: readonly Json[]): readonly Block[] {
  if (records.length === 0) return [];
  const lines = records.slice(0, recordsMax).flatMap((record) => printJson(shortenAround(record), 2).split('\n'));
  const more = records.length - recordsMax;
  const parts = [{ title: 'Records', lines: [...lines, ...(more <= 0 ? [] : [`… and ${more} more`])] }];
  return [{ kind: 'fold', title: `Affected records: ${records.length}`, blocks: [{ kind: 'listing', label: '', parts, conclusion: [] }] }];
}
