import {
  type Change,
  type ChangeLevel,
  type ChangeWitness,
  type ContractComparison,
  changeLevels,
} from '../../../core/results/diff-result.ts';

/** Text with every character and sequence that a report format must escape. */
export const hostile: string =
  '"\'`|<b>&amp;</b></script><script>alert(1)</script>]]><!-- -->\\ @someone #12 ::error::x,y:z 100% http://evil.example/ **bold** ' +
  '[link](javascript:x) {{t}} $HOME `` ``` 😀 \u001b[2J\u0007\u0000\u009b\u202e\u2028\ud800 \ufffe\r\nsecond line\n- item\n# heading';

/** A value of ten thousand characters, as files may hold. */
export const huge: string = 'long '.repeat(2000);

/** A witness: a response with a value that the old contract does not allow. */
export const witness: ChangeWitness = {
  exchange: {
    request: { method: 'GET', target: '/things?limit=2', headers: { accept: 'application/json' } },
    response: {
      status: '200',
      headers: { 'content-type': 'application/json' },
      body: {
        items: [
          { id: 1, state: 'open' },
          { id: 2, state: 'archived' },
        ],
      },
    },
  },
  pointer: '/items/1/state',
  value: 'archived',
  refusedBy: 'old',
  keyword: 'enum',
  message: 'must be one of "open", "closed"',
  place: { file: 'old.yaml', line: 40, column: 9 },
};

/** A breaking change with a witness, with the members that a test sets. */
export function changeOf(changes: Partial<Change> = {}): Change {
  return {
    id: 'response-body/enum-value-added',
    fingerprint: '0123456789ab',
    level: 'breaking',
    operation: 'GET /things',
    operations: ['GET /things'],
    direction: 'response',
    location: 'response 200, items[].state',
    before: { value: ['open', 'closed'], place: { file: 'old.yaml', line: 40, column: 9 } },
    after: { value: ['open', 'closed', 'archived'], place: { file: 'new.yaml', line: 41, column: 9 } },
    text: 'The value "archived" was added to the enum.',
    reason: 'A client that knows only the old values meets one that it does not know.',
    affects: ['clients', 'generated code'],
    verdict: 'witnessed',
    witness,
    consequences: [],
    ...changes,
  };
}

/** A change of a level without a witness. */
export function mildOf(level: ChangeLevel, changes: Partial<Change> = {}): Change {
  return changeOf({
    id: 'request-query/parameter-added',
    level,
    direction: 'request',
    location: 'query parameter tag',
    before: { value: undefined, place: { file: 'old.yaml', line: 12, column: 5 } },
    after: { value: { name: 'tag', in: 'query' }, place: { file: 'new.yaml', line: 13, column: 5 } },
    text: 'The parameter tag was added.',
    reason: 'It is optional, so requests without it are as good as before.',
    affects: [],
    verdict: 'proved',
    witness: undefined,
    ...changes,
  });
}

/** A change with hostile text in every member. */
export function hostileChange(level: ChangeLevel, text: string = hostile): Change {
  const place = { file: text, line: 3, column: 4 };
  return changeOf({
    id: text,
    fingerprint: text,
    level,
    operation: text,
    operations: [text, `${text}2`, `${text}3`, `${text}4`, `${text}5`],
    location: text,
    before: { value: { [text]: text, list: [text, { a: null }] }, place },
    after: { value: { [text]: `${text}!`, list: [text] }, place },
    text,
    reason: text,
    witness: {
      exchange: {
        request: { method: text, target: text, headers: { [text]: text }, body: { [text]: text } },
        response: { status: text, headers: { [text]: text }, body: [text, { [text]: text }] },
      },
      pointer: '/0',
      value: text,
      refusedBy: 'new',
      keyword: text,
      message: text,
      place,
      records: { given: [{ text }], before: [text], after: null },
    },
  });
}

/** A comparison with these changes, the most severe first, and the members that a test sets. */
export function comparisonOf(changes: readonly Change[] = [], others: Partial<ContractComparison> = {}): ContractComparison {
  const number = (level: ChangeLevel): number => changes.filter((change) => change.level === level).length;
  return {
    old: { file: 'old.yaml', title: 'Things', version: '1.2.0' },
    new: { file: 'new.yaml', title: 'Things', version: '1.3.0' },
    changes: changeLevels.flatMap((level) => changes.filter((change) => change.level === level)),
    accepted: [],
    count: {
      security: number('security'),
      breaking: number('breaking'),
      risky: number('risky'),
      compatible: number('compatible'),
      documentation: number('documentation'),
    },
    version: { suggested: 'major', next: '2.0.0', from: '1.2.0', to: '1.3.0', taken: 'minor', isEnough: false },
    searched: { undecided: [], leftOut: [] },
    notCompared: [],
    notes: [],
    ...others,
  };
}

/** A comparison with hostile text in every member that comes from a file. */
export function hostileComparison(text: string = hostile): ContractComparison {
  const compared = { file: text, title: text, version: text };
  return comparisonOf(
    changeLevels.map((level) => hostileChange(level, text)),
    {
      old: compared,
      new: { ...compared, title: `${text} new` },
      accepted: [{ change: hostileChange('breaking', text), reason: text, expires: text }],
      version: { suggested: 'major', next: undefined, from: text, to: `${text}2`, taken: undefined, isEnough: false },
      notes: [text],
    },
  );
}

/** Two hundred changes of every level, at forty operations. */
export function manyChanges(): readonly Change[] {
  return Array.from({ length: 200 }, (_, index) => {
    const operation = `GET /things/${index % 40}`;
    const common = { operation, operations: [operation], fingerprint: index.toString(16).padStart(12, '0') };
    const level = changeLevels[1 + (index % 4)] ?? 'breaking';
    return level === 'breaking' ? changeOf(common) : mildOf(level, { ...common, text: `The parameter tag${index} was added.` });
  });
}

/** Comparisons of every kind, by name. */
export const kinds: readonly (readonly [string, ContractComparison])[] = [
  [
    'nothing changed',
    comparisonOf([], {
      version: { suggested: 'none', next: '1.2.0', from: '1.2.0', to: '1.2.0', taken: 'none', isEnough: true },
      new: { file: 'new.yaml', title: 'Things', version: '1.2.0' },
    }),
  ],
  ['a breaking change', comparisonOf([changeOf()])],
  ['every level', comparisonOf(changeLevels.map((level) => (level === 'breaking' ? changeOf() : mildOf(level))))],
  ['no witness found', comparisonOf([changeOf({ verdict: 'unwitnessed', witness: undefined })])],
  [
    'no matter of values',
    comparisonOf([
      changeOf({ operation: undefined, operations: [], direction: undefined, location: '', verdict: undefined, witness: undefined }),
    ]),
  ],
  ['a shared change', comparisonOf([changeOf({ operations: Array.from({ length: 14 }, (_, index) => `GET /things/${index}`) })])],
  [
    'rules that answer differently',
    comparisonOf([
      changeOf({
        witness: {
          exchange: { request: { method: 'GET', target: '/things?from=2', headers: {} } },
          pointer: '',
          value: undefined,
          refusedBy: undefined,
          keyword: 'x-collection/filters/from',
          message: 'the old contract answers with 2 and 3; the new one with 3',
          place: undefined,
          records: { given: [{ id: 2 }, { id: 3 }], before: [2, 3], after: [3] },
        },
      }),
    ]),
  ],
  [
    'accepted changes and notes',
    comparisonOf([mildOf('compatible')], {
      accepted: [
        { change: changeOf(), reason: 'No client reads it', expires: '2026-12-31' },
        { change: changeOf({ fingerprint: 'ffffffffffff' }), reason: 'Never released', expires: undefined },
      ],
      notes: ['An acceptance fits nothing.'],
    }),
  ],
  ['hostile texts', hostileComparison()],
  ['huge texts', hostileComparison(huge)],
  ['many changes', comparisonOf(manyChanges())],
];
