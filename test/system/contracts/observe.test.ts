/** Observations name the choice of a server for each unspecified point, and are never wrong. */

import { describe, expect, it } from 'vitest';
import { concludeQuestion } from '../../../contracts/verify/observations/observe-open-questions.ts';
import { contractFile } from '../../../core/shipped-files.ts';
import { openContract } from '../../helpers/exchange-judge.ts';
import { startJudgedMock } from '../../helpers/judged-mock.ts';
import { startSecondServer } from '../../second/second-server.ts';
import { businessChoices, wikiChoices } from '../../second/server-setup.ts';
import { observeServer } from './observing.ts';

const seconds = 1000;

/** Choices of one question that no request of a run can tell apart. */
const alike: Readonly<Record<string, readonly string[]>> = {
  'key-first': ['key-first', 'limit-first', 'service-first'],
  'limit-first': ['key-first', 'limit-first', 'service-first'],
  'service-first': ['key-first', 'limit-first', 'service-first'],
};

/** Questions about values that may be missing. Where every value is given, each of their answers may still be the right one. */
const gaps = ['no-table', 'unpaid', 'unknown-customer', 'empty-notes'];

/** Questions that stay open: names that no documented field shows, and chaos that the mock does not have here. */
const unseen = ['identity-scope-name', 'menu-scope-name', 'which-not-ready', 'retry-after-form'];

describe.each(['business', 'wiki'])('a mock of the %s API', async (name) => {
  const contract = await openContract(contractFile(name));
  const asked = [...contract.questions.values()].filter(({ choices }) => choices.size > 0);
  const profileOf = (turn: number): Readonly<Record<string, string>> =>
    Object.fromEntries(asked.map(({ id, choices }) => [id, [...choices.keys()][turn % choices.size] ?? '']));

  it.each([0, 1, 2, 3])('is observed with choice %i of each question', { timeout: 60 * seconds }, async (turn) => {
    const profile = profileOf(turn);
    await using mock = await startJudgedMock({ contracts: [name], profile });
    const { observations, requests } = await observeServer(contract, { ...mock, hidden: mock.hiddenRecords });
    expect([...observations.keys()]).toEqual([...contract.questions.keys()]);
    expect(requests).toBeLessThanOrEqual(20);
    for (const { id } of asked) {
      const choice = profile[id] ?? '';
      // Only a server that refuses a page of no records says that there is no such page.
      const isUnseen = unseen.includes(id) || (id === 'smallest-page' && turn > 0) || (gaps.includes(id) && choice === 'given');
      expect.soft(observations.get(id), id).toMatchObject({ answers: isUnseen ? [] : (alike[choice] ?? [choice]) });
    }
  });

  it.each([0, 1, 2, 3])('is observed in few requests with choice %i of each question', { timeout: 60 * seconds }, async (turn) => {
    const profile = profileOf(turn);
    await using mock = await startJudgedMock({ contracts: [name], profile });
    const { observations, requests } = await observeServer(contract, { ...mock, hidden: mock.hiddenRecords }, true);
    expect(requests).toBeLessThanOrEqual(6);
    const answered = [...observations.values()].filter(({ answers }) => answers.length > 0);
    expect(answered.length).toBeGreaterThan(asked.length / 2);
    for (const { id, answers } of answered) expect.soft(answers, id).toContain(profile[id]);
  });
});

/** Choice of the contract that equals a choice of the second server; `undefined` for none. */
type Translation = readonly [question: string, choice: string, answers: Readonly<Record<string, string | undefined>>];

const nullOrAbsent = { null: 'null', absent: 'absent' };

const translations: Readonly<Record<'business' | 'wiki', readonly Translation[]>> = {
  business: [
    ['success-ok', 'success-ok', { present: 'present', absent: 'absent' }],
    ['order-place', 'detail-place', { 'data-name': 'data-order', data: 'data', root: 'root' }],
    ['reservation-place', 'detail-place', { 'data-name': 'data-reservation', data: 'data', root: 'root' }],
    ['no-table', 'takeaway-table', nullOrAbsent],
    ['unpaid', 'unpaid', nullOrAbsent],
    ['unknown-customer', 'guest-contact', nullOrAbsent],
    ['empty-notes', 'empty-notes', nullOrAbsent],
    ['no-assignment', 'no-assignment', nullOrAbsent],
    ['assignment-offset', 'assignment-times', { offset: 'offset', local: 'local' }],
    ['head-place', 'head-place', { top: 'top', data: 'data' }],
    ['last-cursor', 'last-cursor', { ...nullOrAbsent, given: 'given' }],
    ['orders-order', 'orders-order', { 'changed-desc': 'changed-first', 'id-desc': 'id-first' }],
    ['reservations-direction', 'reservations-direction', { desc: 'descending', asc: 'ascending' }],
    ['sloppy-values', 'loose-spelling', { refused: 'refused', accepted: 'accepted', ignored: 'ignored' }],
    ['undeclared-parameters', 'undeclared', { ignored: 'ignored', refused: 'refused' }],
    ['etag-strength', 'etag', { strong: 'strong', weak: 'weak' }],
    ['no-menu-code', 'no-menu-code', { MENU_NOT_FOUND: 'MENU_NOT_FOUND', NOT_FOUND: 'NOT_FOUND' }],
  ],
  wiki: [
    ['hidden-entry', 'hidden-entry', { 404: 'absent', 403: 'forbidden', 401: 'unauthenticated' }],
    ['entries-order', 'entries-order', { title: 'by-title', slug: 'by-slug', updated: 'latest-first' }],
    ['total-counts', 'total', { filtered: 'filtered', overall: 'overall' }],
    ['largest-limit', 'limit-cap', { 100: 'hundred', none: 'none' }],
    ['page-beyond', 'page-beyond', { empty: 'empty', 404: 'absent', 400: 'invalid', last: 'last' }],
    ['undeclared-parameters', 'undeclared-parameter', { ignored: 'ignored', refused: 'refused' }],
  ],
};

describe.each(['business', 'wiki'] as const)('a second server of the %s API', async (api) => {
  const contract = await openContract(contractFile(api));
  const table: Readonly<Record<string, readonly string[]>> = api === 'business' ? businessChoices : wikiChoices;

  it.each([0, 1, 2, 3, 4, 5])('is observed in variation %i', { timeout: 60 * seconds }, async (turn) => {
    const choices = Object.fromEntries(Object.entries(table).map(([id, all]) => [id, all[turn % all.length] ?? '']));
    await using server = await startSecondServer({ api, choices });
    const { observations } = await observeServer(contract, server);
    for (const [question, choice, answers] of translations[api]) {
      const answer = answers[choices[choice] ?? ''];
      expect
        .soft(observations.get(question), `${question} of ${choices[choice]}`)
        .toMatchObject({ answers: answer === undefined ? [] : [answer] });
    }
    // A server may be unable to show this, but must not be mistaken for another.
    const changed = { refused: 'refused', 'cursor-wins': 'cursor-wins', 'request-wins': 'parameters-win' }[
      choices['changed-filters'] ?? ''
    ];
    expect([undefined, changed]).toContain(observations.get('changed-filters')?.answers[0]);
  });
});

it('takes a search of bodies as they are written for none of the listed choices', { timeout: 60 * seconds }, async () => {
  await using server = await startSecondServer({ api: 'wiki', choices: { 'q-fields': 'title-and-body', 'q-case': 'exact' } });
  const { observations } = await observeServer(await openContract(contractFile('wiki')), server);
  expect(observations.get('q-rules')).toMatchObject({
    answers: [],
    evidence: expect.stringMatching(/^The responses match none of the listed answers/),
  });
});

it('takes a search that finds nothing for none of the listed choices', { timeout: 60 * seconds }, async () => {
  await using server = await startSecondServer({ api: 'wiki', defects: ['q-finds-nothing'] });
  const { observations } = await observeServer(await openContract(contractFile('wiki')), server);
  expect(observations.get('q-rules')?.answers).toEqual([]);
});

describe('chaos that comes by itself', async () => {
  const contract = await openContract(contractFile('business'));

  it.each([
    ['seconds', 'seconds'],
    ['date', 'date'],
  ])('shows Retry-After as %s', { timeout: 60 * seconds }, async (form, answer) => {
    await using server = await startSecondServer({ api: 'business', choices: { 'retry-after': form }, rateLimit: 9 });
    const { observations } = await observeServer(contract, server);
    expect(observations.get('retry-after-form')?.answers).toEqual([answer]);
  });

  it.each(['api', 'orders'])('shows the code of a target that is not ready: %s', { timeout: 60 * seconds }, async (code) => {
    await using server = await startSecondServer({ api: 'business', choices: { 'not-ready-code': code }, notReady: 9 });
    const { observations } = await observeServer(contract, server);
    expect(observations.get('which-not-ready')?.answers).toEqual([code]);
  });
});

describe('the conclusion of several observations', async () => {
  const { questions } = await openContract(contractFile('business'));
  const question = questions.get('last-cursor');
  const events = questions.get('events');
  if (question === undefined || events === undefined) throw new Error('the contract no longer asks what these tests are about');

  it('leaves a question open when nothing was seen, or nothing that tells', () => {
    expect(concludeQuestion(question, []).answers).toEqual([]);
    expect(concludeQuestion(question, [{ question, fittingChoices: ['null', 'absent', 'given'], what: 'it was blue' }])).toMatchObject({
      answers: [],
      evidence: 'The responses match every listed answer: it was blue.',
    });
    expect(concludeQuestion(events, []).evidence).toBe('This question has no listed answers.');
  });

  it('answers with all choices that nothing contradicts', () => {
    const evidence = [
      { question, fittingChoices: ['null', 'given'], what: 'it was there' },
      { question, fittingChoices: ['null', 'given'], what: 'it was there' },
      { question, fittingChoices: ['null', 'absent', 'given'], what: 'it was blue' },
    ];
    expect(concludeQuestion(question, evidence)).toMatchObject({ answers: ['null', 'given'], evidence: 'Seen: it was there (2 times).' });
  });

  it('says so when a server is like none of the choices', () => {
    const contrary = [
      { question, fittingChoices: ['null'], what: 'it was null' },
      { question, fittingChoices: ['absent'], what: 'it was absent' },
    ];
    expect(concludeQuestion(question, contrary)).toMatchObject({
      answers: [],
      evidence: 'The responses match none of the listed answers: it was null, it was absent.',
    });
    const odd = { question, fittingChoices: [], what: 'it was a number' };
    expect(concludeQuestion(question, [...contrary, odd]).evidence).toBe(
      'The responses match none of the listed answers: it was a number.',
    );
  });
});
