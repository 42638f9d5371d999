/** `verifyPacts` with a small server: passed, failed and not exercised interactions. */

import { describe, expect, it, vi } from 'vitest';
import { type VerifyPactsOptions, verifyPacts } from '../../../../../contracts/pact/verify/verify-pacts.ts';
import { UsageError } from '../../../../../core/errors.ts';
import { parsePact } from '../../../../../core/pact/parse-pact.ts';
import type { InteractionResult, PactVerification } from '../../../../../core/results/pact-verify-result.ts';
import { given, pactOf, type Sketch } from '../../../../helpers/contracts/notes-pact.ts';
import { type NotesServer, noteKey, notesContract, startNotes } from '../../../../helpers/contracts/notes-server.ts';

// Each verification starts a process with Pact, which takes a second or two on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

const contract = await notesContract();

async function verifyAt(
  server: NotesServer,
  sketches: readonly Sketch[],
  more: Partial<VerifyPactsOptions> = {},
): Promise<PactVerification> {
  return await verifyPacts({
    pairs: [{ pact: pactOf(...sketches), contract }],
    target: server.url,
    keys: { full: { variable: 'NOTE_KEY', value: noteKey } },
    ...more,
  });
}

function verdictsOf({ interactions }: PactVerification): readonly (readonly [string, string])[] {
  return interactions.map(({ description, verdict, reason, failures }) => [
    description,
    [verdict, reason, ...failures.map((each) => each.diagnosis)].filter((text) => text !== undefined).join(': '),
  ]);
}

function find({ interactions }: PactVerification, description: string): InteractionResult {
  const found = interactions.find((each) => each.description === description);
  if (found === undefined) throw new Error(`there is no interaction ${description}`);
  return found;
}

const note = { note: { id: 4711, title: 'A title' } };
const list = { notes: [{ id: 4711, state: 'open', title: 'A title' }] };
const eachNote = { '$.notes': { matchers: [{ match: 'type', min: 1 }] }, '$.notes[*]': { matchers: [{ match: 'type' }] } };

const honest: readonly Sketch[] = [
  { description: 'a list', states: ['a note exists'], body: list, rules: eachNote },
  {
    description: 'a note',
    states: ['a note with state done exists'],
    path: '/notes/4711',
    filled: { path: `/notes/${given('id')}` },
    body: note,
    answered: { '$.note.id': given('id') },
  },
  {
    description: 'a note that is known',
    states: ['a note exists'],
    path: '/notes/4711',
    headers: { 'X-Key': 'your-key', 'If-None-Match': '"abc"' },
    filled: { path: `/notes/${given('id')}`, 'header If-None-Match': given('etag') },
    status: 304,
  },
  {
    description: 'the next page',
    states: ['more than 2 notes exist'],
    query: { limit: '2', cursor: 'abc' },
    filled: { 'query cursor': given('cursor') },
    body: list,
    rules: eachNote,
  },
  { description: 'a note that is not there', states: ['no note has id 999'], path: '/notes/999', status: 404, body: { code: 'NO_NOTE' } },
  { description: 'without a key', states: ['the key is missing'], status: 401, body: { code: 'NO_KEY' } },
  { description: 'with an unknown key', states: ['the key is unknown'], status: 401, body: { code: 'NO_KEY' } },
  { description: 'by the other carrier', headers: { Authorization: 'Bearer your-key' }, body: list },
  { description: 'too many', query: { limit: '51' }, status: 422, body: { code: 'BAD' } },
  { description: 'throttled', query: { mistake: 'throttle' }, status: 429, body: { code: 'TOO_MANY' } },
];

describe('verifyPacts', () => {
  it('finds the values of the states, and puts them into the requests', async () => {
    await using server = await startNotes();
    const result = await verifyAt(server, honest, { require: 'all' });
    expect(verdictsOf(result)).toEqual(honest.map(({ description }) => [description, 'passed']));
    expect(result).toMatchObject({ verdict: 'passed', exitCode: 0, required: honest.length, unavailable: [] });
    expect(result.requests).toBe(server.asked.length);
    expect(find(result, 'a note').exchange?.request.target).toBe('/notes/2');
    expect(find(result, 'the next page').exchange?.request.target).toBe('/notes?limit=2&cursor=from-2');
    expect(find(result, 'by the other carrier').exchange?.request.headers).toMatchObject({ authorization: 'Bearer $NOTE_KEY' });
    // An expected refusal is requested once and not retried.
    expect(server.asked.filter((target) => target.includes('throttle'))).toEqual(['GET /notes?mistake=throttle']);
    expect(server.headers.flatMap((fields) => Object.keys(fields)).filter((name) => name.startsWith('x-touchstone'))).toEqual([]);
    expect(JSON.stringify(result)).not.toContain(noteKey);
    expect(JSON.stringify(result)).not.toContain('Ada Personal');
  });

  const wrong: readonly (readonly [Sketch, string, string])[] = [
    [{ ...honest[1], description: 'other-record' } as Sketch, '$.note.id', 'a different record from the one that id requests'],
    [{ ...honest[1], description: 'field-lost' } as Sketch, '$.note.title', '/note/title is missing'],
    [{ ...honest[2], description: 'tag-ignored' } as Sketch, '', 'expected 304, got 200: the target ignores its own ETag'],
    [{ ...honest[2], description: 'tag-other' } as Sketch, 'ETag', 'the 304 has a different ETag'],
    [{ ...honest[0], description: 'type-changed' } as Sketch, '$.notes[0].id', 'the type changed: /notes/0/id is a string'],
    [
      { ...honest[0], description: 'filter-ignored', query: { state: 'done' } } as Sketch,
      '$.notes[0].state',
      'does not match the filter state',
    ],
    [{ ...honest[0], description: 'page-large', query: { limit: '2' } } as Sketch, '$.notes', 'the page is larger than the limit'],
    [
      {
        ...honest[0],
        description: 'bound-exclusive',
        query: { since: '2026-01-01T00:00:00Z' },
        filled: { 'query since': given('at') },
        rules: {},
        body: {},
      } as Sketch,
      '$.notes',
      'omits a record that matches the request',
    ],
    [{ ...honest[3], description: 'first-again' } as Sketch, '$.notes[0].id', 'repeats records of the previous page'],
    [{ ...honest[3], description: 'page-gap' } as Sketch, '$.notes[0].id', 'the page omits a record that follows the previous page'],
    [{ ...honest[4], description: 'no-code' } as Sketch, '$.code', 'the error code /code is missing'],
  ];

  it('reports each failure with its place', async () => {
    await using server = await startNotes();
    const sketches = wrong.map(([sketch]) => ({ ...sketch, query: { ...sketch.query, mistake: sketch.description } }));
    const result = await verifyAt(server, sketches);
    for (const [{ description }, path, diagnosis] of wrong) {
      const { verdict, failures, curl } = find(result, description);
      expect({ description, verdict }).toEqual({ description, verdict: 'failed' });
      expect(failures, description).toContainEqual(expect.objectContaining({ path, diagnosis: expect.stringContaining(diagnosis) }));
      expect(curl).toMatch(/^curl .*\$NOTE_KEY/);
    }
    expect(result).toMatchObject({ verdict: 'failed', exitCode: 1 });
  });

  it('replaces examples in pacts without generators, and expects the requested identifiers', async () => {
    await using server = await startNotes();
    const result = await verifyAt(server, [
      {
        description: 'by example',
        states: ['a note exists'],
        path: '/notes/4711',
        body: note,
        rules: { '$.note.title': { matchers: [{ match: 'type' }] } },
      },
      { description: 'known by example', states: ['a note exists'], path: '/notes/4711', headers: { 'If-None-Match': '"x"' }, status: 304 },
      {
        description: 'that very one',
        states: [{ name: 'a note exists', params: { where: { id: 2 } } }],
        path: '/notes/2',
        body: { note: { id: 2 } },
        rules: {},
      },
    ]);
    expect(verdictsOf(result).map(([, verdict]) => verdict)).toEqual(['passed', 'passed', 'passed']);
    expect(find(result, 'by example').exchange?.request.target).toBe('/notes/4');
    expect(find(result, 'that very one').exchange?.request.target).toBe('/notes/2');
  });

  it('reads pacts of the second and the third version of the Pact specification', async () => {
    await using server = await startNotes();
    const keyed = { 'X-Key': 'your-key' };
    const second = {
      consumer: { name: 'old' },
      provider: { name: 'notes' },
      interactions: [
        {
          description: 'old list',
          providerState: 'a note exists',
          request: { method: 'GET', path: '/notes', query: 'limit=2&state=open,done', headers: keyed },
          response: { status: 200, body: list, matchingRules: { '$.body.notes': { min: 1 }, '$.body.notes[*].*': { match: 'type' } } },
        },
        {
          description: 'old and wrong',
          request: { method: 'GET', path: '/notes', headers: keyed },
          response: { status: 200, body: { notes: [], colour: 'blue' } },
        },
      ],
    };
    const third = {
      consumer: { name: 'newer' },
      provider: { name: 'notes' },
      interactions: [
        {
          description: 'newer page',
          providerStates: [{ name: 'more than 2 notes exist' }],
          request: {
            method: 'GET',
            path: '/notes',
            query: { limit: ['2'], cursor: ['x'] },
            headers: keyed,
            generators: { query: { 'cursor[0]': { type: 'ProviderState', expression: given('next_cursor') } } },
          },
          response: { status: 200, body: list, matchingRules: { body: { '$.notes': { matchers: [{ match: 'type', min: 1 }] } } } },
        },
      ],
      metadata: { pactSpecification: { version: '3.0.0' } },
    };
    const pairs = [second, third].map((value, at) => ({ pact: parsePact(`pact-${at}.json`, JSON.stringify(value)), contract }));
    const result = await verifyAt(server, [], { pairs });
    expect(result.interactions.map(({ description, verdict }) => [description, verdict])).toEqual([
      ['old list', 'passed'],
      ['old and wrong', 'failed'],
      ['newer page', 'passed'],
    ]);
    expect(find(result, 'newer page').exchange?.request.target).toBe('/notes?limit=2&cursor=from-2');
    expect(find(result, 'old and wrong').failures).toContainEqual(
      expect.objectContaining({ path: '$.colour', diagnosis: '/colour is missing' }),
    );
  });

  it('hides keys, and by default personal data', async () => {
    await using server = await startNotes();
    const sketches: readonly Sketch[] = [
      { description: 'the owner', body: { owner: { name: 'Somebody' } }, rules: {}, filled: { 'header X-Key': given('token') } },
    ];
    const [hidden, shown] = [await verifyAt(server, sketches), await verifyAt(server, sketches, { showPersonal: true })];
    const failureOf = (result: PactVerification): unknown => find(result, 'the owner').failures[0];
    expect(failureOf(hidden)).toMatchObject({ path: '$.owner.name', actual: '"‹personal›"' });
    expect(JSON.stringify(hidden)).not.toContain('Ada');
    expect(failureOf(shown)).toMatchObject({ path: '$.owner.name', actual: '"Ada Personal"' });
    expect(find(shown, 'the owner').exchange?.request.headers).toMatchObject({ 'x-key': '$NOTE_KEY' });
    expect(JSON.stringify([hidden, shown])).not.toContain(noteKey);
  });

  it('does not exercise an interaction without its state, and reports the reason', async () => {
    await using server = await startNotes();
    const sketches: readonly Sketch[] = [
      { description: 'no such note', states: ['a note with state lost exists'] },
      { description: 'not that many', states: ['more than 5 notes exist'] },
      { description: 'nothing gives it', states: ['a note exists'], path: '/notes/1', filled: { path: `/notes/${given('colour')}` } },
      { description: 'it is there', states: ['no note has id 3'], path: '/notes/3', status: 404 },
      { description: 'no such form', states: ['somebody is logged in'] },
      { description: 'no such key', states: ['the key has expired'], status: 401 },
      { description: 'nobody can ask for it', states: ['the service is not ready'], status: 503 },
      { description: 'it writes', method: 'DELETE', path: '/notes/1' },
      { description: 'it resets', path: '/reset' },
    ];
    const result = await verifyAt(server, sketches);
    expect(verdictsOf(result).map(([, why]) => why.replace(/^not-exercised: /, ''))).toEqual([
      'a note with state lost exists: the target has no note with state "lost"',
      'more than 5 notes exist: the target has only 5 such records',
      expect.stringMatching(/^the states give no value for colour; they give .*id/),
      'no note has id 3: the target has a record with id 3',
      'the state “somebody is logged in” has none of the known forms',
      'the key has expired: no key has this role; add --key expired=ENV_VAR',
      'the service is not ready: only a --state-change-url can set this up',
      'DELETE may change data, and only safe methods are used',
      expect.stringMatching(/seems to change something, and only reads are sent$/),
    ]);
    expect(result).toMatchObject({ verdict: 'not-exercised', exitCode: 4 });
    expect(server.asked.filter((each) => !each.startsWith('GET'))).toEqual([]);
  });

  it('exercises foreign states by a guess or by their meaning, and lists what is not settled', async () => {
    await using server = await startNotes();
    const sketches: readonly Sketch[] = [
      { description: 'guessed', states: ['note 999 does not exist'], path: '/notes/999', status: 404 },
      { description: 'stated', states: ['nothing is there'], path: '/notes/998', status: 404 },
      { description: 'unknown', states: ['somebody is logged in'] },
    ];
    const states = { 'nothing is there': { absent: 'notes', id: 998 } };
    const result = await verifyAt(server, sketches, { states });
    expect(verdictsOf(result).map(([, why]) => why.split(':')[0])).toEqual(['passed', 'passed', 'not-exercised']);
    expect(result.states.map(({ name, guess }) => [name, guess])).toEqual([
      ['note 999 does not exist', 'no note has id 999'],
      ['somebody is logged in', undefined],
    ]);
    expect(result).toMatchObject({ verdict: 'not-exercised', exitCode: 4, required: 3 });
    expect(await verifyAt(server, sketches, { states, require: 2 })).toMatchObject({ verdict: 'passed', exitCode: 0 });
  });

  it('sets up states that reading does not find, and tears them down', async () => {
    await using server = await startNotes();
    const sketch = {
      description: 'asked for',
      states: ['somebody is logged in'],
      path: '/notes/1',
      filled: { path: `/notes/${given('id')}` },
      body: note,
    };
    const result = await verifyAt(server, [sketch], { stateChangeUrl: `${server.url}/states` });
    expect(verdictsOf(result)).toEqual([['asked for', 'passed']]);
    expect(find(result, 'asked for').exchange?.request.target).toBe('/notes/3');
    expect(server.told.map(({ action, state }) => [action, state])).toEqual([
      ['setup', 'somebody is logged in'],
      ['teardown', 'somebody is logged in'],
    ]);
  });

  it('retries if the data has changed', async () => {
    let isMoved = false;
    await using server = await startNotes((running, target) => {
      if (isMoved || !target.includes('moving')) return;
      isMoved = true;
      running.rename(4, 'Another title');
    });
    const result = await verifyAt(server, [{ ...honest[2], description: 'moving', query: { moving: 'yes' } } as Sketch]);
    expect(verdictsOf(result)).toEqual([['moving', 'passed']]);
    expect(find(result, 'moving').notes).toEqual(['it failed at first and passed on retry: the data had changed']);
  });

  describe('does not report a gap between pages', () => {
    const sketch = { ...honest[3], description: 'moving', query: { limit: '2', cursor: 'abc', moving: 'yes' } } as Sketch;
    const isPage = (target: string): boolean => target.includes('moving') && target.includes('cursor');

    it('if the record between them was removed', async () => {
      await using server = await startNotes((running, target) => {
        if (isPage(target)) running.away.add(3);
      });
      const result = await verifyAt(server, [sketch]);
      expect([verdictsOf(result), find(result, 'moving').notes]).toEqual([[['moving', 'passed']], []]);
    });

    it('if the record between them appears on retry', async () => {
      await using server = await startNotes((running, target) => {
        if (isPage(target)) running.away[running.asked.some(isPage) ? 'delete' : 'add'](3);
      });
      const result = await verifyAt(server, [sketch]);
      expect([verdictsOf(result), find(result, 'moving').notes]).toEqual([[['moving', 'passed']], []]);
    });

    it('if the budget does not allow another read', async () => {
      await using server = await startNotes();
      const wrong = { ...sketch, query: { ...sketch.query, mistake: 'page-gap' } } as Sketch;
      const needed = (await verifyAt(server, [sketch])).requests;
      const [short, enough] = [await verifyAt(server, [wrong], { budget: needed }), await verifyAt(server, [wrong])];
      expect([find(short, 'moving').verdict, find(enough, 'moving').verdict]).toEqual(['passed', 'failed']);
    });
  });

  it('reports pending interactions without failing', async () => {
    await using server = await startNotes();
    const pending = { description: 'not yet', isPending: true, body: { notes: [], colour: 'blue' } };
    const result = await verifyAt(server, [pending]);
    expect(find(result, 'not yet')).toMatchObject({ verdict: 'failed', pending: true });
    expect(result.exitCode).toBe(0);
  });

  it('keeps its budget, and reports the skipped interactions', async () => {
    await using server = await startNotes();
    const result = await verifyAt(server, honest, { budget: 6, require: 'all' });
    expect(server.asked).toHaveLength(6);
    expect(result).toMatchObject({ exitCode: 4, requests: 6 });
    expect(
      result.interactions.filter(({ reason }) => reason === 'the budget of 6 requests is too small for this; raise --budget').length,
    ).toBeGreaterThan(3);
  });

  it('reports the results before an interruption', async () => {
    let stop = (): void => undefined;
    const interrupted = new Promise<void>((resolve) => {
      stop = resolve;
    });
    await using server = await startNotes((_, target) => {
      if (target.includes('stop')) stop();
    });
    const sketches = [
      { description: 'before', body: list },
      { description: 'stops', query: { stop: 'now' }, body: list },
      { description: 'after', query: { limit: '3' }, body: list },
    ];
    const result = await verifyAt(server, sketches, { interrupted });
    expect(verdictsOf(result)).toEqual([
      ['before', 'passed'],
      ['stops', 'passed'],
      ['after', 'not-exercised: the run was interrupted'],
    ]);
    expect(result.exitCode).toBe(130);
  });

  it('reports a target that cannot be judged', async () => {
    const result = await verifyPacts({ pairs: [{ pact: pactOf(...honest), contract }], target: 'http://127.0.0.1:1' });
    expect(result).toMatchObject({ verdict: 'blocked', exitCode: 3, requests: 1 });
    expect(result.unavailable.map(({ contract: name }) => name)).toEqual([contract.name]);
  });

  it.each<readonly [string, Partial<VerifyPactsOptions>, string]>([
    ['no interaction', { pairs: [] }, 'the pacts contain no HTTP interaction to verify'],
    ['an unknown consumer', { consumers: ['raeder'] }, 'no pact has the consumer raeder; did you mean reader?'],
    ['a pattern that nothing matches', { only: ['*dragon*'] }, '--only *dragon* matches no description'],
    ['a wrong address', { target: 'ftp://x' }, 'ftp'],
  ])('refuses %s', async (_, more, message) => {
    const run = verifyPacts({ pairs: [{ pact: pactOf(...honest), contract }], target: 'http://127.0.0.1:1', ...more });
    await expect(run).rejects.toThrow(message);
    await expect(run).rejects.toBeInstanceOf(UsageError);
  });

  it('verifies the selected interactions', async () => {
    await using server = await startNotes();
    const result = await verifyAt(server, honest, { only: ['*the other carrier', 'too *'] });
    expect(verdictsOf(result)).toEqual([
      ['by the other carrier', 'passed'],
      ['too many', 'passed'],
    ]);
  });
});
