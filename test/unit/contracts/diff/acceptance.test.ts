/** The acceptance file: its contents, the message for each mistake, and which changes it accepts. */

import { describe, expect, it } from 'vitest';
import {
  type Acceptance,
  type AcceptanceResult,
  applyAcceptances,
  explainAcceptances,
  readAcceptances,
  refuseFormerFingerprints,
} from '../../../../contracts/diff/acceptance.ts';
import { SpecError } from '../../../../core/errors.ts';
import type { Change } from '../../../../core/results/diff-result.ts';

const place = { file: 'a.yaml', line: 1, column: 1 };

function change(more: Partial<Change> = {}): Change {
  return {
    id: 'response-body/enum-value-added',
    fingerprint: '0123456789abcdef',
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
  it('is read with the place of each entry', async () => {
    const text = [
      '# What we agreed on.',
      'accepted:',
      '  - id: response-body/enum-value-added',
      "    operation: 'GET /things*'",
      "    location: 'response 200, *'",
      "    fingerprint: '0123456789abcdef'",
      '    reason: every client was told',
      '    expires: 2026-12-31',
      '  - { id: a/b, fingerprint: ffffffffffffffff, reason: agreed }',
    ].join('\n');
    expect(await readAcceptances('x.yaml', text)).toEqual([
      {
        id: 'response-body/enum-value-added',
        operation: 'GET /things*',
        location: 'response 200, *',
        fingerprint: '0123456789abcdef',
        reason: 'every client was told',
        expires: '2026-12-31',
        place: { file: 'x.yaml', line: 3, column: 5 },
      },
      { id: 'a/b', fingerprint: 'ffffffffffffffff', reason: 'agreed', place: { file: 'x.yaml', line: 9, column: 5 } },
    ]);
  });

  it('may be JSON', async () => {
    const text = '{ "accepted": [{ "id": "a/b", "operation": "*", "reason": "agreed" }] }';
    expect(await readAcceptances('x.json', text)).toHaveLength(1);
  });

  it.each([
    '',
    '\n\n',
    '# Nothing yet.\n',
    '\uFEFF# Nothing yet.\r\n---\r\n',
    '---\n# Nothing.\n',
    `${'#'.repeat(200)}\n\n`,
    'accepted:\n',
    'accepted: []\n',
    '{}',
  ])('may accept nothing: %j', async (text) => {
    expect(await readAcceptances('x.yaml', text)).toEqual([]);
  });

  it.each<readonly [text: string, message: string]>([
    ['accepts: []', 'x.yaml:1:1: the file must not have accepts; did you mean accepted?'],
    ['accepted: { id: a/b }', 'x.yaml:1:1: accepted must be array or null; found an object'],
    ['accepted:\n  - a/b', 'x.yaml:2:5: accepted.0 must be object; found "a/b"'],
    [
      `accepted:\n  - { ${entry}, operation: x, expiry: 2026-01-01 }`,
      'x.yaml:2:46: accepted.0 must not have expiry; did you mean expires?',
    ],
    ['accepted:\n  - { operation: x, reason: y }', "x.yaml:2:5: accepted.0 must have required property 'id'"],
    ['accepted:\n  - { id: a/b, operation: x }', "x.yaml:2:5: accepted.0 must have required property 'reason'"],
    // Without operation, location and fingerprint, an entry would accept every change of its id.
    [`accepted:\n  - { ${entry} }`, "x.yaml:2:5: accepted.0 must have required property 'fingerprint'"],
    ["accepted:\n  - { id: a/b, operation: x, reason: ' ' }", 'x.yaml:2:30: accepted.0.reason must not be empty; found " "'],
    ['accepted:\n  - { id: [a], operation: x, reason: y }', 'x.yaml:2:7: accepted.0.id must be string; found an array'],
    [
      `accepted:\n  - { ${entry}, fingerprint: 123456789012 }`,
      'x.yaml:2:32: accepted.0.fingerprint must be string; found 123456789012; write it in quotes',
    ],
    [
      `accepted:\n  - { ${entry}, fingerprint: 0123456789AB }`,
      'x.yaml:2:32: accepted.0.fingerprint must be a fingerprint as reports print it',
    ],
    [`accepted:\n  - { ${entry}, operation: x, expires: 2026-02-30 }`, 'x.yaml:2:46: accepted.0.expires must match format "date"'],
    [
      `# Agreed.\n- { ${entry}, operation: x }`,
      'x.yaml:1:1: a file of accepted, which has a list under the key accepted, must be an object',
    ],
    ['[]', 'x.yaml:1:1: a file of accepted, which has a list under the key accepted, must be an object'],
    ['accepted: [', 'x.yaml:1:12: this is not valid YAML'],
    ['accepted:\n  - <<: *x', 'x.yaml:2:5: some tools ignore YAML merge keys'],
  ])('that says %j is refused', async (text, message) => {
    const error: unknown = await readAcceptances('x.yaml', text).catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(SpecError);
    expect(String(error)).toContain(message);
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
    ['by its fingerprint', acceptance({ fingerprint: '0123456789abcdef' }), change(), true],
    ['of another fingerprint', acceptance({ fingerprint: '0123456789abcdee' }), change(), false],
    ['by all that it says', acceptance({ fingerprint: '0123456789abcdef', location: 'nowhere' }), change(), false],
    ['of all operations', acceptance({ operation: 'GET /things*' }), shared, true],
    ['of one of several operations', acceptance({ operation: 'GET /things' }), shared, false],
    ['of no operation, by anything', acceptance({ operation: '*' }), lonely, true],
    ['of no operation, by one', acceptance({ operation: 'GET /things' }), lonely, false],
  ])('%s', (_, given, of, expected) => {
    expect(applyAcceptances([of], [given], '2026-11-21').accepted).toHaveLength(expected ? 1 : 0);
  });
});

describe('changes', () => {
  const apply = (
    changes: readonly Change[],
    acceptances: readonly Acceptance[],
    today: string,
  ): AcceptanceResult & { readonly notes: readonly string[] } => {
    const { open, accepted } = applyAcceptances(changes, acceptances, today);
    return { open, accepted, notes: explainAcceptances(acceptances, [{ changes: open, accepted }], today) };
  };
  const other = change({ id: 'request/parameter-removed', fingerprint: 'ffffffffffffffff' });

  it('are separated into accepted and open ones, in their order', () => {
    const changes = [change(), other, change({ fingerprint: 'aaaaaaaaaaaaaaaa' })];
    const { open, accepted, notes } = apply(changes, [acceptance({ operation: 'GET *', expires: '2026-11-21' })], '2026-11-21');
    expect(open).toEqual([other]);
    expect(accepted).toEqual([
      { change: changes[0], reason: 'agreed', expires: '2026-11-21' },
      { change: changes[2], reason: 'agreed', expires: '2026-11-21' },
    ]);
    expect(notes).toEqual([]);
  });

  it('are all open without acceptances', () => {
    expect(apply([change(), other], [], '2026-11-21')).toEqual({ open: [change(), other], accepted: [], notes: [] });
  });

  it('count again on the day after the last day of the acceptance', () => {
    const { open, accepted, notes } = apply([change()], [acceptance({ operation: '*', expires: '2026-11-21' })], '2026-11-22');
    expect([open, accepted]).toEqual([[change()], []]);
    expect(notes).toEqual([
      'accepted.yaml:3:5: the acceptance of response-body/enum-value-added expired on 2026-11-21: the change that it matches counts again; fix that, or set a later date',
    ]);
  });

  it('are accepted by a valid acceptance beside an expired one', () => {
    const acceptances = [acceptance({ operation: '*', expires: '2025-01-01' }), acceptance({ operation: '*', reason: 'still' })];
    const { open, accepted, notes } = apply([change()], acceptances, '2026-11-22');
    expect([open, accepted.map(({ reason }) => reason), notes.length]).toEqual([[], ['still'], 1]);
  });

  it.each<readonly [what: string, acceptance: Acceptance, note: string]>([
    [
      'fits nothing',
      acceptance({ operation: 'PUT *' }),
      'the acceptance of response-body/enum-value-added matches no change; its patterns must match the location and all operations of a change; correct it or remove it',
    ],
    [
      'has a slip in its id',
      acceptance({ id: 'request/parameter-remove', operation: '*' }),
      'matches no change; did you mean request/parameter-removed?',
    ],
    [
      'fits what was merged',
      acceptance({ id: 'operation/removed', operation: 'PUT *' }),
      'the acceptance of operation/removed is no longer needed: no change has its id; remove it',
    ],
    [
      'fits nothing and has expired',
      acceptance({ operation: 'PUT *', expires: '2026-01-01' }),
      'expired on 2026-01-01: no change matches it any more; remove it',
    ],
    [
      'fits a part of what a change reaches',
      acceptance({ operation: 'GET /things/*' }),
      'matches no change; its patterns must match the location and all operations of a change; correct it or remove it',
    ],
  ])('are told of an acceptance that %s', (_, given, note) => {
    const changes = [change({ operations: ['GET /things', 'GET /things/{id}'] }), other];
    const { open, notes } = apply(changes, [given], '2026-11-21');
    expect(open).toEqual(changes);
    expect(notes).toHaveLength(1);
    expect(notes[0]).toMatch(/^accepted\.yaml:3:5: /);
    expect(notes[0]).toContain(note);
  });
});

describe('an acceptance with a fingerprint of the former form', () => {
  const former = acceptance({ fingerprint: '0123456789ab', reason: "it's agreed" });

  it('accepts nothing, and is refused with the entries to write instead', () => {
    const changes = [change(), change({ fingerprint: 'aaaaaaaaaaaaaaaa' }), change({ id: 'a/b' })];
    expect(applyAcceptances(changes, [former], '2026-11-21').accepted).toEqual([]);
    expect(() => refuseFormerFingerprints([former], [{ changes }])).toThrow(
      [
        'accepted.yaml:3:5: fingerprints have a new form: write those of these entries that you mean',
        "  - { id: response-body/enum-value-added, fingerprint: '0123456789abcdef', reason: 'it''s agreed' }",
        "  - { id: response-body/enum-value-added, fingerprint: 'aaaaaaaaaaaaaaaa', reason: 'it''s agreed' }",
      ].join('\n'),
    );
  });

  it('is left alone once nothing has its id', () => {
    expect(() => refuseFormerFingerprints([former], [{ changes: [change({ id: 'a/b' })] }])).not.toThrow();
  });
});
