/** Knows which assertions a step may make, and reads the `expect` of a step; a step that asserts nothing is an error. */
import { readBody, readEchoesNoKey, readEmptyBody, readHeaders, readRecord, readStatus } from './answer-checks.ts';
import type { Check, CheckReader } from './check.ts';
import { readCount, readEach, readSome } from './list-checks.ts';
import { readNoRepetition, readSameSetAs, readSelectionOf, readUnionOf } from './set-checks.ts';
import { readSorted } from './sorted-check.ts';
import { knownMembersOf, ScenarioError, type SourceNode } from './source.ts';

type Readers = Readonly<Record<string, CheckReader>>;

const LIST_READERS: Readers = { each: readEach, some: readSome, count: readCount, sorted: readSorted };

/** The assertions about a single answer. */
export const ANSWER_READERS: Readers = {
  status: readStatus,
  headers: readHeaders,
  body: readBody,
  record: readRecord,
  'empty body': readEmptyBody,
  'echoes no key': readEchoesNoKey,
  ...LIST_READERS,
};

/** The assertions about the list that a walk gathered. */
export const WALK_READERS: Readers = {
  ...LIST_READERS,
  'no repetition': readNoRepetition,
  'same set as': readSameSetAs,
  'union of': readUnionOf,
  'selection of': readSelectionOf,
};

/** Reads the `expect` of a step. */
export const parseExpectation = (node: SourceNode | undefined, step: SourceNode, readers: Readers): readonly Check[] => {
  const members = node === undefined ? new Map<string, SourceNode>() : knownMembersOf(node, 'expect', Object.keys(readers));
  const checks = [...members].flatMap(([key, member]) => readers[key]?.(member) ?? []);
  if (checks.length === 0)
    throw new ScenarioError(`${step.where}: a step that asserts nothing; give it an "expect" with at least a status`);
  return checks;
};
