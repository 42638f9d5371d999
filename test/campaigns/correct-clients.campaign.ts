/** Judges correct clients, none of which may be accused: many styles and random clients under every kind of chaos, and the client of the examples in every scenario. */

import { clientStyles, findingsOfStyle, survivableChaos } from '../helpers/client-styles.ts';
import { createExampleClient, findingsOfExample } from '../helpers/example-client.ts';
import { runExamOutOfTime } from '../helpers/out-of-time.ts';
import { findingsOfRandomClient } from '../helpers/random-clients.ts';
import { type Campaign, defineCampaign, type Item } from './campaign.ts';

/** A client with a seed of the mock. */
interface Play extends Item {
  readonly seed: number;
  readonly findings: () => Promise<readonly string[]>;
}

const chaosOfExample = ['503 10%', '429 2% retry-after=1', 'reset 3%', 'truncated 3%', 'latency 1ms..5ms'];

export const campaign: Campaign = defineCampaign<Play, readonly string[]>({
  items: (size = 20) => Array.from({ length: size }, (_, index) => playsOf(index + 1)).flat(),
  judge: async ({ findings }) => await findings(),
  complaints: (findings) => findings,
  smoke: (items) => items.slice(0, 1),
});

function playsOf(seed: number): readonly Play[] {
  return [
    ...Object.keys(clientStyles).map((name) => ({ key: `${seed} ${name}`, seed, findings: () => findingsOfAnyChaos(name, seed) })),
    { key: `${seed} random`, seed, findings: () => findingsOfRandomClients(seed) },
    { key: `${seed} example`, seed, findings: () => findingsOfExample(seed, []) },
    { key: `${seed} example with chaos`, seed, findings: () => findingsOfExample(seed, chaosOfExample) },
    { key: `${seed} example in an exam`, seed, findings: () => failedScenarios(seed) },
  ];
}

async function findingsOfAnyChaos(name: string, seed: number): Promise<readonly string[]> {
  const messages: string[] = [];
  for (const chaos of [undefined, ...survivableChaos])
    for (const offset of chaos === undefined ? [0] : [0, 1, 2])
      for (const { rule, message } of await findingsOfStyle(name, { seed, chaos, offset })) messages.push(`${chaos}: ${rule}: ${message}`);
  return messages;
}

/** Number of random clients for each seed. */
const randomCount = 20;

async function findingsOfRandomClients(seed: number): Promise<readonly string[]> {
  const messages: string[] = [];
  for (let index = 0; index < randomCount; index += 1) {
    const client = seed * randomCount + index;
    for (const { rule, message } of await findingsOfRandomClient(client)) messages.push(`random client ${client}: ${rule}: ${message}`);
  }
  return messages;
}

async function failedScenarios(seed: number): Promise<readonly string[]> {
  const { scenarios } = await runExamOutOfTime(createExampleClient(), { seed });
  return scenarios.filter(({ state }) => state !== 'passed').map(({ id, state }) => `${id}: ${state}`);
}
