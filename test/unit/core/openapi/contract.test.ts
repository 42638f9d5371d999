/** Contracts are loaded from YAML or JSON, from one file or several, with or without annotations. */

import { beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { formatLocation } from '../../../../core/errors.ts';
import type { Json } from '../../../../core/json.ts';
import { type Contract, loadContract, resolveContract } from '../../../../core/openapi/contract.ts';
import { contractText, loadText, positionOf, readerOf } from '../../../helpers/contracts/contract-text.ts';
import { notesText } from '../../../helpers/contracts/notes-contract.ts';

let contract: Contract;
beforeAll(async () => {
  contract = await loadText(notesText);
});

describe('a contract', () => {
  it('has a name, a title and a version', () => {
    expect([contract.name, contract.title, contract.version]).toEqual(['api', 'Notes', '2.1.0']);
    expect(formatLocation(contract.place)).toBe('api.yaml:1:1');
  });

  it('has its operations in the order of the file', () => {
    const shown = contract.operations.map(({ id, method, path, pointer, summary }) => [id, method, path, pointer, summary].join(' '));
    expect(shown).toEqual(['listNotes GET /notes /paths/~1notes/get List notes', 'getNote GET /notes/{id} /paths/~1notes~1{id}/get ']);
    const places = ['operationId: listNotes', 'operationId: getNote'].map((piece) => `api.yaml:${positionOf(notesText, piece)}`);
    expect(contract.operations.map(({ place }) => formatLocation(place))).toEqual(places);
  });

  it('has what holds for the whole API', () => {
    expect(contract.error).toMatchObject({ code: '/code', message: '/error/message', request: '/request' });
    expect(contract.error?.validate({ code: 'a', error: { message: 'b' } })).toEqual([]);
    expect(contract.error?.validate({ code: 'a' })).toHaveLength(1);
    expect(contract.tenancy).toBe(true);
    expect(contract.scopes).toEqual([
      { role: 'notes.read', name: 'notes.read' },
      { role: 'notes.write', name: 'notes.write' },
    ]);
  });

  it('ranks the conditions that it does not rank itself after its own', () => {
    expect(contract.precedence).toEqual(['throttled', 'unauthenticated', 'forbidden', 'unavailable', 'invalid', 'absent', 'unchanged']);
  });

  it('has its collections and resources', () => {
    expect(contract.collections).toHaveLength(1);
    expect(contract.collections[0]).toMatchObject({
      name: 'notes',
      items: '/notes',
      head: '/owner',
      key: '/id',
      version: '/at',
      page: {
        style: 'cursor',
        limit: 'limit',
        cursor: 'cursor',
        next: '/page/next',
        more: '/page/more',
        fixed: ['state', 'since'],
        changed: 'refused',
      },
      visible: { field: '/seen', shown: ['public'], hidden: 'absent' },
    });
    expect(contract.resources).toEqual([{ name: 'notes', at: '/note', by: new Map([['id', '/id']]) }]);
  });

  it('compares the fields of a collection as their schema says', () => {
    const query = contract.operations[0]?.collection?.query;
    const early = { id: 1, at: '2026-10-03T16:10:30+02:00', seen: 'public' };
    const late = { id: 2, at: '2026-10-03T15:00:00Z', seen: 'public' };
    expect(query?.sort([early, late])).toEqual([late, early]);
    expect(query?.matching(new Map([['since', '2026-10-03T14:10:30Z']]))(early)).toBe(true);
    expect(query?.matching(new Map([['until', '2026-10-03T14:10:30Z']]))(early)).toBe(false);
  });

  it('answers its open questions as the mock does', () => {
    const profile = {
      'scope-name': 'plain',
      'sloppy-values': 'refused',
      'notes-order': 'newest',
      'note-place': 'inside',
      'last-next': 'null',
    };
    expect(contract.profile).toEqual(profile);
    expect(contract.operations[0]?.invalid.sloppy).toBe('refused');
  });
});

/** Number of violations for a last page with this `next`. */
function judgeNext({ operations }: Contract, next: Json | undefined): number | undefined {
  const page = operations[0]?.responses.get('200')?.content.get('application/json');
  return page?.validate({ notes: [], page: { more: false, ...(next === undefined ? {} : { next }) } }).length;
}

describe('a resolved contract', () => {
  it('has the rules of its profile, and those of the mock for the rest', () => {
    const resolved = resolveContract(contract, { 'notes-order': 'by-title', 'scope-name': 'long', 'note-place': 'root' });
    expect(resolved.collections[0]?.order).toEqual([{ by: '/title', direction: 'ascending' }]);
    expect(resolved.scopes[0]).toEqual({ role: 'notes.read', name: 'notes/read' });
    expect(resolved.resources[0]?.at).toBe('');
    expect(resolved.operations[0]?.invalid.sloppy).toBe('refused');
  });

  it.each<readonly [string | undefined, accepted: readonly (Json | undefined)[], refused: readonly Json[]]>([
    [undefined, [null, 'more', undefined], [5]],
    ['null', [null, undefined], ['more', 5]],
    ['absent', [undefined], [null, 'more', 5]],
    ['given', ['more', undefined], [null, 5]],
  ])('closes its schemas, which are open until then: next is %s', (choice, accepted, refused) => {
    const resolved = choice === undefined ? contract : resolveContract(contract, { 'last-next': choice });
    expect(accepted.map((next) => judgeNext(resolved, next))).toEqual(accepted.map(() => 0));
    for (const next of refused) expect(judgeNext(resolved, next)).toBeGreaterThan(0);
  });

  it('knows the lines of its file', () => {
    const resolved = resolveContract(contract, { 'last-next': 'absent' });
    const page = resolved.operations[0]?.responses.get('200')?.content.get('application/json');
    const [violation] = page?.validate({ notes: [], page: { more: false, next: 'x' } }) ?? [];
    const place = `api.yaml:${positionOf(notesText, 'next: { type: [string')}`;
    expect(violation && [violation.path, violation.keyword, formatLocation(violation.place)]).toEqual(['/page/next', 'false', place]);
  });

  it('leaves the open contract as it was', () => {
    resolveContract(contract, { 'sloppy-values': 'accepted' });
    expect(contract.operations[0]?.invalid.sloppy).toBe('refused');
  });
});

describe('a file that is not ours', () => {
  const plain = contractText(`paths:
  /pets:
    parameters: [{ name: x-trace, in: header, schema: { type: string } }]
    get:
      parameters: [{ name: limit, in: query, schema: { anyOf: [{ type: integer, maximum: 100 }, { type: 'null' }] } }]
      responses:
        '200':
          description: Pets.
          headers: { x-app: { schema: { type: string } }, x-next: { schema: { type: string } } }
          content: { application/json: { schema: { type: array, items: { type: object } }, example: [{ kind: { unspecified: n/a } }] } }
        default: { description: Anything. }
    x-codeSamples: [{ lang: shell, source: { $ref: ../samples/pets.sh } }]
components: { schemas: { Pet: { type: object, properties: { x-api: { type: string }, default: { type: string } } } } }
x-tagGroups: [{ name: all }]
x-logo: { url: logo.png }
`);

  it('loads without any word of ours', async () => {
    const foreign = await loadText(plain);
    const [operation] = foreign.operations;
    expect([operation?.id, operation?.parameters.map(({ name }) => name)]).toEqual(['get /pets', ['x-trace', 'limit']]);
    const { error, tenancy, scopes, collections, resources, questions } = foreign;
    expect([error, tenancy, scopes, collections, resources, questions.size]).toEqual([undefined, false, [], [], [], 0]);
    const { undeclared, ...classes } = operation?.invalid ?? {};
    expect(undeclared).toBe('ignored');
    const names = ['malformed', 'out-of-range', 'unknown-value', 'broken-rule', 'damaged-cursor', 'sloppy'];
    expect(classes).toEqual(Object.fromEntries(names.map((name) => [name, 'refused'])));
    const schema = operation?.responses.get('200')?.content.get('application/json');
    expect([schema?.validate([{}]).length, schema?.validate([5]).length]).toEqual([0, 1]);
  });

  it('may be of OpenAPI 3.0: its schemas mean what they mean there, at their own lines', async () => {
    const text = `openapi: 3.0.3
info: { title: Old, version: '1' }
paths:
  /x:
    get:
      responses:
        '200':
          description: A number.
          content: { application/json: { schema: { type: number, minimum: 0, exclusiveMinimum: true, nullable: true } } }
`;
    const old = await loadText(text);
    const judge = old.operations[0]?.responses.get('200')?.content.get('application/json')?.validate;
    expect([1, null, 0, -1, 'x'].map((value) => judge?.(value).length === 0)).toEqual([true, true, false, false, false]);
    expect(judge?.(0).map(({ place }) => formatLocation(place))).toEqual([`api.yaml:${positionOf(text, 'exclusiveMinimum')}`]);
  });

  it('may be written in JSON', async () => {
    const json = JSON.stringify(parse(notesText) as unknown, null, 2);
    const loaded = await loadContract('specs/notes.openapi.json', readerOf({ 'specs/notes.openapi.json': json }));
    expect([loaded.name, loaded.operations.length, loaded.questions.size]).toEqual(['notes', 2, 6]);
    expect(loaded.operations.map(({ place }) => place.line > 1)).toEqual([true, true]);
  });

  it('may be spread over files, questions and failures included', async () => {
    const root = contractText(`x-api: { error: { schema: 'parts/errors.yaml#/Error', code: /code, message: /text } }
paths: { /a: { $ref: parts/paths.yaml#/a } }
x-unspecified: { least: { question: Which is the least?, source: §1, mock: one, choices: { one: { minimum: 1 }, any: {} } } }
`);
    const paths = `a:
  get:
    operationId: getA
    parameters: [{ name: n, in: query, schema: { type: integer, x-unspecified: least } }]
    responses: { '404': { $ref: ./answers.yaml#/Absent } }
`;
    const answers = `Absent: { description: a, content: { application/json: { schema: { $ref: 'errors.yaml#/Error' } } } }\n`;
    const errors = 'Error: { type: object, required: [code], properties: { code: { type: string }, text: { type: string } } }\n';
    const spread = await loadText(root, { 'parts/paths.yaml': paths, 'parts/answers.yaml': answers, 'parts/errors.yaml': errors });
    const [operation] = spread.operations;
    expect(operation && formatLocation(operation.place)).toBe('parts/paths.yaml:3:5');
    expect(operation?.responses.get('404')?.content.get('application/json')?.validate({})).toMatchObject([
      { place: { file: 'parts/errors.yaml', line: 1, column: 24 } },
    ]);
    expect(spread.error?.validate({})).toHaveLength(1);
    expect(spread.questions.get('least')?.pointers).toHaveLength(1);
    const [parameter] = resolveContract(spread).operations[0]?.parameters ?? [];
    expect([parameter?.validate(0).length, parameter?.validate(1).length]).toEqual([1, 0]);
  });
});
