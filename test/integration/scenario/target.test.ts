/** Environment variables that name a server, and the scenarios that are skipped there. */
import { describe, expect, test } from 'vitest';
import { play } from '../../scenario/handwritten-server.ts';
import { parseScenario } from '../../scenario/scenario.ts';
import { reasonToSkip, targetOf } from '../../scenario/scenario-runner.ts';

const environment = {
  TOUCHSTONE_TARGET: 'http://x',
  TOUCHSTONE_KEY_FULL: 'k',
  TOUCHSTONE_KEY_WITHOUT_ORDERS_READ: 'w',
  TOUCHSTONE_KEY_OTHER: '',
};
const stage = { baseUrl: 'http://x', keys: { FULL: 'k', WITHOUT_ORDERS_READ: 'w' }, hiddenRecords: [] };
const scenario = (text: string) => parseScenario('x.yaml', `title: x\nrule: x\n${text}`);

test('no target is named by default', () => {
  expect([targetOf({}), targetOf({ TOUCHSTONE_TARGET: '' })]).toEqual([undefined, undefined]);
});

test('a target is named with its keys and hidden slugs', () => {
  expect(targetOf(environment)).toEqual(stage);
  expect(targetOf({ ...environment, TOUCHSTONE_HIDDEN_SLUGS: 'a,b' })).toEqual({ ...stage, hiddenRecords: ['a', 'b'] });
});

test('a key is found under its role, however it is spelled', async () => {
  const step = "  - { get: /, key: 'without:orders.read', expect: { status: 200 } }";
  const seen: unknown[] = [];
  await play(
    step,
    ({ headers }) => {
      seen.push(headers.authorization);
      return {};
    },
    { keys: stage.keys },
  );
  expect(seen).toEqual(['Bearer w']);
});

describe('a scenario is skipped', () => {
  const step = '{ get: /, expect: { status: 200 } }';
  test.for([
    ["the mock's choice", `mock's choice: yes\nsteps: [${step}]`, "the mock's choice"],
    ['a role without a key', `key: other\nsteps: [${step}]`, 'needs TOUCHSTONE_KEY_OTHER'],
    [
      'hidden entries unknown',
      "steps: [{ for each: { slug: !saved hidden-slugs }, get: '/{slug}', expect: { status: 404 } }]",
      'needs TOUCHSTONE_HIDDEN_SLUGS',
    ],
  ] as const)('%s', ([, text, reason]) => {
    expect(reasonToSkip(scenario(text), stage)).toContain(reason);
  });

  test('and otherwise not', () => {
    expect(reasonToSkip(scenario(`key: without:orders.read\nsteps: [${step}]`), stage)).toBeUndefined();
  });
});
