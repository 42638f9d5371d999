/**
 * Servers whose exchanges are written down for the mutation tests: the mock as it is, with each kind of fault, with other answers to what is open, and
 * unwell; and the second server in odd states.
 */

import { laws } from '../../../contracts/laws/catalogue.ts';
import { type Contract, loadContract } from '../../../core/contract.ts';
import type { Edit } from '../../../core/edit.ts';
import { contractFile } from '../../../core/shipped.ts';
import { type MockOptions, startMock } from '../../../mocks/start.ts';
import { allFaults, faultsOfGroups, kindOf, sendersFor } from '../../helpers/faults.ts';
import { busy, edges, slow } from '../../second/chaos.ts';
import { type SecondOptions, startSecondServer } from '../../second/server.ts';
import type { Disturbance } from './disturb.ts';
import { disturbances } from './disturbance.ts';
import { scramble } from './scramble.ts';
import { chooseEdits, listVariants, manyEdits } from './variants.ts';

/** A server that runs. */
export interface Started extends AsyncDisposable {
  readonly url: string;
  readonly keys: Readonly<Record<string, string>>;
  readonly hidden: readonly string[];
}

/** A server that can be started, and the laws that judge it. */
export interface World {
  readonly name: string;
  readonly api: Api;
  readonly only: readonly string[];
  /** Those of them that the world is there for; all of them unless given. The rest only asks and is asked. */
  readonly about?: readonly string[];
  /** Whether few requests matter more than much evidence. */
  readonly quick: boolean;
  readonly start: () => Promise<Started>;
  /** What happens to the answers on their way; nothing unless given. */
  readonly disturbance?: Disturbance;
  /** What the contract says otherwise than the server does; nothing unless given. */
  readonly edits?: readonly Edit[];
}

const apis = ['business', 'wiki'] as const;
/** The contracts that worlds are judged by. */
export type Api = (typeof apis)[number];

/** The contracts by name. */
export const contracts: Readonly<Record<Api, Contract>> = {
  business: await loadContract(contractFile('business')),
  wiki: await loadContract(contractFile('wiki')),
};

const variants: Readonly<Record<Api, readonly Edit[]>> = {
  business: await listVariants(contracts.business),
  wiki: await listVariants(contracts.wiki),
};

/** Every world. */
export function listWorlds(): readonly World[] {
  const odd = apis.flatMap((api) => groupsAbout(api).flatMap((group) => listOdd(api, group)));
  return [...apis.flatMap(listClean), ...listFaulty(), ...odd, ...apis.flatMap(listScrambled), ...apis.flatMap(listMisread)];
}

/** One law each, so that a mutant meets the tests that are about it first. */
function listClean(api: Api): readonly World[] {
  return lawsAbout(api).map((id) => ({ name: `${api} as it is, ${id}`, api, only: [id], quick: false, start: () => start(api) }));
}

/** Mistakes by chance, rare and frequent ones: for each law, and for the groups that do not read much. */
function listScrambled(api: Api): readonly World[] {
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8];
  const world = (name: string, about: readonly string[]): readonly World[] => {
    const only = lawsAbout(api).filter((id) => about.includes(id) || (about.some(isPassive) && senders.includes(id)));
    return seeds.map((seed) => ({
      ...{ name: `${api} with small mistakes (${seed}), ${name}`, api, only, about, quick: false },
      ...{ start: () => start(api), disturbance: scramble(seed, [24, 12, 8, 4][seed % 4] ?? 8) },
    }));
  };
  const groups = groupsAbout(api).filter((group) => !costly.includes(group));
  return [
    ...lawsAbout(api).flatMap((id) => world(id, [id])),
    ...groups.flatMap((group) =>
      world(
        group,
        lawsAbout(api).filter((id) => groupOf(id) === group),
      ),
    ),
  ];
}

/** The mock as it is, read by contracts that say something else of its operations. */
function listMisread(api: Api): readonly World[] {
  const world = (words: string, id: string, edits: readonly Edit[]): World => ({
    ...{ name: `${api} read ${words}, ${id}`, api, quick: false, about: [id], edits },
    ...{ only: lawsAbout(api).filter((each) => each === id || (isPassive(id) && senders.includes(each))), start: () => start(api) },
  });
  return lawsAbout(api).flatMap((id) => [
    ...chooseEdits(variants[api], id, 7).map((edit, index) => world(`otherwise (${index + 1})`, id, [edit])),
    ...(readsRules.includes(groupOf(id)) ? Object.entries(manyEdits[api]).map(([words, edits]) => world(words, id, edits)) : []),
  ]);
}

/** Groups whose laws hang on the order and the filters of a list. */
const readsRules: readonly string[] = ['filters', 'ranges', 'order', 'paging', 'sync'];

/** Whether a law only looks at what others asked for. */
function isPassive(id: string): boolean {
  return groupOf(id) === 'response' || groupOf(id) === 'trouble';
}

/** The laws that have something to say of an API. */
function lawsAbout(api: Api): readonly string[] {
  const contract = contracts[api];
  const judging = laws.filter((law) => contract.operations.some((operation) => law.clause(operation, contract) !== undefined));
  return judging.map(({ id }) => id);
}

function groupsAbout(api: Api): readonly string[] {
  return [...new Set(lawsAbout(api).map(groupOf))];
}

function groupOf(id: string): string {
  return id.split('/', 1)[0] ?? id;
}

/** The laws that a fault's own law depends on are there as well; and once more all laws of its group, which have to leave it to the one that names it. */
function listFaulty(): readonly World[] {
  const groups = [...new Set(allFaults.map(({ law }) => groupOf(law)))];
  return faultsOfGroups(...groups).flatMap((fault) => {
    const api: Api = fault.contract === 'wiki' ? 'wiki' : 'business';
    const group = lawsAbout(api).filter((id) => groupOf(id) === groupOf(fault.law));
    const needed = [fault.law, ...sendersFor(fault)].filter((id) => lawsAbout(api).includes(id));
    const world = { api, quick: false, start: () => start(api, { faults: [fault.id] }) };
    const alone: World = { ...world, name: kindOf(fault), only: needed, about: [fault.law] };
    const isCheap = !costly.includes(groupOf(fault.law)) && group.length > 1;
    if (!isCheap) return [alone];
    const inGroup: World = { ...alone, name: `${kindOf(fault)}, for its group`, only: [...new Set([...needed, ...group])], about: group };
    const flying = { start: () => start(api, { faults: [fault.id], clock: 'x100000' }) };
    return [alone, inGroup, { ...inGroup, ...flying, name: `${kindOf(fault)} while time flies, for its group` }];
  });
}

/** Groups whose laws read so much that a run of them all takes long. */
const costly: readonly string[] = ['filters', 'sync', 'ranges', 'paging', 'response'];

/** Laws that bring about answers of every kind, for those that only look at what others asked for. */
const senders: readonly string[] = [
  'keys/missing',
  'keys/scopes',
  'details/absent',
  'details/identifier',
  'pages/numbers',
  'search/narrows',
];

/** Laws that ask for the same things as others do, by other keys, in other pages and with other filters. */
const others: readonly string[] = [
  ...['tenancy/lists', 'tenancy/single', 'paging/page-sizes', 'pages/page-sizes', 'filters/sound', 'details/agree', 'keys/missing'],
  ...['visible/lists', 'search/finds', 'order/across', 'paging/ties', 'details/hostile', 'details/encoded', 'keys/carriers'],
  ...['conditional/unchanged', 'details/absent', 'paging/limit-bounds'],
];

/** Faults of all kinds, several in each server, so that every law meets what another one has to name. */
function listMixes(api: Api): readonly (readonly string[])[] {
  const groups = [...new Set(allFaults.map(({ law }) => groupOf(law)))];
  const own = faultsOfGroups(...groups).filter(({ contract }) => (contract === 'wiki' ? 'wiki' : 'business') === api);
  return [0, 1, 2, 3, 4, 5].map((part) => own.filter((_, index) => index % 6 === part).map(({ id }) => id));
}

/** Groups whose laws make most of the requests of a run. */
const readsMuch: readonly string[] = ['filters', 'sync'];

/** Groups of laws that need several keys. */
const needKeys: readonly string[] = ['keys', 'tenancy', 'response'];

/** Whatever is odd, judged by one group of laws each, as whole runs would take long. */
function listOdd(api: Api, group: string): readonly World[] {
  const about = lawsAbout(api).filter((id) => groupOf(id) === group);
  const only = lawsAbout(api).filter((id) => about.includes(id) || (about.some(isPassive) && senders.includes(id)));
  const withOthers = lawsAbout(api).filter((id) => only.includes(id) || others.includes(id));
  const world = (words: string, begin: World['start'], rest: Partial<World> = {}): World => ({
    ...{ name: `${api} ${words}, ${group}`, api, only, about, quick: false, start: begin },
    ...rest,
  });
  const second = (words: string, options: Partial<SecondOptions>): World => world(words, () => startSecondServer({ api, ...options }));
  return [
    ...(['none', 'one', 'two', 'same-instant'] as const).map((data) => second(`with data ${data}`, { data })),
    second('that changes at page edges', { chaos: edges }),
    second('that changes all the time', { chaos: busy }),
    second('that changes now and then', { chaos: slow }),
    world('with other answers', () => start(api, { profile: 'other' })),
    world('while time flies', () => start(api, { clock: 'x100000' })),
    ...(readsMuch.includes(group)
      ? []
      : listMixes(api).map((faults, index) => world(`with many faults (${index + 1})`, () => start(api, { faults })))),
    ...(['response', 'trouble', 'conditional'].includes(group)
      ? [second('that throttles', { rateLimit: 5 }), second('that is starting', { notReady: 4 })]
      : []),
    world('in a quick run', () => start(api), { quick: true }),
    world('with other laws', () => start(api), { only: withOthers }),
    ...(readsMuch.includes(group)
      ? []
      : listMixes(api).map((faults, index) =>
          world(`with other laws and many faults (${index + 1})`, () => start(api, { faults }), { only: withOthers }),
        )),
    ...(needKeys.includes(group) ? [world('with one key', () => withOneKey(api))] : []),
    ...Object.entries(disturbances).map(([words, disturbance]) => world(words, () => start(api), { disturbance })),
  ];
}

async function start(api: Api, options: MockOptions = {}): Promise<Started> {
  const mock = await startMock({ contracts: [api], ...options });
  const { url, keys, hiddenSlugs } = mock;
  return { url, keys, hidden: hiddenSlugs, [Symbol.asyncDispose]: mock.close };
}

/** What most users have. */
async function withOneKey(api: Api): Promise<Started> {
  const { keys, ...started } = await start(api);
  return { ...started, keys: Object.fromEntries(Object.entries(keys).filter(([role]) => role === 'full')), hidden: [] };
}
