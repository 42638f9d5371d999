/** The catalogue of faults: ids that can be relied on, laws that exist, and no fault that nothing shows. */

import { describe, expect, it } from 'vitest';
import { laws } from '../../../../contracts/laws/catalogue.ts';
import type { Fault } from '../../../../mocks/faults/fault.ts';
import { type Ask, createStage, type Probe, type Stage } from './probes.ts';

const business = await createStage('business');
const wiki = await createStage('wiki');
const all = [...business.faults, ...wiki.faults];
const lawIds = laws.map(({ id }) => id);

describe('the catalogue', () => {
  it('has a fault only once', () => {
    const ids = all.map((fault) => fault.id);
    expect(ids.filter((id, index) => ids.indexOf(id) < index)).toEqual([]);
  });

  it('writes ids as KIND:PLACE', () => {
    expect(all.filter(({ id }) => !/^[a-z]+(-[a-z0-9]+)*:[A-Za-z0-9._-]+$/.test(id)).map(({ id }) => id)).toEqual([]);
  });

  it('says in a sentence what is wrong', () => {
    expect(all.filter(({ title }) => !/^[A-Za-z/].{10,140}\.$/.test(title)).map(({ title }) => title)).toEqual([]);
  });

  it('names laws that exist', () => {
    expect(all.filter(({ law }) => !lawIds.includes(law)).map(({ id, law }) => `${id} ${law}`)).toEqual([]);
  });

  it('is large enough for both contracts', () => {
    expect(business.faults.length).toBeGreaterThanOrEqual(95);
    expect(wiki.faults.length).toBeGreaterThanOrEqual(35);
  });
});

describe('the first fault of each kind', () => {
  // The campaign `mutants` judges those of every place.
  it('of the business API shows in an answer', { timeout: 60_000 }, async () => {
    expect(await listUnseen(business)).toEqual([]);
  });

  it('of the wiki API shows in an answer', { timeout: 60_000 }, async () => {
    expect(await listUnseen(wiki)).toEqual([]);
  });
});

/** The faults with which no probe is answered otherwise than without. */
async function listUnseen(stage: Stage): Promise<readonly string[]> {
  const ask = stage.serve([]);
  const untouched = new Map<Probe, string>();
  const askUntouched = async (probe: Probe): Promise<string> => {
    const known = untouched.get(probe) ?? transcriptOf(await probe.ask(ask));
    untouched.set(probe, known);
    return known;
  };
  const unseen: string[] = [];
  const telling: Telling[] = [];
  const firsts = new Map(stage.faults.toReversed().map((fault) => [fault.id.split(':', 1)[0], fault]));
  for (const fault of [...firsts.values()].toReversed()) {
    const shown = await findTelling(stage.serve([fault]), sortFor(fault, stage.probes, telling), askUntouched);
    if (shown === undefined) unseen.push(fault.id);
    else telling.unshift({ probe: shown, law: fault.law });
  }
  return unseen;
}

function transcriptOf(seen: Awaited<ReturnType<Probe['ask']>>): string {
  return seen.map(({ status, headers, body }) => `${status} ${JSON.stringify(headers)} ${body}`).join('\n');
}

/** A probe that showed a fault of some law. */
interface Telling {
  readonly probe: Probe;
  readonly law: string;
}

/** The first probe that shows that something is wrong. */
async function findTelling(
  ask: Ask,
  probes: readonly Probe[],
  askUntouched: (probe: Probe) => Promise<string>,
): Promise<Probe | undefined> {
  for (const probe of probes) if (transcriptOf(await probe.ask(ask)) !== (await askUntouched(probe))) return probe;
  return undefined;
}

/**
 * What is about the operation of the fault comes first, then what names its parameter, and of that what showed other faults of the same law, and then of
 * the same group of laws: so most are shown by one of the first probes, and what takes many requests is seldom asked.
 */
function sortFor(fault: Fault, probes: readonly Probe[], telling: readonly Telling[]): readonly Probe[] {
  const [, parameter = '?'] = fault.id.split('.');
  const distanceOf = ({ operation, target }: Probe): number =>
    (fault.id.includes(`:${operation}`) ? 0 : 2) + (target.includes(`${parameter}=`) ? 0 : 1);
  const groupOf = (law: string): string => law.split('/', 1)[0] ?? law;
  const alike = telling.filter(({ law }) => law === fault.law);
  const akin = telling.filter(({ law }) => groupOf(law) === groupOf(fault.law));
  const sorted = [...new Set([...[...alike, ...akin].map(({ probe }) => probe), ...probes])];
  return sorted.toSorted((left, right) => distanceOf(left) - distanceOf(right));
}
