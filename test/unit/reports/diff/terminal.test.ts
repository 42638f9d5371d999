/** The comparison in a terminal: its order and its length, and that no text controls the terminal. */

import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { ContractComparison } from '../../../../core/results/diff-result.ts';
import { changeLevels } from '../../../../core/results/diff-result.ts';
import { reportOfComparison } from '../../../../reports/diff/diff-report.ts';
import { renderTerminal } from '../../../../reports/render-terminal.ts';
import {
  changeOf,
  comparisonOf,
  hostileComparison,
  kinds,
  manyChanges,
  mildOf,
  witness,
} from '../../../helpers/reports/sample-comparisons.ts';

const render = (comparison: ContractComparison, reports: readonly string[] = []): string =>
  renderTerminal(reportOfComparison(comparison), { decorated: false, reports });
const place = { file: 'a.yaml', line: 1, column: 1 };

describe('a comparison', () => {
  it('begins with both versions and the verdict, and ends with the version to choose', () => {
    expect(render(comparisonOf([changeOf(), mildOf('compatible'), mildOf('compatible', { location: 'elsewhere' })]))).toBe(`
Things 1.2.0 → 1.3.0: 1 breaking change, 2 compatible
old.yaml → new.yaml

Breaking
GET /things
  response-body/enum-value-added  response 200, items[].state
    The value "archived" was added to the enum.
    changed    ["open","closed"] → ["open","closed","archived"]
    at         old.yaml:40:9 → new.yaml:41:9
    breaks     clients and generated code: A client that knows only the old values meets one that it
               does not know.
    verdict    witnessed: one contract allows the exchange, the other rejects it
    witness    curl -si -H 'accept: application/json' "$BASE_URL/things?limit=2"
               HTTP 200
               content-type: application/json
               {"items":[{"id":1,"state":"open"},{"id":2,"state":"archived"}]}
               The old contract rejects /items/1/state = "archived" because of enum: must be one of
               "open", "closed" (old.yaml:40:9). The new contract allows it.
    accept     - { id: response-body/enum-value-added, fingerprint: '0123456789ab', reason: '' }

Compatible
GET /things
  request-query/parameter-added  query parameter tag: The parameter tag was added.  new.yaml:13:5
  request-query/parameter-added  elsewhere: The parameter tag was added.  new.yaml:13:5

1 breaking change: bump info.version to at least 2.0.0.
`);
  });

  it('without changes is short', () => {
    const version = { suggested: 'none', next: '1.2.0', from: '1.2.0', to: '1.2.0', taken: 'none', isEnough: true } as const;
    expect(render(comparisonOf([], { version }))).toBe(`
Things 1.2.0 → 1.3.0: no changes
old.yaml → new.yaml

No changes: info.version may stay 1.2.0.
`);
  });

  it('groups changes by level, the most severe first, and then by operation', () => {
    const at = (operation: string) => ({ operation, operations: [operation] });
    const text = render(
      comparisonOf([
        mildOf('documentation', at('GET /a')),
        mildOf('risky', at('GET /a')),
        changeOf(at('GET /a')),
        changeOf(at('GET /b')),
        changeOf(at('GET /a')),
      ]),
    );
    const lines = text.split('\n').filter((line) => /^(Breaking|Risky|Compatible|Documentation|GET )/.test(line));
    expect(lines).toEqual(['Breaking', 'GET /a', 'GET /b', 'Risky', 'GET /a', 'Documentation', 'GET /a']);
  });

  it('tells a shared change once, with what it reaches', () => {
    const text = render(comparisonOf([changeOf({ operations: Array.from({ length: 14 }, (_, index) => `GET /things/${index}`) })]));
    expect(text).toContain('Several operations\n');
    expect(text).toContain('    affects    14 operations: GET /things/0, GET /things/1, GET /things/2 and 11 more\n');
  });

  it('tells what belongs to no operation', () => {
    expect(render(comparisonOf([changeOf({ operation: undefined, operations: [], location: '' })]))).toContain(
      'Breaking\nThe whole contract\n  response-body/enum-value-added\n',
    );
  });

  it('tells what was accepted, by whom it is no longer counted, and what else is worth knowing', () => {
    const accepted = [{ change: changeOf(), reason: 'Nobody reads it', expires: '2026-12-31' }];
    const text = render(comparisonOf([], { accepted, notes: ['The acceptance at x.yaml:3:1 fits nothing.'] }));
    expect(text).toContain('Things 1.2.0 → 1.3.0: no changes; 1 accepted\n');
    expect(text.replaceAll(/\n +/g, ' ')).toContain(
      'response-body/enum-value-added at GET /things, response 200, items[].state: Nobody reads it (breaking, until 2026-12-31)',
    );
    expect(text).toContain('Notes\n  The acceptance at x.yaml:3:1 fits nothing.\n');
  });
});

describe('a change', () => {
  const lineOf = (comparison: ContractComparison, label: string): string | undefined =>
    render(comparison)
      .split('\n')
      .find((line) => line.startsWith(`    ${label} `));

  it.each([
    [{ verdict: 'proved', witness: undefined }, 'proved: no value is allowed by only one contract'],
    [{ verdict: 'unwitnessed', witness: undefined }, 'unwitnessed: a rule reports it, but no exchange was found that shows it'],
    [{ witness: { ...witness, refusedBy: undefined } }, 'witnessed: the contracts require different responses'],
  ] as const)('says what the search came to: %j', (changes, words) => {
    expect(lineOf(comparisonOf([changeOf(changes)]), 'verdict')).toBe(`    verdict    ${words}`);
  });

  it('that is no matter of values has no verdict', () => {
    expect(lineOf(comparisonOf([changeOf({ verdict: undefined, witness: undefined })]), 'verdict')).toBeUndefined();
  });

  it('shows large values by the lines that changed', () => {
    const value = (limit: number) =>
      Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`member${index}`, index === 17 ? limit : index]));
    const text = render(comparisonOf([changeOf({ before: { value: value(100), place }, after: { value: value(200), place } })]));
    expect(text).toContain('-   "member17": 100,\n');
    expect(text).toContain('+   "member17": 200,\n');
    expect(text).not.toContain('member12');
  });

  it('says who may break of a risky change, and only why of one that breaks nobody', () => {
    expect(lineOf(comparisonOf([mildOf('risky', { affects: ['server'], reason: 'It may.' })]), 'may break')).toBe(
      '    may break  server: It may.',
    );
    expect(lineOf(comparisonOf([mildOf('risky')]), 'why')).toContain('It is optional');
  });

  it('keeps a command line whole, and cuts what the files made long', () => {
    const target = `/things?${'x'.repeat(300)}`;
    const request = { method: 'POST', target, headers: {}, body: { a: "it's" } };
    const text = render(comparisonOf([changeOf({ text: 'word '.repeat(5000), witness: { ...witness, exchange: { request } } })]));
    expect(text).toContain(`curl -si -X POST --data-raw '{"a":"it'\\''s"}' "$BASE_URL${target}"\n`);
    expect(text.length).toBeLessThan(5000);
  });

  it('of a rule shows the records that both contracts were asked about', () => {
    const records = { given: [{ id: 2 }, { id: 3 }], before: [2, 3], after: [3] };
    const shown = {
      ...witness,
      exchange: { request: { method: 'GET', target: '/things?from=2', headers: {} } },
      refusedBy: undefined,
      records,
    };
    const text = render(comparisonOf([changeOf({ witness: shown })]));
    expect(text).toContain(
      `"$BASE_URL/things?from=2"\n               Given {"id":2}\n                 and {"id":3}\n               Returned [2,3] → [3]\n`,
    );
  });
});

describe('two hundred changes', () => {
  const text = render(comparisonOf(manyChanges()));

  it('begin with a summary that fits a screen', () => {
    const lines = text.split('\n');
    const end = lines.indexOf('First 5 of 200');
    expect(lines[1]).toBe('Things 1.2.0 → 1.3.0: 50 breaking changes, 50 risky, 50 compatible, 50 documentation');
    expect(end).toBeLessThanOrEqual(24);
    expect(lines.slice(0, end)).toContain('  GET /things/0: 5 breaking');
    expect(lines.slice(0, end)).toContain('  and 30 more places');
    for (const line of lines.slice(0, end)) expect(line.length).toBeLessThanOrEqual(100);
  });

  it('say the verdict again at the end', () => {
    expect(text.trimEnd().split('\n').at(-1)).toContain('50 breaking changes');
  });

  it('are all told, and the first five of the gravest in full', () => {
    expect(text.match(/^ {4}witness /gm)).toHaveLength(5);
    expect(text.match(/enum-value-added|The value "archived" was added/g)?.length).toBeGreaterThanOrEqual(50);
    for (let index = 1; index < 200; index += 4) expect(text).toContain(`tag${index} was added`);
  });

  it('put the place with most breaking changes first', () => {
    const changes = [
      ...Array.from({ length: 20 }, () => mildOf('risky', { operation: 'GET /a', operations: ['GET /a'] })),
      changeOf({ operation: 'GET /b', operations: ['GET /b'] }),
    ];
    expect(render(comparisonOf(changes))).toContain('Where\n  GET /b: 1 breaking\n  GET /a: 20 risky\n');
  });

  it('of one level have an end, and the place of the rest is named', () => {
    const changes = Array.from({ length: 150 }, () => mildOf('compatible'));
    expect(render(comparisonOf(changes))).toContain('  and 139 more: see --report json=FILE\n');
    expect(render(comparisonOf(changes), ['out.html'])).toContain('  and 139 more: see out.html\n');
  });
});

describe('what a terminal acts on', () => {
  it('is colours alone, and they change nothing else', () => {
    const mixed = comparisonOf([
      ...manyChanges(),
      ...changeLevels.slice(1).map((level) => (level === 'breaking' ? changeOf() : mildOf(level))),
    ]);
    const coloured = renderTerminal(reportOfComparison(mixed), { decorated: true });
    expect(coloured).toContain('\u001b[31m');
    expect(stripVTControlCharacters(coloured)).toBe(render(mixed));
  });

  it.each(kinds)('is nothing of what the files hold: %s', (_, comparison) => {
    expect(render(comparison).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
  });

  it('is nothing of a name that is cut in two', () => {
    for (let length = 595; length < 605; length += 1) {
      expect(render(hostileComparison('😀'.repeat(length)))).not.toContain('\\ud83d');
    }
  });
});
