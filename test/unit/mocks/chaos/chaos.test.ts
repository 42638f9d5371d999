/** What requests meet of rules: by a hash of what they are, so that nothing else that is asked changes it. */

import { describe, expect, it } from 'vitest';
import { type ChaosSource, createTrouble } from '../../../../mocks/chaos/chaos.ts';
import type { ChaosContext } from '../../../../mocks/chaos/chaos-decision.ts';

const subjects = { operations: ['listBooks', 'readBook'], roles: ['full', 'other', 'anybody'], codes: ['CLOSED', 'NOT_READY'] };

function start(rules: string | readonly string[], seed = 1): ChaosSource {
  return createTrouble(seed, rules, () => subjects);
}

function passage(target: string, more: Partial<ChaosContext> & { readonly own?: string } = {}): ChaosContext {
  const { own, ...rest } = more;
  const headers = own === undefined ? {} : { 'mock-trouble': own };
  return { contract: 'library', operation: 'listBooks', role: 'full', request: { method: 'GET', target, headers }, ...rest };
}

function met(trouble: ChaosSource, at: ChaosContext): readonly string[] {
  const encounter = trouble.meet(at);
  return 'refused' in encounter ? [`refused ${encounter.refused}`] : encounter.blows.map(({ rule }) => rule);
}

const targets = Array.from({ length: 400 }, (_, index) => `/books?page=${index}`);

describe('a share', () => {
  it('is met by about so many of the requests, not always by the same for another seed or rule', () => {
    const hits = (rule: string, seed: number): readonly string[] => {
      const trouble = start(rule, seed);
      return targets.filter((target) => met(trouble, passage(target)).length > 0);
    };
    const first = hits('503 25%', 1);
    expect(first.length).toBeGreaterThan(70);
    expect(first.length).toBeLessThan(130);
    expect(hits('503 25%', 1)).toEqual(first);
    expect(hits('503 25%', 2)).not.toEqual(first);
    expect(hits('reset 25%', 1)).not.toEqual(first);
  });

  it('of nothing is never met, and of everything always', () => {
    expect(targets.filter((target) => met(start('503 0%'), passage(target)).length > 0)).toEqual([]);
    expect(targets.filter((target) => met(start('503'), passage(target)).length === 0)).toEqual([]);
  });

  it('is rolled anew by each retry, the same way each time', () => {
    const rolls = (): string => {
      const trouble = start('503 50%');
      return Array.from({ length: 40 }, () => met(trouble, passage('/books')).length).join('');
    };
    expect(rolls()).toMatch(/^(?=.*00)(?=.*01)(?=.*10)(?=.*11)/);
    expect(rolls()).toBe(rolls());
  });

  it('does not depend on what else is asked, by others or by the same client', () => {
    const trouble = start('503 50%; reset 20%');
    const alone = targets.slice(0, 50).map((target) => met(start('503 50%; reset 20%'), passage(target)));
    const among = targets.slice(0, 50).map((target) => {
      met(trouble, passage('/books?page=between'));
      met(trouble, passage(target, { role: 'other' }));
      return met(trouble, passage(target));
    });
    expect(among).toEqual(alone);
  });

  it('differs by role and by method', () => {
    const decide = (more: Partial<ChaosContext>, method = 'GET'): string => {
      const trouble = start('503 50%');
      return targets.map((target) => met(trouble, { ...passage(target, more), request: { method, target, headers: {} } }).length).join('');
    };
    expect(new Set([decide({}), decide({ role: 'other' }), decide({}, 'HEAD')]).size).toBe(3);
  });

  it('begins anew for a request that was forgotten, since only so many are remembered', () => {
    const trouble = start('503 50%');
    const rolls = (): string => Array.from({ length: 30 }, () => met(trouble, passage('/books?page=mine')).length).join('');
    const first = rolls();
    expect(rolls()).not.toBe(first);
    for (let index = 0; index < 4096; index += 1) met(trouble, passage(`/books?page=${index}`));
    expect(rolls()).toBe(first);
  });
});

describe('a rule', () => {
  it('holds at its operations and for its roles alone', () => {
    const trouble = start(['503 list*', 'reset key=other', 'truncated readBook key=full']);
    expect(met(trouble, passage('/a'))).toEqual(['503 list*']);
    expect(met(trouble, passage('/a', { role: 'other' }))).toEqual(['503 list*', 'reset key=other']);
    expect(met(trouble, passage('/a', { operation: 'readBook' }))).toEqual(['truncated readBook key=full']);
    expect(met(trouble, passage('/a', { operation: 'readBook', role: 'anybody' }))).toEqual([]);
  });

  it.each([
    ['503 listBook', 'no operation is called listBook; is listBooks meant?'],
    ['503 key=guest', 'no key role is called guest; there are full, other, anybody'],
    ['503:CLOSD', 'no code of a 503 is called CLOSD; is CLOSED meant?'],
  ])('must name what there is: %s', (rule, message) => {
    expect(() => start(rule)).toThrow(message);
  });
});

describe('a request', () => {
  it('may bring rules for itself alone, beside those that hold', () => {
    const trouble = start('reset');
    expect(met(trouble, passage('/a', { own: '503:CLOSED; latency 5ms' }))).toEqual(['reset', '503:CLOSED', 'latency 5ms']);
    expect(met(trouble, passage('/a'))).toEqual(['reset']);
    const encounter = trouble.meet(passage('/a', { own: 'truncated' }));
    expect('blows' in encounter && encounter.blows.map(({ isOwn }) => isOwn)).toEqual([false, true]);
  });

  it('may be left in peace, or meet its own rules only', () => {
    const trouble = start('reset');
    expect(met(trouble, passage('/a', { own: 'off' }))).toEqual([]);
    expect(met(trouble, passage('/a', { own: 'off; 503' }))).toEqual(['503']);
  });

  it.each([
    ['503 getOrders', 'no operation is called getOrders'],
    ['lightning', '"lightning" is no trouble'],
    ['', 'it holds no rule'],
  ])('whose rules cannot be read is refused: %s', (own, message) => {
    const [refused = ''] = met(start('reset'), passage('/a', { own }));
    expect(refused).toContain('refused Mock-Trouble: the trouble ');
    expect(refused).toContain(message);
  });
});

describe('the rules of a running mock', () => {
  it('are listed, set, added to, cleared, and put back', () => {
    const trouble = start(['503  10% , reset', 'slow 1kB/s']);
    expect(trouble.list()).toEqual(['503 10%', 'reset', 'slow 1kB/s']);
    trouble.set('truncated; 429');
    expect(trouble.list()).toEqual(['truncated', '429']);
    trouble.add(['503', 'reset']);
    expect(trouble.list()).toEqual(['truncated', '429', '503', 'reset']);
    trouble.add('off; reset 5%');
    expect(trouble.list()).toEqual(['reset 5%']);
    trouble.set('off');
    expect(trouble.list()).toEqual([]);
    trouble.reset();
    expect(trouble.list()).toEqual(['503 10%', 'reset', 'slow 1kB/s']);
    trouble.clear();
    expect(trouble.list()).toEqual([]);
    trouble.set([]);
    expect(met(trouble, passage('/a'))).toEqual([]);
  });

  it('stay as they are when new ones cannot be read', () => {
    const trouble = start('reset');
    expect(() => trouble.set(['503', 'nonsense'])).toThrow('"nonsense" is no trouble');
    expect(() => trouble.add('503 readBok')).toThrow('is readBook meant?');
    expect(trouble.list()).toEqual(['reset']);
  });

  it.each([[5], [['503', 5]], [null], [{ rules: [] }]])('are texts, and nothing else: %j', (wrong) => {
    const trouble = start('reset');
    expect(() => trouble.set(wrong as unknown as string)).toThrow('is neither a text nor a list of texts');
    expect(trouble.list()).toEqual(['reset']);
  });

  it('begin their chances anew with each change, so that a test can repeat itself', () => {
    const trouble = start('503 50%');
    const rolls = (): string => Array.from({ length: 30 }, () => met(trouble, passage('/a')).length).join('');
    const first = rolls();
    expect(rolls()).not.toBe(first);
    trouble.reset();
    expect(rolls()).toBe(first);
    trouble.set('503 50%');
    expect(rolls()).toBe(first);
  });
});
