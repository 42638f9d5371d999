/** Effects of chaos rules on requests. They depend on a hash of the request, so other requests do not change them. */

import { describe, expect, it } from 'vitest';
import { type ActiveChaos, createActiveChaos } from '../../../../mocks/chaos/active-chaos.ts';
import type { ChaosContext } from '../../../../mocks/chaos/chaos-decision.ts';

const subjects = { operations: ['listBooks', 'readBook'], roles: ['full', 'other', 'anybody'], codes: ['CLOSED', 'NOT_READY'] };

function start(rules: string | readonly string[], seed = 1): ActiveChaos {
  return createActiveChaos(seed, rules, () => subjects);
}

function passage(target: string, more: Partial<ChaosContext> & { readonly own?: string } = {}): ChaosContext {
  const { own, ...rest } = more;
  const headers = own === undefined ? {} : { 'mock-chaos': own };
  return { contract: 'library', operation: 'listBooks', role: 'full', request: { method: 'GET', target, headers }, ...rest };
}

function met(chaos: ActiveChaos, at: ChaosContext): readonly string[] {
  const encounter = chaos.drawEffects(at);
  return 'refused' in encounter ? [`refused ${encounter.refused}`] : encounter.effects.map(({ rule }) => rule);
}

const targets = Array.from({ length: 400 }, (_, index) => `/books?page=${index}`);

describe('a share', () => {
  it('applies to about this share of requests, and to others for another seed or rule', () => {
    const hits = (rule: string, seed: number): readonly string[] => {
      const chaos = start(rule, seed);
      return targets.filter((target) => met(chaos, passage(target)).length > 0);
    };
    const first = hits('503 25%', 1);
    expect(first.length).toBeGreaterThan(70);
    expect(first.length).toBeLessThan(130);
    expect(hits('503 25%', 1)).toEqual(first);
    expect(hits('503 25%', 2)).not.toEqual(first);
    expect(hits('reset 25%', 1)).not.toEqual(first);
  });

  it('of 0% never applies, and of 100% always', () => {
    expect(targets.filter((target) => met(start('503 0%'), passage(target)).length > 0)).toEqual([]);
    expect(targets.filter((target) => met(start('503'), passage(target)).length === 0)).toEqual([]);
  });

  it('is drawn again for each retry, reproducibly', () => {
    const rolls = (): string => {
      const chaos = start('503 50%');
      return Array.from({ length: 40 }, () => met(chaos, passage('/books')).length).join('');
    };
    expect(rolls()).toMatch(/^(?=.*00)(?=.*01)(?=.*10)(?=.*11)/);
    expect(rolls()).toBe(rolls());
  });

  it('does not depend on other requests', () => {
    const chaos = start('503 50%; reset 20%');
    const alone = targets.slice(0, 50).map((target) => met(start('503 50%; reset 20%'), passage(target)));
    const among = targets.slice(0, 50).map((target) => {
      met(chaos, passage('/books?page=between'));
      met(chaos, passage(target, { role: 'other' }));
      return met(chaos, passage(target));
    });
    expect(among).toEqual(alone);
  });

  it('differs by role and by method', () => {
    const decide = (more: Partial<ChaosContext>, method = 'GET'): string => {
      const chaos = start('503 50%');
      return targets.map((target) => met(chaos, { ...passage(target, more), request: { method, target, headers: {} } }).length).join('');
    };
    expect(new Set([decide({}), decide({ role: 'other' }), decide({}, 'HEAD')]).size).toBe(3);
  });

  it('starts again for the least recent request beyond the limit of counted ones', () => {
    const chaos = start('503 50%');
    const rolls = (): string => Array.from({ length: 30 }, () => met(chaos, passage('/books?page=mine')).length).join('');
    const first = rolls();
    expect(rolls()).not.toBe(first);
    for (let index = 0; index < 4096; index += 1) met(chaos, passage(`/books?page=${index}`));
    expect(rolls()).toBe(first);
  });
});

describe('a rule', () => {
  it('applies only to its operations and roles', () => {
    const chaos = start(['503 list*', 'reset key=other', 'truncated readBook key=full']);
    expect(met(chaos, passage('/a'))).toEqual(['503 list*']);
    expect(met(chaos, passage('/a', { role: 'other' }))).toEqual(['503 list*', 'reset key=other']);
    expect(met(chaos, passage('/a', { operation: 'readBook' }))).toEqual(['truncated readBook key=full']);
    expect(met(chaos, passage('/a', { operation: 'readBook', role: 'anybody' }))).toEqual([]);
  });

  it.each([
    ['503 listBook', 'no operation is called listBook; did you mean listBooks?'],
    ['503 key=guest', 'no key role is called guest; there are full, other, anybody'],
    ['503:CLOSD', 'no code of a 503 is called CLOSD; did you mean CLOSED?'],
  ])('must have known names: %s', (rule, message) => {
    expect(() => start(rule)).toThrow(message);
  });
});

describe('a request', () => {
  it('may add rules for itself', () => {
    const chaos = start('reset');
    expect(met(chaos, passage('/a', { own: '503:CLOSED; latency 5ms' }))).toEqual(['reset', '503:CLOSED', 'latency 5ms']);
    expect(met(chaos, passage('/a'))).toEqual(['reset']);
    const encounter = chaos.drawEffects(passage('/a', { own: 'truncated' }));
    expect('effects' in encounter && encounter.effects.map(({ isOwn }) => isOwn)).toEqual([false, true]);
  });

  it('may disable the rules of the mock, with or without own rules', () => {
    const chaos = start('reset');
    expect(met(chaos, passage('/a', { own: 'off' }))).toEqual([]);
    expect(met(chaos, passage('/a', { own: 'off; 503' }))).toEqual(['503']);
  });

  it.each([
    ['503 getOrders', 'no operation is called getOrders'],
    ['lightning', '"lightning" is invalid'],
    ['', 'it has no rule'],
  ])('with invalid rules is refused: %s', (own, message) => {
    const [refused = ''] = met(start('reset'), passage('/a', { own }));
    expect(refused).toContain('refused Mock-Chaos: the chaos ');
    expect(refused).toContain(message);
  });
});

describe('the rules of a running mock', () => {
  it('are listed, set, added, cleared and reset', () => {
    const chaos = start(['503  10% , reset', 'slow 1kB/s']);
    expect(chaos.list()).toEqual(['503 10%', 'reset', 'slow 1kB/s']);
    chaos.set('truncated; 429');
    expect(chaos.list()).toEqual(['truncated', '429']);
    chaos.add(['503', 'reset']);
    expect(chaos.list()).toEqual(['truncated', '429', '503', 'reset']);
    chaos.add('off; reset 5%');
    expect(chaos.list()).toEqual(['reset 5%']);
    chaos.set('off');
    expect(chaos.list()).toEqual([]);
    chaos.reset();
    expect(chaos.list()).toEqual(['503 10%', 'reset', 'slow 1kB/s']);
    chaos.clear();
    expect(chaos.list()).toEqual([]);
    chaos.set([]);
    expect(met(chaos, passage('/a'))).toEqual([]);
  });

  it('stay if new ones are invalid', () => {
    const chaos = start('reset');
    expect(() => chaos.set(['503', 'nonsense'])).toThrow('"nonsense" is invalid');
    expect(() => chaos.add('503 readBok')).toThrow('did you mean readBook?');
    expect(chaos.list()).toEqual(['reset']);
  });

  it.each([[5], [['503', 5]], [null], [{ rules: [] }]])('are texts, and nothing else: %j', (wrong) => {
    const chaos = start('reset');
    expect(() => chaos.set(wrong as unknown as string)).toThrow('is neither a string nor a list of strings');
    expect(chaos.list()).toEqual(['reset']);
  });

  it('restart the random choices with each change, so that a test is reproducible', () => {
    const chaos = start('503 50%');
    const rolls = (): string => Array.from({ length: 30 }, () => met(chaos, passage('/a')).length).join('');
    const first = rolls();
    expect(rolls()).not.toBe(first);
    chaos.reset();
    expect(rolls()).toBe(first);
    chaos.set('503 50%');
    expect(rolls()).toBe(first);
  });
});
