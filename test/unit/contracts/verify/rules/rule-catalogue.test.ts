import { expect, test } from 'vitest';
import { listChecks } from '../../../../../contracts/verify/choose-checks.ts';
import { isPassive } from '../../../../../contracts/verify/rules/rule.ts';
import { rules } from '../../../../../contracts/verify/rules/rule-catalogue.ts';
import { timelineRules } from '../../../../../contracts/verify/watch/timeline-rules.ts';
import { ruleIds } from '../../../../../core/results/rule-id.ts';
import { contractOf, fakeTarget, openContext } from '../../../../helpers/engine.ts';

test('each id has one rule, in the order of the ids', () => {
  expect([...rules, ...timelineRules].map(({ id }) => id)).toEqual(ruleIds);
});

test('passive rules send nothing themselves', async () => {
  const business = await contractOf('business');
  const target = fakeTarget(() => ({ body: {} }));
  const passive = listChecks(business).filter(({ rule }) => isPassive(rule.id));
  for (const { rule, operation } of passive) await rule.examine(openContext(business, target), operation);
  expect([passive.length > 50, target.requests]).toEqual([true, []]);
});
