import { expect, test } from 'vitest';
import { rules } from '../../../../../contracts/verify/rules/rule-catalogue.ts';
import { timelineRules } from '../../../../../contracts/verify/watch/timeline-rules.ts';
import { ruleIds } from '../../../../../core/results/rule-id.ts';

test('each id has one rule, in the order of the ids', () => {
  expect([...rules, ...timelineRules].map(({ id }) => id)).toEqual(ruleIds);
});
