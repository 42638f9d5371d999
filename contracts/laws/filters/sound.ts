/** The law that filters let nothing else through. */

import type { Json } from '../../../core/json.ts';
import type { Rival } from '../../../core/verdict.ts';
import { explanationOf, lawOf } from '../../explanation.ts';
import { predictableFilters } from '../../filter-values.ts';
import type { Lab } from '../../lab.ts';
import type { Finding, Law } from '../../law.ts';
import { enumFilters, readParts } from '../../parts.ts';
import { isSuccess, type Reply, recordsIn } from '../../reply.ts';
import { examineSelections } from '../../selection.ts';
import { soundPlan } from '../../sound-plan.ts';
import { checkpointOf, type Universe } from '../../universe.ts';
import { isList, keyOf, toArguments } from '../../walk.ts';
import { describeRecords, describeValues } from '../../words.ts';

/** The law. */
export const sound: Law = {
  id: 'filters/sound',
  title: 'Every record of a filtered list satisfies every filter',
  why: 'A client that asks for some records and gets others works on what it did not ask for.',
  strength: 'stated',
  clause: (operation, contract) => (isList(operation) && predictableFilters(contract, operation).length > 0 ? operation.place : undefined),
  examine: async (lab, operation) => {
    if (!isList(operation)) throw new TypeError(`${operation.id} is no list`);
    const universe = await lab.universe(operation);
    const plan = soundPlan(lab, universe);
    const { rivals } = plan;
    if (!lab.quick) for (const name of enumFilters(lab.contract, operation)) await readParts(lab, universe, name);
    const examination = await examineSelections(lab, operation, plan);
    return {
      rivals: examination.rivals,
      judge: () => [
        ...lab.replies.flatMap((reply) => judgeReply(lab, universe, reply, rivals)),
        ...examination.judge().filter(isAgreement),
      ],
    };
  },
};

function isAgreement(finding: Finding): boolean {
  return finding.kind === 'agrees' || finding.kind === 'moved';
}

/** A record and the filters that it came through stand in one answer, so nothing can have moved between them. */
function judgeReply(lab: Lab, universe: Universe, reply: Reply, rivals: readonly Rival[]): readonly Finding[] {
  const { call } = reply;
  const { operation } = universe;
  const records = recordsIn(reply);
  if (call.operation.id !== operation.id || records === undefined || !isSuccess(reply) || (call.raw ?? []).length > 0) return [];
  const known = predictableFilters(lab.contract, operation);
  const values: Readonly<Record<string, Json>> = Object.fromEntries(
    Object.entries(call.values ?? {}).filter(([name]) => known.includes(name)),
  );
  const given = toArguments(values);
  const wrong = records.filter((record) => !operation.collection.query.matches(record, given));
  if (wrong.length === 0) return [];
  const walk = lab.walks.find((each) => each.end === 'complete' && each.replies.includes(reply));
  const named = walk === undefined ? undefined : explanationOf(lab, universe, walk);
  if (named !== undefined) return [{ kind: 'obscured', by: lawOf(named, checkpointOf(operation)) }];
  const broken = Object.entries(values).find(([name, value]) =>
    wrong.every((record) => !operation.collection.query.matches(record, toArguments({ [name]: value }))),
  );
  const rival = rivals.find((each) => each.id === `ignored:${broken?.[0] ?? ''}`);
  const keys = wrong.map((record) => keyOf(operation, record));
  return [
    {
      kind: 'contradicts',
      replies: [reply],
      expected: `${operation.id} with ${describeValues(values)} gives only records that satisfy it`,
      actual: `it gives ${describeRecords(operation, keys)}, which ${keys.length === 1 ? 'does' : 'do'} not`,
      records: wrong.slice(0, 3),
      witnesses: keys,
      ...(rival === undefined ? {} : { rival }),
    },
  ];
}
