/** The acceptance file: its contents, the message for each mistake, and which changes it accepts. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type Acceptance, applyAcceptances, matchesAcceptance, readAcceptances } from '../../../../contracts/diff/acceptance.ts';
import { SpecError } from '../../../../core/errors.ts';
import { loadDocument } from '../../../../core/openapi/document.ts';
import { createValidators } from '../../../../core/openapi/validator.ts';
import { parseYaml } from '../../../../core/openapi/yaml.ts';
import type { Change } from '../../../../core/results/contract-change.ts';

const place = { file: 'a.yaml', line: 1, column: 1 };

function change(more: Partial<Change> = {}): Change {
  return {
    id: 'response-body/enum-value-added',
    fingerprint: '0123456789ab',
    level: 'breaking',
    operation: 'GET /things',
    operations: ['GET /things'],
    direction: 'response',
    location: 'response 200, items[].state',
    before: { value: undefined, place },
    after: { value: undefined, place },
    text: 'a value is new',
    consequences: [],
    reason: 'clients do not know it',
    affects: ['clients'],
    verdict: 'proved',
    witness: undefined,
    ...more,
  };
}

const acceptance = (more: Partial<Acceptance> = {}): Acceptance => ({
  id: 'response-body/enum-value-added',
  reason: 'agreed',
  place: { file: 'accepted.yaml', line: 3, column: 5 },
  ...more,
});

const entry = 'id: a/b, reason: agreed';

describe('a file of acceptances', () => {
  it('is read with the place of each entry', () => {
    const text = [
      '# What we agreed on.',
      'accepted:',
      '  - id: response-body/enum-value-added',
      "    operation: 'GET /things*'",
      "    location: 'response 200, *'",
      "    fingerprint: '0123456789ab'",
      '    reason: every client was told',
      '    expires: 2026-12-31',
      '  - { id: a/b, fingerprint: ffffffffffff, reason: agreed }',
    ].join('\n');
    expect(readAcceptances('x.yaml', text)).toEqual([
      {
        id: 'response-body/enum-value-added',
        operation: 'GET /things*',
        location: 'response 200, *',
        fingerprint: '0123456789ab',
        reason: 'every client was told',
        expires: '2026-12-31',
        place: { file: 'x.yaml', line: 3, column: 5 },
      },
      { id: 'a/b', fingerprint: 'ffffffffffff', reason: 'agreed', place: { file: 'x.yaml', line: 9, column: 5 } },
    ]);
  });

  it('may be JSON', () => {
    const text = '{ "accepted": [{ "id": "a/b", "operation": "*", "reason": "agreed" }] }';
    expect(readAcceptances('x.json', text)).toHaveLength(1);
  });

  it.each(['', '\n\n', '# Nothing yet.\n', '---\n# Nothing.\n', `${'#'.repeat(200)}\n\n`, 'accepted:\n', 'accepted: []\n', '{}'])(
    'may accept nothing: %j',
    (text) => {
      expect(readAcceptances('x.yaml', text)).toEqual([]);
    },
  );

  it.each<readonly [text: string, message: string]>([
    ['accepts: []', 'x.yaml:1:1: the acceptance file has no key accepts; did you mean accepted?'],
    ['rules: []', 'x.yaml:1:1: the acceptance file has no key rules; the known keys are accepted'],
    ['accepted: { id: a/b }', 'x.yaml:1:1: accepted must be a list; begin each entry with a hyphen'],
    ['accepted:\n  - a/b', 'x.yaml:2:5: an acceptance must be an object with an id and a reason, got "a/b"'],
    [
      `accepted:\n  - { ${entry}, operation: x, expiry: 2026-01-01 }`,
      'x.yaml:2:46: an acceptance has no key expiry; did you mean expires?',
    ],
    [
      `accepted:\n  - { ${entry}, operation: x, because: y }`,
      'x.yaml:2:46: an acceptance has no key because; the known keys are id, operation, ',
    ],
    ['accepted:\n  - { operation: x, reason: y }', 'x.yaml:2:5: this acceptance has no id; copy the id of the change'],
    ['accepted:\n  - { id: a/b, operation: x }', 'x.yaml:2:5: this acceptance of a/b has no reason; write why the change is accepted'],
    [
      `accepted:\n  - { ${entry} }`,
      'x.yaml:2:5: this acceptance of a/b would accept every change with this id; add one or more of operation, location,',
    ],
    ["accepted:\n  - { id: a/b, operation: x, reason: ' ' }", 'x.yaml:2:30: reason must be a text, got " "; write a text that is not'],
    ['accepted:\n  - { id: [a], operation: x, reason: y }', 'x.yaml:2:7: id must be a text, got ["a"]; write a text'],
    [`accepted:\n  - { ${entry}, fingerprint: 123456789012 }`, 'x.yaml:2:32: fingerprint must be a text, got 123456789012; put it'],
    [`accepted:\n  - { ${entry}, fingerprint: 0123456789AB }`, 'x.yaml:2:32: a fingerprint must be twelve hexadecimal digits, got'],
    [`accepted:\n  - { ${entry}, operation: x, expires: 2026-02-30 }`, 'x.yaml:2:46: expires must be a date such as'],
    [`accepted:\n  - { ${entry}, operation: x, expires: soon }`, 'x.yaml:2:46: expires must be a date such as 2026-12-31, got'],
    [
      `# Agreed.\n- { ${entry}, operation: x }`,
      'x.yaml:2:1: the acceptance file must be an object with the key accepted; write accepted: in a line above',
    ],
    ['[]', 'x.yaml:1:1: the acceptance file must be an object with the key accepted'],
    ['accepted: [', 'x.yaml:1:12: this is not valid YAML'],
    ['accepted:\n  - <<: *x', 'x.yaml:2:5: some tools ignore YAML merge keys'],
  ])('that says %j is refused', (text, message) => {
    const read = (): unknown => readAcceptances('x.yaml', text);
    expect(read).toThrow(SpecError);
    expect(read).toThrow(message);
  });

  it('has a published schema that agrees with the reader', async () => {
    const file = new URL('../../../../specs/diff-acceptances.schema.json', import.meta.url).pathname;
    const document = await loadDocument(file, async () => readFileSync(file, 'utf8'));
    const validator = createValidators(document).compile(document.root);
    const texts = [
      ['accepted:', true],
      ['accepted: []', true],
      [`accepted: [{ ${entry}, operation: '*' }]`, true],
      [`accepted: [{ ${entry}, location: '*', fingerprint: 0123456789ab, expires: 2026-02-28 }]`, true],
      [`accepted: [{ ${entry} }]`, false],
      [`accepted: [{ ${entry}, operation: '' }]`, false],
      [`accepted: [{ ${entry}, operation: x, expires: 2026-02-30 }]`, false],
      [`accepted: [{ ${entry}, fingerprint: abc }]`, false],
      [`accepted: [{ ${entry}, operation: x, other: y }]`, false],
      ['accepted: [{ id: a/b, operation: x }]', false],
      ['accepted: { a: b }', false],
      ['acepted: []', false],
    ] as const;
    const isRead = (text: string): boolean => {
      try {
        readAcceptances('x.yaml', text);
        return true;
      } catch {
        return false;
      }
    };
    const judged = texts.map(([text]) => [text, validator(parseYaml('x.yaml', text)).length === 0, isRead(text)]);
    expect(judged).toEqual(texts.map(([text, isGood]) => [text, isGood, isGood]));
  });
});

describe('an acceptance fits a change', () => {
  const shared = change({ operations: ['GET /things', 'GET /things/{id}'] });
  const lonely = change({ operation: undefined, operations: [] });

  it.each<readonly [what: string, acceptance: Acceptance, change: Change, expected: boolean]>([
    ['of its rule and operation', acceptance({ operation: 'GET /things' }), change(), true],
    ['of another rule', acceptance({ id: 'response-body/enum-value', operation: 'GET /things' }), change(), false],
    ['of an operation that begins alike', acceptance({ operation: 'GET /thing' }), change(), false],
    ['by a pattern', acceptance({ operation: '* /thi*s' }), change(), true],
    ['by a pattern whose ends would overlap', acceptance({ operation: 'GET /things*s' }), change(), false],
    ['by a pattern whose middle comes too late', acceptance({ operation: 'G*things*s' }), change(), false],
    ['by a pattern of three pieces', acceptance({ operation: 'G* /*in*s' }), change(), true],
    ['only when case agrees', acceptance({ operation: 'get /things' }), change(), false],
    [
      'whose path has letters that mean something elsewhere',
      acceptance({ operation: 'GET /a.b/{i+d}' }),
      change({ operations: ['GET /a.b/{i+d}'] }),
      true,
    ],
    ['and no other character stands for anything', acceptance({ operation: 'GET /a.b' }), change({ operations: ['GET /axb'] }), false],
    ['at its location', acceptance({ location: 'response 200, items[].*' }), change(), true],
    ['elsewhere', acceptance({ location: 'response 200, items[].stat' }), change(), false],
    ['by its fingerprint', acceptance({ fingerprint: '0123456789ab' }), change(), true],
    ['of another fingerprint', acceptance({ fingerprint: '0123456789ac' }), change(), false],
    ['by all that it says', acceptance({ fingerprint: '0123456789ab', location: 'nowhere' }), change(), false],
    ['of all operations', acceptance({ operation: 'GET /things*' }), shared, true],
    ['of one of several operations', acceptance({ operation: 'GET /things' }), shared, false],
    ['of no operation, by anything', acceptance({ operation: '*' }), lonely, true],
    ['of no operation, by one', acceptance({ operation: 'GET /things' }), lonely, false],
  ])('%s', (_, given, of, expected) => {
    expect(matchesAcceptance(given, of)).toBe(expected);
  });
});

describe('changes', () => {
  const other = change({ id: 'request/parameter-removed', fingerprint: 'ffffffffffff' });

  it('are separated into accepted and open ones, in their order', () => {
    const changes = [change(), other, change({ fingerprint: 'aaaaaaaaaaaa' })];
    const { open, accepted, notes } = applyAcceptances(changes, [acceptance({ operation: 'GET *', expires: '2026-11-21' })], '2026-11-21');
    expect(open).toEqual([other]);
    expect(accepted).toEqual([
      { change: changes[0], reason: 'agreed', expires: '2026-11-21' },
      { change: changes[2], reason: 'agreed', expires: '2026-11-21' },
    ]);
    expect(notes).toEqual([]);
  });

  it('are all open without acceptances', () => {
    expect(applyAcceptances([change(), other], [], '2026-11-21')).toEqual({ open: [change(), other], accepted: [], notes: [] });
  });

  it('count again on the day after the last day of the acceptance', () => {
    const { open, accepted, notes } = applyAcceptances([change()], [acceptance({ operation: '*', expires: '2026-11-21' })], '2026-11-22');
    expect([open, accepted]).toEqual([[change()], []]);
    expect(notes).toEqual([
      'accepted.yaml:3:5: the acceptance of response-body/enum-value-added expired on 2026-11-21: the change that it matches counts again; fix that, or set a later date',
    ]);
  });

  it('are accepted by a valid acceptance beside an expired one', () => {
    const acceptances = [acceptance({ operation: '*', expires: '2025-01-01' }), acceptance({ operation: '*', reason: 'still' })];
    const { open, accepted, notes } = applyAcceptances([change()], acceptances, '2026-11-22');
    expect([open, accepted.map(({ reason }) => reason), notes.length]).toEqual([[], ['still'], 1]);
  });

  it.each<readonly [what: string, acceptance: Acceptance, note: string]>([
    [
      'fits nothing',
      acceptance({ operation: 'PUT *' }),
      'the acceptance of response-body/enum-value-added matches no change; correct it or remove it',
    ],
    [
      'has a slip in its id',
      acceptance({ id: 'request/parameter-remove', operation: '*' }),
      'matches no change; did you mean request/parameter-removed?',
    ],
    [
      'fits nothing and has expired',
      acceptance({ operation: 'PUT *', expires: '2026-01-01' }),
      'expired on 2026-01-01: no change matches it any more; remove it',
    ],
    [
      'fits a part of what a change reaches',
      acceptance({ operation: 'GET /things/*' }),
      'is unused: the change also affects GET /things, and a change is accepted for all its operations or for none; widen the pattern, or accept fingerprint 0123456789ab alone',
    ],
  ])('are told of an acceptance that %s', (_, given, note) => {
    const changes = [change({ operations: ['GET /things', 'GET /things/{id}'] }), other];
    const { open, notes } = applyAcceptances(changes, [given], '2026-11-21');
    expect(open).toEqual(changes);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^accepted\.yaml:3:5: /);
    expect(notes[0]).toContain(note);
  });
});
