import { readFile } from 'node:fs/promises';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../core/json.ts';
import type { ServedApi } from '../../../../mocks/handler/served-api.ts';
import { createKeys } from '../../../../mocks/key-ring.ts';
import type { ChangeStore, StoredChange, World, WorldSettings } from '../../../../mocks/world/world.ts';
import { serveApi, serveText } from '../../../helpers/served.ts';
import { type Answer, type Ask, objectOf, openWorld, recordsOf, type WorldMock } from '../../../helpers/world-mock.ts';

let api: ServedApi;

const openGarden = (store?: ChangeStore, served: ServedApi = api, ownRecords?: WorldSettings['recordsOf']): WorldMock =>
  openWorld(served, store, ownRecords);

let ask: Ask;
let world: World;

beforeAll(async () => {
  api = await serveApi('test/helpers/contracts/garden.openapi.yaml');
});

beforeEach(() => {
  ({ ask, world } = openGarden());
});

describe('reading', () => {
  test('the pages of a list follow each other, count all records and end with null', async () => {
    const keys: Json[] = [];
    let cursor = '';
    for (let page = 0; page < 10; page += 1) {
      const body = objectOf(await ask(`GET /beds?limit=6${cursor === '' ? '' : `&cursor=${cursor}`}`));
      expect(body['total']).toBe(20);
      keys.push(...(body['data'] as readonly JsonObject[]).map(({ id }) => id ?? null));
      if (body['next_cursor'] === null) break;
      cursor = encodeURIComponent(String(body['next_cursor']));
    }
    expect(new Set(keys).size).toBe(20);
    expect(keys).toHaveLength(20);
  });

  test('filters select, and the total counts what they select', async () => {
    const body = objectOf(await ask('GET /beds?soil=clay&limit=50'));
    const records = body['data'] as readonly JsonObject[];
    expect(records.length).toBeGreaterThan(0);
    expect(records.every(({ soil }) => soil === 'clay')).toBe(true);
    expect(body['total']).toBe(records.length);
  });

  test('a filter finds one of several values', async () => {
    const made = objectOf(await ask('POST /beds', { name: 'Roses', labels: ['shade', 'front'] }));
    const found = objectOf(await ask('GET /beds?label=front&limit=50'));
    expect((found['data'] as readonly JsonObject[]).map(({ id }) => id)).toEqual([made['id']]);
  });

  test('sort orders by the named field in both directions', async () => {
    const names = async (sort: string): Promise<readonly Json[]> =>
      recordsOf(await ask(`GET /beds?limit=50&sort=${sort}`)).map(({ name }) => name ?? null);
    const sorted = [...(await names('name'))].map(String);
    expect(sorted).toEqual(sorted.toSorted());
    expect((await names('-name')).map(String)).toEqual(sorted.toSorted().toReversed());
  });

  test('each listed record can be read, with equal members', async () => {
    for (const record of recordsOf(await ask('GET /beds?limit=3')))
      expect(objectOf(await ask(`GET /beds/${String(record['id'])}`))).toEqual(record);
  });

  test('an unknown key is the documented 404', async () => {
    const answer = await ask('GET /beds/987654');
    expect(answer.status).toBe(404);
    expect(objectOf(answer)['code']).toBe('missing');
  });

  test('a key that the document shows is known, and a limit is obeyed even where the pages are not sure', async () => {
    const text = `openapi: 3.1.0
info: { title: Pens, version: '1' }
components: { schemas: { Pen: { type: object, required: [id, ink], properties: { id: { type: string }, ink: { type: string } } } } }
paths:
  /pens:
    get:
      operationId: listPens
      parameters: [{ name: limit, in: query, schema: { type: integer } }, { name: offset, in: query, schema: { type: integer } }, { name: page, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: All.
          content:
            application/json:
              schema: { type: object, required: [data], properties: { data: { type: array, items: { $ref: '#/components/schemas/Pen' } } } }
              examples: { broken: { value: [{ id: a, ink: blue }] } }
  /pens/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string }, example: 'shown: 1' }]
    get:
      operationId: getPen
      responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Pen' } } } } }
    delete: { operationId: removePen, responses: { '204': { description: Removed. } } }
`;
    const pens = openGarden(undefined, await serveText(text));
    expect((await pens.ask('GET /pens/none')).status).toBe(404);
    expect((await pens.ask('GET /pens/shown%3A%201')).status).toBe(200);
    const listed = recordsOf(await pens.ask('GET /pens?limit=2'));
    expect(listed).toHaveLength(2);
    const third = recordsOf(await pens.ask('GET /pens?limit=2&offset=2'));
    expect(recordsOf(await pens.ask('GET /pens?limit=2&page=2'))).toEqual(third);
    expect(third).not.toEqual(listed);
    const path = `/pens/${String(listed[0]?.['id']).replace(/^./, (first) => `%${first.charCodeAt(0).toString(16)}`)}`;
    expect(objectOf(await pens.ask(`GET ${path}`))).toEqual(listed[0]);
    expect((await pens.ask(`DELETE ${path}`)).status).toBe(204);
    expect((await pens.ask(`GET ${path}`)).status).toBe(404);
  });

  test('a damaged cursor is refused', async () => {
    expect((await ask('GET /beds?cursor=nonsense')).status).toBe(400);
  });

  test('nested records belong to their parent, and an unknown parent has none', async () => {
    const [first, second] = recordsOf(await ask('GET /beds?limit=2'));
    const plants = recordsOf(await ask(`GET /beds/${String(first?.['id'])}/plants?per_page=50`));
    expect(plants.length).toBeGreaterThan(0);
    expect(plants.every(({ bed_id }) => bed_id === first?.['id'])).toBe(true);
    expect((await ask(`GET /beds/${String(second?.['id'])}/plants/${String(plants[0]?.['id'])}`)).status).toBe(404);
    expect((await ask('GET /beds/987654/plants')).status).toBe(404);
  });

  test('nested records name their parent as the path does, even if nothing says that they refer to it', async () => {
    const text = await readFile('test/helpers/contracts/garden.openapi.yaml', 'utf8');
    const { ask: askOther } = openGarden(undefined, await serveText(text.replaceAll('bed_id', 'plot_id')));
    const [first] = recordsOf(await askOther('GET /beds?limit=1'));
    const plants = recordsOf(await askOther(`GET /beds/${String(first?.['id'])}/plants`));
    expect(plants.map(({ plot_id }) => plot_id)).toEqual(plants.map(() => first?.['id']));
  });

  test('an unknown parent has no records where no 404 is documented', async () => {
    const text = await readFile('test/helpers/contracts/garden.openapi.yaml', 'utf8');
    const [before = '', after = ''] = text.split(/(?<=\n {2}\/beds\/\{bed_id\}\/plants:\n)/);
    const silent = openGarden(undefined, await serveText(before + after.replace(/\n +'404': .*/, '')));
    const answer = await silent.ask('GET /beds/987654/plants');
    expect([answer.status, recordsOf(answer)]).toEqual([200, []]);
  });

  test('documented headers lead to the next page and count', async () => {
    const [bed] = recordsOf(await ask('GET /beds?limit=1'));
    const { headers } = await ask(`GET /beds/${String(bed?.['id'])}/plants?per_page=2`, undefined, { host: 'garden.example' });
    expect(headers['link']).toBe(`<http://garden.example/beds/${String(bed?.['id'])}/plants?per_page=2&page=2>; rel="next"`);
    expect(headers['x-total-count']).toBe('5');
  });

  test('equal seeds give equal records', async () => {
    const other = openGarden();
    expect((await other.ask('GET /beds?limit=50')).json).toEqual((await ask('GET /beds?limit=50')).json);
  });
});

describe('writing', () => {
  test('a created record has what was sent, a key and a location, and is read and listed', async () => {
    const answer = await ask('POST /beds', { name: 'Roses', soil: 'loam' });
    expect(answer.status).toBe(201);
    const made = objectOf(answer);
    expect(made).toMatchObject({ name: 'Roses', soil: 'loam' });
    expect(answer.headers['location']).toBe(`/beds/${String(made['id'])}`);
    expect(objectOf(await ask(`GET ${String(answer.headers['location'])}`))).toEqual(made);
    expect(recordsOf(await ask('GET /beds?limit=50'))).toContainEqual(made);
    expect(objectOf(await ask('GET /beds'))['total']).toBe(21);
  });

  test('a patch changes what it names, and the instant of the change', async () => {
    const [bed] = recordsOf(await ask('GET /beds?limit=1'));
    const path = `/beds/${String(bed?.['id'])}`;
    const changed = objectOf(await ask(`PATCH ${path}`, { name: 'Herbs' }));
    expect(changed).toMatchObject({ name: 'Herbs', soil: bed?.['soil'], updated_at: '2026-03-29T16:00:00.000Z' });
    expect(objectOf(await ask(`GET ${path}`))).toEqual(changed);
  });

  test('a replaced record loses what was not sent, unless it is required', async () => {
    const made = objectOf(await ask('POST /beds', { name: 'Roses', note: 'south' }));
    expect(made['note']).toBe('south');
    const replaced = objectOf(await ask(`PUT /beds/${String(made['id'])}`, { name: 'Tulips' }));
    expect(replaced).not.toHaveProperty('note');
    expect(replaced).toMatchObject({ id: made['id'], name: 'Tulips', created_at: made['created_at'] });
  });

  test('a removed record is gone', async () => {
    const made = objectOf(await ask('POST /beds', { name: 'Roses' }));
    expect((await ask(`DELETE /beds/${String(made['id'])}`)).status).toBe(204);
    expect((await ask(`GET /beds/${String(made['id'])}`)).status).toBe(404);
    expect((await ask(`DELETE /beds/${String(made['id'])}`)).status).toBe(404);
  });

  test('a write with the tag of an earlier version is refused', async () => {
    const [bed] = recordsOf(await ask('GET /beds?limit=1'));
    const path = `/beds/${String(bed?.['id'])}`;
    const { etag } = (await ask(`GET ${path}`)).headers;
    expect((await ask(`PATCH ${path}`, { name: 'One' }, { 'if-match': String(etag) })).status).toBe(200);
    expect((await ask(`PATCH ${path}`, { name: 'Two' }, { 'if-match': String(etag) })).status).toBe(412);
    expect(objectOf(await ask(`GET ${path}`))['name']).toBe('One');
  });

  test('an action changes the member that its verb names', async () => {
    const made = objectOf(await ask('POST /beds', { name: 'Roses' }));
    await ask(`POST /beds/${String(made['id'])}/archive`);
    expect(objectOf(await ask(`GET /beds/${String(made['id'])}`))['archived']).toBe(true);
  });

  test('DELETE undoes an action, and a number beside the flag counts', async () => {
    const { id } = objectOf(await ask('POST /beds', { name: 'Roses' }));
    const read = async (): Promise<readonly Json[]> => {
      const { starred = null, stars_count: count = null } = objectOf(await ask(`GET /beds/${String(id)}`));
      return [starred, count];
    };
    const states: Json[] = [];
    for (const method of ['GET', 'POST', 'POST', 'DELETE']) {
      if (method !== 'GET') await ask(`${method} /beds/${String(id)}/star`);
      states.push(await read());
    }
    expect(states).toEqual([
      [false, 0],
      [true, 1],
      [true, 1],
      [false, 0],
    ]);
  });

  test('a nested record is created below its parent', async () => {
    const bed = objectOf(await ask('POST /beds', { name: 'Roses' }));
    const plant = objectOf(await ask(`POST /beds/${String(bed['id'])}/plants`, { name: 'Rose' }));
    expect(plant).toMatchObject({ name: 'Rose', bed_id: bed['id'] });
    expect(objectOf(await ask(`GET /beds/${String(bed['id'])}/plants/${String(plant['id'])}`))).toEqual(plant);
    expect((await ask('POST /beds/987654/plants', { name: 'Rose' })).status).toBe(404);
  });

  test('what is no collection is echoed', async () => {
    expect(objectOf(await ask('POST /seeds/search', { note: 'red' }))).toMatchObject({ note: 'red' });
  });

  test('a token leads to the user who logged in', async () => {
    const { access_token: token } = objectOf(await ask('POST /login', { username: 'ada' }));
    expect(objectOf(await ask('GET /me', undefined, { authorization: `Bearer ${String(token)}` }))).toMatchObject({ username: 'ada' });
  });

  test('a token is taken where only fixed keys are, and an invented one is not', async () => {
    const fixed = openGarden(undefined, { ...api, keys: createKeys(api.contract, api.dataset, 1, true) });
    const { access_token: token } = objectOf(await fixed.ask('POST /login', { username: 'ada' }));
    const me = async (sent: string): Promise<Answer> => fixed.ask('GET /me', undefined, { authorization: `Bearer ${sent}` });
    expect(objectOf(await me(String(token)))).toMatchObject({ username: 'ada' });
    expect((await me('invented')).status).toBe(401);
  });

  test('own records of a nested collection are below the parents that they name', async () => {
    const plant = (id: string, bed: number): JsonObject => ({ id, name: 'Rose', bed_id: bed });
    const ids = [1, 2, 3].map((number) => `4f4e4e1c-824d-4c63-b37a-d8d69886${number}f1d`);
    const own = ids.map((id, index) => plant(id, index < 2 ? 1 : 2));
    const { ask: read } = openGarden(undefined, api, (_, collection) => (collection === 'plants' ? own : []));
    expect(recordsOf(await read('GET /beds/1/plants?per_page=9')).map(({ id }) => id)).toEqual(ids.slice(0, 2));
  });

  test('many writers lose nothing', async () => {
    const made = await Promise.all(Array.from({ length: 200 }, (_, index) => ask('POST /beds', { name: `Bed ${index}` })));
    const keys = made.map((answer) => objectOf(answer)['id']);
    expect(new Set(keys).size).toBe(200);
    expect(objectOf(await ask('GET /beds'))['total']).toBe(220);
  });

  test('a reset returns to the records of the start', async () => {
    const before = (await ask('GET /beds?limit=50')).json;
    await ask('POST /beds', { name: 'Roses' });
    world.reset();
    expect((await ask('GET /beds?limit=50')).json).toEqual(before);
  });

  test('kept changes survive a restart', async () => {
    const kept: StoredChange[] = [];
    const store: ChangeStore = { load: () => kept, append: (change) => kept.push(change), clear: () => kept.splice(0) };
    const first = openGarden(store);
    const made = objectOf(await first.ask('POST /beds', { name: 'Roses' }));
    const [old] = recordsOf(await first.ask('GET /beds?limit=1'));
    await first.ask(`DELETE /beds/${String(old?.['id'])}`);
    const second = openGarden(store);
    expect(objectOf(await second.ask(`GET /beds/${String(made['id'])}`))).toEqual(made);
    expect((await second.ask(`GET /beds/${String(old?.['id'])}`)).status).toBe(404);
    const next = objectOf(await second.ask('POST /beds', { name: 'Tulips' }));
    expect(next['id']).not.toBe(made['id']);
  });
});

/** Jobs whose creation answers with an identifier of another name, and whose identifiers are of type number. */
const jobs = `openapi: 3.0.3
info: { title: Jobs, version: '1' }
components:
  schemas:
    Job: { type: object, required: [uuid, title], properties: { uuid: { type: string }, title: { type: string, example: Sweep }, ownerId: { type: number }, slug: { type: string } } }
    NewJob: { type: object, properties: { uuid: { type: string }, title: { type: string }, slug: { type: string } } }
paths:
  /jobs:
    get:
      parameters: [{ name: limit, in: query, schema: { type: integer } }, { name: offset, in: query, schema: { type: integer } }]
      responses:
        '200':
          description: Some.
          content:
            application/json:
              schema: { type: object, properties: { jobs: { type: array, items: { $ref: '#/components/schemas/Job' } }, meta: { type: object, properties: { items_on_page: { type: integer } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/NewJob' } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } } }
  /jobs/{uuid}:
    parameters: [{ name: uuid, in: path, required: true, schema: { type: string }, example: 9fa }]
    get:
      responses:
        '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } }
        '404': { description: None. }
    put:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/NewJob' } } } }
      responses: { '200': { description: Changed., content: { application/json: { schema: { $ref: '#/components/schemas/Job' } } } }, '404': { description: None. } }
`;

/** Shelves with a name as their key, which a replacement need not repeat. */
const shelvesText = `openapi: 3.0.3
info: { title: Shelves, version: '1' }
components:
  schemas: { Shelf: { type: object, properties: { name: { type: string }, height: { type: integer } } } }
paths:
  /shelves:
    get: { responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Shelf' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } } }
  /shelves/{name}:
    parameters: [{ name: name, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } }, '404': { description: None. } } }
    put:
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } }
      responses: { '200': { description: Changed., content: { application/json: { schema: { $ref: '#/components/schemas/Shelf' } } } }, '404': { description: None. } }
`;

/** Coins with textual keys whose creation answers with a number, and their marks. */
const numbered = `openapi: 3.0.3
info: { title: Coins, version: '1' }
components:
  schemas:
    Coin: { type: object, required: [id, name], properties: { id: { type: string }, name: { type: string } } }
    Mark: { type: object, required: [id], properties: { id: { type: integer }, text: { type: string } } }
    Dent: { type: object, required: [id], properties: { id: { type: integer, format: int32 }, depth: { type: integer } } }
paths:
  /coins:
    get: { responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Coin' } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { id: { type: string }, name: { type: string } } } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { type: object, properties: { id: { type: integer, example: 1 }, name: { type: string } } } } } } }
  /coins/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Coin' } } } }, '404': { description: None. } } }
    delete: { responses: { '204': { description: Removed. }, '404': { description: None. } } }
  /coins/{id}/marks:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: All., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Mark' } } } } }, '404': { description: None. } } }
  /coins/{id}/marks/{markId}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }, { name: markId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Mark' } } } }, '404': { description: None. } } }
  /coins/{id}/dent:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get: { responses: { '200': { description: All., content: { application/json: { schema: { type: object, properties: { dents: { type: array, items: { $ref: '#/components/schemas/Dent' } } } } } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: object, properties: { depth: { type: integer } } } } } }
      responses: { '201': { description: Made., content: { application/json: { schema: { type: object, properties: { id: { type: integer } } } } } } }
  /coins/{id}/dent/{dentId}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }, { name: dentId, in: path, required: true, schema: { type: integer } }]
    get: { responses: { '200': { description: One., content: { application/json: { schema: { $ref: '#/components/schemas/Dent' } } } }, '404': { description: None. } } }
`;

describe('identifiers', () => {
  beforeAll(async () => {
    api = await serveText(jobs);
  });

  test('a creation that answers with an identifier of another name tells the key', async () => {
    const { id } = objectOf(await ask('POST /jobs', { title: 'Paint' }));
    expect(objectOf(await ask(`GET /jobs/${String(id)}`))['title']).toBe('Paint');
  });

  test('an identifier in a body does not rename a record', async () => {
    const { id } = objectOf(await ask('POST /jobs', { title: 'Paint' }));
    await ask(`PUT /jobs/${String(id)}`, { uuid: 'other', title: 'Scrub' });
    expect(objectOf(await ask(`GET /jobs/${String(id)}`))).toMatchObject({ uuid: id, title: 'Scrub' });
    expect((await ask('GET /jobs/other')).status).toBe(404);
  });

  test('the example of a path parameter names a record with the values that the document shows', async () => {
    expect(objectOf(await ask('GET /jobs/9fa'))).toMatchObject({ uuid: '9fa', title: 'Sweep' });
  });

  test('a replaced record keeps a name that is its key', async () => {
    const shelves = openGarden(undefined, await serveText(shelvesText));
    await shelves.ask('POST /shelves', { name: 'north' });
    expect((await shelves.ask('PUT /shelves/north', { height: 3 })).status).toBe(200);
    expect(objectOf(await shelves.ask('GET /shelves/north'))).toMatchObject({ name: 'north', height: 3 });
  });

  test('an empty key is none, and the key of a creation has the type that the response documents', async () => {
    const coins = openGarden(undefined, await serveText(numbered));
    const { id, name } = objectOf(await coins.ask('POST /coins', { id: '', name: 'Penny' }));
    expect([typeof id, name]).toEqual(['number', 'Penny']);
    expect(objectOf(await coins.ask(`GET /coins/${String(id)}`))).toMatchObject({ id: String(id), name: 'Penny' });
  });

  test('keys without a form of their own, and numbers, count from 1', async () => {
    const coins = openGarden(undefined, await serveText(numbered));
    for (const path of ['/coins/1', '/coins/19', '/coins/1/marks/1', '/coins/2/marks/6'])
      expect((await coins.ask(`GET ${path}`)).status).toBe(200);
    for (const path of ['/coins/21', '/coins/1/marks/6', '/coins/2/marks/1']) expect((await coins.ask(`GET ${path}`)).status).toBe(404);
    await coins.ask('DELETE /coins/19');
    expect(objectOf(await coins.ask('POST /coins', { name: 'Penny' }))['id']).toBe(20);
  });

  test('POST to a path that is listed creates a record, also where its noun is no plural', async () => {
    const coins = openGarden(undefined, await serveText(numbered));
    const { id } = objectOf(await coins.ask('POST /coins/1/dent', { depth: 8 }));
    expect(objectOf(await coins.ask(`GET /coins/1/dent/${String(id)}`))).toEqual({ id, depth: 8 });
  });

  test.each(['{{coinId}}', ':coinId', '<string>', 'qui non consectetur'])(
    'the placeholder %s stands for the last created record',
    async (text) => {
      const coins = openGarden(undefined, await serveText(numbered));
      const target = `/coins/${encodeURIComponent(text)}`;
      const first = objectOf(await coins.ask(`GET ${target}`));
      expect(first).toEqual(recordsOf(await coins.ask('GET /coins'))[0]);
      const made = objectOf(await coins.ask('POST /coins', { name: 'Penny' }));
      const shown = await coins.ask(`GET ${target}`);
      expect(objectOf(shown)).toMatchObject({ id: String(made['id']), name: 'Penny' });
      expect(shown.headers['mock-note']).toContain('placeholder');
      expect((await coins.ask(`GET ${target}/marks/${String((Number(made['id']) - 1) * 5 + 1)}`)).status).toBe(200);
      expect((await coins.ask(`DELETE ${target}`)).status).toBe(204);
      expect((await coins.ask(`GET /coins/${String(made['id'])}`)).status).toBe(404);
      expect(objectOf(await coins.ask(`GET ${target}`))).toEqual(first);
    },
  );

  test.each(['none', '987654', 'id', 'do', 'undefined', 'null'])('%s is an unknown key, and no placeholder', async (text) => {
    const coins = openGarden(undefined, await serveText(numbered));
    expect((await coins.ask(`GET /coins/${text}`)).status).toBe(404);
  });

  test('without a documented 404, the key that responses show for a text without an example has the documented response', async () => {
    const coins = openGarden(undefined, await serveText(numbered.replaceAll(", '404': { description: None. }", '')));
    const [shown, unknown] = [await coins.ask('GET /coins/string'), await coins.ask('GET /coins/strings')];
    expect([objectOf(shown)['id'], unknown.status]).toEqual(['string', 404]);
  });

  test('identifiers are whole numbers, and the number of records of a page is counted', async () => {
    const body = objectOf(await ask('GET /jobs?limit=7'));
    const listed = body['jobs'] as readonly JsonObject[];
    expect(listed.every(({ ownerId }) => Number.isInteger(ownerId))).toBe(true);
    expect(body['meta']).toEqual({ items_on_page: 7 });
  });
});
