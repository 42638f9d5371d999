/** Own data: valid files, the dataset with their content, and messages for mistakes. */

import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { answersFor, loadProfile } from '../../../../../core/annotations/profile-file.ts';
import { SpecError } from '../../../../../core/errors.ts';
import { type Contract, resolveContract } from '../../../../../core/openapi/contract.ts';
import { contractFile, listProfiles } from '../../../../../core/shipped-files.ts';
import { checkSizes } from '../../../../../mocks/data/create-dataset.ts';
import { type ChangingDataset, type CollectionHistory, type Dataset, unchanging } from '../../../../../mocks/data/dataset.ts';
import { createExampleDataset } from '../../../../../mocks/data/example-dataset.ts';
import { addOwnData } from '../../../../../mocks/data/own-data/add-own-data.ts';
import { readOwnData } from '../../../../../mocks/data/own-data/read-own-data.ts';
import { openContract } from '../../../../helpers/exchange-judge.ts';
import { fixture } from '../../../../helpers/judged-mock.ts';

const nobody = { role: 'full', scopes: [] };
const [library, parcels, business, wiki] = await Promise.all(
  [fixture('library'), fixture('parcels'), contractFile('business'), contractFile('wiki')].map(async (file) =>
    resolveContract(await openContract(file)),
  ),
);

interface Base {
  readonly contract: Contract;
  readonly dataset: ChangingDataset;
}

function baseOf(contract: Contract | undefined): Base {
  if (contract === undefined) throw new Error('no contract was opened');
  return { contract, dataset: unchanging(createExampleDataset(contract)) };
}

/** The dataset with files over it, each given as its text. */
async function over(contract: Contract | undefined, ...texts: readonly string[]): Promise<Dataset> {
  const base = baseOf(contract);
  const data = await readOwnData(
    texts.map((_, index) => `file-${index}.yaml`),
    [{ contract: base.contract, tenants: base.dataset.tenants }],
    async (file) => texts[Number(/\d/.exec(file)?.[0])] ?? '',
  );
  return addOwnData(base.dataset, base.contract, data.get(base.contract) ?? []).at(0);
}

/** The message about a file that is wrong. */
async function mistakesOf(contract: Contract | undefined, text: string): Promise<readonly string[]> {
  try {
    await over(contract, text);
  } catch (error) {
    if (error instanceof SpecError) return error.message.split('\n');
    throw error;
  }
  return [];
}

const book = (number: number, more = ''): string =>
  `{ number: ${number}, title: T${number}, author: { name: A }, genre: novel, pages: 10${more} }`;

describe('records', () => {
  it('replace those of the dataset', async () => {
    const dataset = await over(library, `collections: { books: [${book(500)}, ${book(501)}] }`);
    expect(dataset.records('full', 'books').map((each) => each['number'])).toEqual([500, 501]);
  });

  it('with extend, are added and replace only those with the same key', async () => {
    const before = baseOf(library).dataset.at(0).records('full', 'books');
    const dataset = await over(library, `collections: { books: { extend: true, records: [${book(500)}, ${book(1)}] } }`);
    const after = dataset.records('full', 'books');
    expect(after).toHaveLength(before.length + 1);
    expect(after.filter((each) => each['number'] === 1)).toEqual([expect.objectContaining({ title: 'T1' })]);
  });

  it('of several files are applied in order', async () => {
    const first = `collections: { books: [${book(500)}, ${book(501)}] }`;
    const second = `collections: { books: { extend: true, records: [${book(501, ', due: "2026-05-01"')}, ${book(502)}] } }`;
    const records = (await over(library, first, second)).records('full', 'books');
    expect(records.map(({ number, due }) => [number, due])).toEqual([
      [500, undefined],
      [501, '2026-05-01'],
      [502, undefined],
    ]);
    expect((await over(library, second, first)).records('full', 'books')).toHaveLength(2);
  });

  it('are the same array each time', async () => {
    for (const extend of [true, false]) {
      const dataset = await over(library, `collections: { books: { extend: ${extend}, records: [${book(500)}] } }`);
      expect(dataset.records('full', 'books')).toBe(dataset.records('full', 'books'));
    }
  });

  it('belong only to their tenant', async () => {
    const base = baseOf(parcels).dataset.at(0);
    const parcel = JSON.stringify(base.records('full', 'parcels')[0]);
    const dataset = await over(parcels, `tenants: { other: { collections: { parcels: [${parcel}] } } }`);
    expect(dataset.records('other', 'parcels')).toHaveLength(1);
    expect(dataset.records('full', 'parcels')).toEqual(base.records('full', 'parcels'));
  });
});

describe('the history of the dataset', () => {
  it('is kept for collections without own records', async () => {
    const base = baseOf(business);
    const history: CollectionHistory = {
      untilMs: 0,
      instantField: '/changed_at',
      countUntil: () => 0,
      recordHistory: () => expect.unreachable(),
    };
    const indexed: Dataset = { ...base.dataset.at(0), nowMs: 0, history: () => history };
    const text = 'collections: { orders: [] }\ntenants: { other: { resources: { menu: null } } }';
    const data = await readOwnData(['a.yaml'], [{ contract: base.contract, tenants: ['full', 'other'] }], async () => text);
    const dataset = addOwnData(unchanging(indexed), base.contract, data.get(base.contract) ?? []).at(0);
    const found = [dataset.history?.('full', 'orders'), dataset.history?.('full', 'reservations'), dataset.history?.('other', 'orders')];
    expect([...found, dataset.nowMs]).toEqual([undefined, history, history, 0]);
  });
});

describe('a resource', () => {
  it('is replaced, or removed by null', async () => {
    const given = await over(library, 'resources: { hours: { weekdays: 8 to 12 } }');
    expect(given.resource('full', 'hours', undefined, nobody)).toEqual({ weekdays: '8 to 12' });
    expect((await over(library, 'resources: { hours: null }')).resource('full', 'hours', undefined, nobody)).toBeUndefined();
  });

  it('is given with all of its views', async () => {
    const dataset = await over(business, 'resources: { menu: { plain: { a: 1 }, manifest: { b: 2 } } }');
    expect(dataset.resource('full', 'menu', 'manifest', nobody)).toEqual({ b: 2 });
    expect(dataset.resource('full', 'menu', undefined, nobody)).toEqual({ a: 1 });
    expect(await mistakesOf(business, 'resources: { menu: { plain: 1, manifst: {}, manifest: {} } }')).toEqual([
      'file-0.yaml:1:32: /resources/menu/manifst: there is no view manifst; did you mean manifest?',
      expect.stringContaining('menu has the views manifest and plain, and plain is missing; give every view as an object'),
    ]);
    expect(await mistakesOf(business, 'resources:\n  menu:\n    manifest: { b: 2 }')).toEqual([
      'file-0.yaml:2:3: /resources/menu: menu has the views manifest and plain, and plain is missing; give every view as an object, or null if the tenant has no menu',
    ]);
  });

  it('is the head of a list if the contract has one', async () => {
    const dataset = await over(business, 'collections: { orders: { head: { schema_version: "9", business: { id: 1 } } } }');
    expect(dataset.head('full', 'orders')).toEqual({ schema_version: '9', business: { id: 1 } });
    expect(dataset.records('full', 'orders')).toEqual(baseOf(business).dataset.at(0).records('full', 'orders'));
    const [incomplete] = await mistakesOf(business, 'collections: { orders: { head: { schema_version: "9" } } }');
    expect(incomplete).toContain("/collections/orders/head/data: must have required property 'business'");
    const [misplaced] = await mistakesOf(business, 'collections: { reservations: { head: { a: 1 } } }');
    expect(misplaced).toContain('the list of reservations has no head in this contract; remove the head');
  });
});

describe('a mistake', () => {
  it.each([
    ['collections: { boks: [] }', '1:16: /collections/boks: there is no collection boks; did you mean books?'],
    ['colections: { books: [] }', '1:1: the file must not have colections; did you mean collections?'],
    ['tenants: { ful: {} }', '1:12: /tenants/ful: there is no tenant ful; did you mean full?'],
    ['resources: { hour: {} }', '1:14: /resources/hour: there is no resource hour; did you mean hours?'],
    ['collections: { books: { recods: [] } }', '1:25: collections.books must not have recods; did you mean records?'],
    ['collections: { books: 3 }', '1:16: collections.books must be array or object; found 3'],
    ['collections: { books: [3] }', '1:24: collections.books.0 must be object; found 3'],
    ['collections: { books: { extend: maybe } }', '1:25: collections.books.extend must be boolean'],
    ['collections: { books: ["anna@example.com"] }', '1:24: collections.books.0 must be object'],
    ['contract: librari\ncollections: { books: [] }', '1:1: /contract: no contract librari is served; did you mean library?'],
    ['{}', '1:1: the file has no data; put records under collections, and single objects under resources'],
  ])('in %j is reported with its position', async (text, message) => {
    const [first] = await mistakesOf(library, text);
    expect(first).toBe(`file-0.yaml:${message}`);
  });

  it('in a record is reported with its line, path, value and the line of the contract', async () => {
    const text = [
      'collections:',
      '  books:',
      `    - ${book(500)}`,
      '    - number: 501',
      '      title: 3',
      '      author: { name: A }',
      '      genre: poem',
      '      pages: 1',
    ];
    const mistakes = await mistakesOf(library, text.join('\n'));
    expect(mistakes).toHaveLength(2);
    expect(mistakes.join('\n')).toMatch(
      /file-0.yaml:5:7: \/collections\/books\/1\/title: 3 must be string \(\w+ would break .*library-parts\.yaml:\d+:\d+\)/,
    );
    expect(mistakes.join('\n')).toMatch(/file-0.yaml:7:7: \/collections\/books\/1\/genre: "poem" must be one of /);
  });

  it('is a null if the profile requires a value', async () => {
    const [record] = baseOf(business).dataset.at(0).records('full', 'reservations');
    const text = `collections: { reservations: [${JSON.stringify({ ...record, notes: null })}] }`;
    expect(await mistakesOf(business, text)).toEqual([
      expect.stringContaining(
        "notes is null, and the mock's profile gives each record a value; write one, or choose a profile that allows null",
      ),
    ]);
    const nullable = resolveContract(await openContract(contractFile('business')), { 'empty-notes': 'null' });
    expect(await mistakesOf(nullable, text)).toEqual([]);
  });

  it('in the spelling of a required member is reported as a missing one', async () => {
    const mistakes = await mistakesOf(
      library,
      'collections: { books: [{ number: 1, titel: T, author: { name: A }, genre: novel, pages: 1 }] }',
    );
    expect(mistakes).toEqual([expect.stringContaining("/collections/books/0: must have required property 'title'")]);
  });

  it('is a key that another record has', async () => {
    const twice = await mistakesOf(library, `collections:\n  books:\n    - ${book(1)}\n    - ${book(1)}`);
    expect(twice).toEqual([
      'file-0.yaml:4:9: /collections/books/1/number: 1 is already the key of the record at line 3; give each record a different one',
    ]);
  });

  it('is an instant that cannot be compared', async () => {
    const record = JSON.stringify({ ...baseOf(business).dataset.at(0).records('full', 'orders')[0], changed_at: '2026-02-30T00:00:00Z' });
    const mistakes = await mistakesOf(business, `collections: { orders: [${record}] }`);
    expect(mistakes).toHaveLength(1);
    expect(mistakes[0]).toContain('/collections/orders/0/changed_at: "2026-02-30T00:00:00Z" must match format "date-time"');
  });

  it.each(['data-order', 'data', 'root'])('has the same message wherever the profile puts the record: %s', async (place) => {
    const contract = resolveContract(await openContract(contractFile('business')), { 'order-place': place });
    const [record] = baseOf(business).dataset.at(0).records('full', 'orders');
    const mistakes = await mistakesOf(contract, `collections: { orders: [${JSON.stringify({ ...record, status: 'lost' })}] }`);
    expect(mistakes).toEqual([expect.stringMatching(/\/collections\/orders\/0\/status: "lost" must be one of "pending"/)]);
  });

  it('in a personal field is reported without its value', async () => {
    const [record] = baseOf(business).dataset.at(0).records('full', 'orders');
    const customer = { id: 1, name: ['Ada'], phone: 390550100191 };
    const mistakes = await mistakesOf(business, `collections: { orders: [${JSON.stringify({ ...record, customer })}] }`);
    expect(mistakes.join('\n')).toContain('/collections/orders/0/customer/phone: ‹personal› must be');
    expect(mistakes.join('\n')).not.toMatch(/390550100191|Ada/);
  });

  it('in a personal key, compared field or head is reported without its value', async () => {
    const members = await openContract(
      'members.yaml',
      `
openapi: 3.1.0
info: { title: Members, version: '1' }
paths:
  /members:
    get:
      operationId: listMembers
      parameters:
        - { name: offset, in: query, schema: { type: integer } }
        - { name: limit, in: query, schema: { type: integer } }
        - { name: joinedFrom, in: query, schema: { type: string, format: date-time } }
      x-collection:
        name: members
        items: /members
        head: /owner
        key: /email
        order: [{ by: /email, direction: ascending }]
        filters: { joinedFrom: { from: /joined, as: instant } }
        page: { style: offset, limit: limit, offset: offset, total: /total }
      responses:
        '200':
          description: Members.
          content:
            application/json:
              schema:
                type: object
                required: [members, total]
                properties:
                  total: { type: integer }
                  owner: { type: object, properties: { phone: { type: string, x-personal: true } } }
                  members:
                    type: array
                    items:
                      type: object
                      properties: { email: { type: string, x-personal: true }, joined: { x-personal: true } }
`,
    );
    const member = '{ email: anna@example.com, joined: 1980-01-01 }';
    const mistakes = (
      await mistakesOf(resolveContract(members), `collections: { members: { records: [${member}, ${member}], head: { phone: 391234 } } }`)
    ).join('\n');
    expect(mistakes).toContain('/email: ‹personal› is already the key');
    expect(mistakes).toContain('/joined: ‹personal› cannot be compared');
    expect(mistakes).toContain('/phone: ‹personal› must be string');
    expect(mistakes).not.toMatch(/anna|1980|391234/);
  });

  it('that occurs a hundred times is shown twenty times, with the count of the rest', async () => {
    const wrongBooks = Array.from({ length: 100 }, (_, number) => book(number + 1, ', due: 3'));
    const mistakes = await mistakesOf(library, `collections: { books: [${wrongBooks.join()}] }`);
    expect(mistakes).toHaveLength(21);
    expect(mistakes.at(-1)).toBe('and 80 more');
  });

  it('is invalid YAML, invalid JSON, or a missing file', async () => {
    expect(await mistakesOf(library, 'collections: [')).toEqual([expect.stringMatching(/^file-0.yaml:\d+:\d+: this is not valid YAML/)]);
    expect(await mistakesOf(library, '[1]')).toEqual([
      'file-0.yaml:1:1: a file of own data in YAML or JSON must be an object; this file contains another value',
    ]);
    expect(await mistakesOf(library, '# Nothing yet.\n')).toEqual([
      'file-0.yaml:1:1: a file of own data in YAML or JSON must be an object; this file is empty',
    ]);
    await expect(readOwnData('a.yaml' as unknown as readonly string[], [])).rejects.toThrow(
      'data: "a.yaml" is not a list; write, for example, data: [\'FILE\']',
    );
    await expect(readOwnData(['missing.yaml'], [])).rejects.toThrow(
      'missing.yaml cannot be read (ENOENT); name a file of own data in YAML or JSON',
    );
  });
});

describe('a file for one of several contracts', () => {
  it('must name the contract', async () => {
    const targets = [library, parcels].map((contract) => ({ contract: baseOf(contract).contract, tenants: ['full'] }));
    const read = (text: string): Promise<unknown> => readOwnData(['a.yaml'], targets, async () => text);
    await expect(read('collections: { books: [] }')).rejects.toThrow(
      'a.yaml:1:1: several contracts are served, and the file names none; add contract: library or contract: parcels',
    );
    expect(await read('contract: library\ncollections: { books: [] }')).toEqual(new Map([[library, [expect.anything()]]]));
  });
});

describe('the example of the package', () => {
  const file = (name: string): string => fileURLToPath(new URL(`../../../../../specs/examples/${name}`, import.meta.url));
  it.each([
    ['business-data.yaml', business, ['full', 'other', 'no-menu']],
    ['wiki-data.json', wiki, ['public']],
  ] as const)('%s is right, under each profile of the package too', async (name, contract, tenants) => {
    const data = await readOwnData([file(name)], [{ contract: baseOf(contract).contract, tenants }]);
    expect(data.size).toBe(1);
    const written = await openContract(contractFile(name.slice(0, name.indexOf('-'))));
    for (const profile of listProfiles()) {
      const closed = resolveContract(written, answersFor(await loadProfile(profile), written));
      expect((await readOwnData([file(name)], [{ contract: closed, tenants }])).size, profile).toBe(1);
    }
  });
});

describe('collections without annotations', () => {
  const bed = (id: number, more = ''): string =>
    `{ id: ${id}, name: Roses, soil: clay, archived: false, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z'${more} }`;
  const garden = openContract('test/helpers/contracts/garden.openapi.yaml').then((open) => resolveContract(open));

  it('have records of their own', async () => {
    const dataset = await over(await garden, `collections: { beds: [${bed(1)}, ${bed(2)}] }`);
    expect(dataset.records(dataset.tenants[0] ?? '', 'beds').map(({ id }) => id)).toEqual([1, 2]);
  });

  it('check them by the schema and the key', async () => {
    const mistakes = await mistakesOf(await garden, `collections: { beds: [${bed(1)}, ${bed(1, ', note: 3')}], bets: [] }`);
    expect(mistakes.join('\n')).toMatch(/no collection bets; did you mean beds/);
    expect(mistakes.join('\n')).toMatch(/3 must be string/);
    expect(mistakes.join('\n')).toMatch(/1 is already the key/);
  });

  it('are not extended', async () => {
    expect(await mistakesOf(await garden, `collections: { beds: { extend: true, records: [${bed(1)}] } }`)).toEqual([
      expect.stringContaining('beds is inferred, and cannot be extended'),
    ]);
  });

  it('have a size of their own', async () => {
    const contract = await garden;
    expect(() => checkSizes({ beds: 3, plants: 1 }, [contract])).not.toThrow();
    expect(() => checkSizes({ bets: 3 }, [contract])).toThrow(/did you mean beds/);
  });
});
