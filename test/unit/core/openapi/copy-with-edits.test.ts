/** Editing a contract: what changes, what stays, and what cannot be changed. */

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../../core/json.ts';
import { editContract, resolveContract } from '../../../../core/openapi/contract.ts';
import { type Edit, editDocument } from '../../../../core/openapi/copy-with-edits.ts';
import { createDocument, rawOf } from '../../../../core/openapi/raw-document.ts';
import type { Parameter } from '../../../../core/parameters/parse-parameter.ts';
import { valueAt } from '../../../../core/pointer.ts';
import { contractFile } from '../../../../core/shipped-files.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';

const root: JsonObject = {
  list: [1, 2, 3],
  object: { one: 1, 'a/b': { deep: true } },
  first: { $ref: '#/shared' },
  second: { $ref: '#/shared' },
  shared: { inner: { $ref: '#/leaf' } },
  leaf: { value: 'old' },
};
const document = createDocument('x.yaml', new Map([['x.yaml', root]]));

function edited(...edits: readonly Edit[]): JsonObject {
  return rawOf(editDocument(document, edits)).root;
}

describe('an edit', () => {
  it.each<[Edit, string, unknown]>([
    [{ op: 'replace', at: '/list/1', value: 9 }, '/list', [1, 9, 3]],
    [{ op: 'remove', at: '/list/0' }, '/list', [2, 3]],
    [{ op: 'add', at: '/list/0', value: 0 }, '/list', [0, 1, 2, 3]],
    [{ op: 'add', at: '/list/-', value: 4 }, '/list', [1, 2, 3, 4]],
    [{ op: 'add', at: '/object/two', value: 2 }, '/object/two', 2],
    [{ op: 'remove', at: '/object/one' }, '/object', { 'a/b': { deep: true } }],
    [{ op: 'replace', at: '/object/a~1b/deep', value: false }, '/object/a~1b', { deep: false }],
  ])('%j leads to %s being %j', (edit, pointer, value) => {
    expect(valueAt(edited(edit), pointer)).toEqual(value);
  });

  it('changes what a reference names in its own place only', () => {
    const after = edited({ op: 'replace', at: '/first/inner/value', value: 'new' });
    expect(after['first']).toEqual({ inner: { value: 'new' } });
    expect([after['second'], after['shared'], after['leaf']]).toEqual([root['second'], root['shared'], root['leaf']]);
  });

  it('may build on the one before, leaves the original as it was, and shares what it does not touch', () => {
    const before = JSON.stringify(root);
    const after = edited({ op: 'add', at: '/new', value: { list: [] } }, { op: 'add', at: '/new/list/-', value: 'x' });
    expect(after['new']).toEqual({ list: ['x'] });
    expect(JSON.stringify(root)).toBe(before);
    expect(after['object']).toBe(root['object']);
  });

  it.each<[Edit, string]>([
    [{ op: 'replace', at: '/nope', value: 1 }, 'there is no nope'],
    [{ op: 'remove', at: '/list/7' }, 'there is no 7'],
    [{ op: 'add', at: '/nope/deeper', value: 1 }, 'there is no nope'],
    [{ op: 'replace', at: '/list/0/deeper', value: 1 }, 'there is no deeper'],
    [{ op: 'remove', at: '/constructor' }, 'there is no constructor'],
    [{ op: 'remove', at: '' }, 'cannot be resolved'],
  ])('%j is refused: %s', (edit, message) => {
    expect(() => edited(edit)).toThrow(message);
    expect(() => edited(edit)).toThrow(RangeError);
  });
});

describe('an edited contract', async () => {
  const contract = resolveContract(await openContract(contractFile('business')));

  it('has other rules, and the same questions, text and name', () => {
    const at = '/paths/~1api~1integrations~1v1~1reservations~1index.php/get/x-collection/filters/date_to';
    const peer = editContract({ ...contract, name: 'another' }, [{ op: 'replace', at, value: { before: '/schedule/date' } }]);
    const filterOf = (id: string, name: string): unknown => peer.operations.find((each) => each.id === id)?.collection?.filters.get(name);
    expect(filterOf('listReservations', 'date_to')).toMatchObject({ operator: 'before' });
    expect(filterOf('listReservations', 'date_from')).toMatchObject({ operator: 'from' });
    expect([peer.name, peer.document, peer.questions]).toEqual(['another', contract.document, contract.questions]);
  });

  it('changes a shared parameter in one operation only, whose lines stay known', () => {
    const at = '/paths/~1api~1integrations~1v1~1orders~1index.php/get/parameters/0/schema/maximum';
    const peer = editContract(contract, [{ op: 'replace', at, value: 7 }]);
    const limitOf = (id: string): Parameter | undefined =>
      peer.operations.find((each) => each.id === id)?.parameters.find((parameter) => parameter.name === 'limit');
    expect(limitOf('listOrders')?.schema).toMatchObject({ maximum: 7 });
    expect(limitOf('listReservations')?.schema).toMatchObject({ maximum: 100 });
    expect(limitOf('listOrders')?.place).toEqual(limitOf('listReservations')?.place);
  });
});
