/** Open questions are listed with their references, and a profile answers them in annotations and schemas. Profiles are read from files too. */

import { describe, expect, it } from 'vitest';
import { applyProfile, completeProfile, type Profile } from '../../../../core/annotations/apply-profile.ts';
import { listQuestions } from '../../../../core/annotations/open-questions.ts';
import { answersFor, loadProfile, rejectUnusedAnswers } from '../../../../core/annotations/profile-file.ts';
import { formatLocation, SpecError, UsageError } from '../../../../core/errors.ts';
import { isObject, type Json } from '../../../../core/json.ts';
import type { Contract } from '../../../../core/openapi/contract.ts';
import type { Document } from '../../../../core/openapi/document.ts';
import { rawOf } from '../../../../core/openapi/raw-document.ts';
import { valueAt } from '../../../../core/pointer.ts';
import { contractFile, listProfiles, profileFile } from '../../../../core/shipped-files.ts';
import { documentOf } from '../../../helpers/contracts/contract-text.ts';
import { openContract } from '../../../helpers/exchange-judge.ts';

const text = `x-invalid: { sloppy: { unspecified: sloppy } }
paths:
  /a:
    get:
      x-collection: { order: [{ by: /id, direction: { unspecified: way } }], page: { cap: { unspecified: cap } } }
      responses: { '200': { content: { application/json: { example: { unspecified: sloppy }, schema: { $ref: '#/components/schemas/A' } } } } }
components:
  schemas:
    A:
      properties:
        open: { type: [string, 'null'], x-unspecified: open }
        narrow: { type: string, allOf: [{ minLength: 1 }], x-unspecified: open }
        x-unspecified: { type: string }
        fixed: { const: { unspecified: sloppy }, default: { x-unspecified: open } }
x-unspecified:
  sloppy: { question: Are they read?, source: §1, mock: refused, choices: { refused: refused, accepted: accepted } }
  way: { question: Which way?, source: §2, mock: up, choices: { up: ascending, down: descending } }
  cap: { question: Is there a cap?, source: §3, mock: none, choices: { none: null, ten: 10 } }
  open: { question: Is it there?, source: §4, mock: text, choices: { text: { type: string }, absent: false, any: {} } }
  asked: { question: And why?, source: §5, mock: For no reason. }
`;

async function closed(answers: Profile, closing: 'rules' | 'rules-and-schemas' = 'rules-and-schemas'): Promise<Document> {
  const document = await documentOf(text);
  const questions = listQuestions(document);
  return applyProfile(document, questions, completeProfile(questions, answers), closing);
}

async function closedAt(pointer: string, answers: Profile, closing?: 'rules' | 'rules-and-schemas'): Promise<Json | undefined> {
  return valueAt(rawOf(await closed(answers, closing)).root, pointer);
}

describe('the questions of a file', () => {
  it('are listed with what is asked, by whom it is left open, and how it may be answered', async () => {
    const questions = listQuestions(await documentOf(text));
    expect([...questions.keys()]).toEqual(['sloppy', 'way', 'cap', 'open', 'asked']);
    expect(questions.get('way')).toMatchObject({ id: 'way', question: 'Which way?', source: '§2', mock: 'up' });
    expect(questions.get('cap')?.choices).toEqual(new Map(Object.entries({ none: null, ten: 10 })));
    expect(questions.get('asked')).toMatchObject({ mock: 'For no reason.', choices: new Map(), pointers: [] });
    const place = questions.get('way')?.place;
    expect(place && formatLocation(place)).toBe('api.yaml:17:3');
  });

  it('know every place that asks them, and no data that only looks like one', async () => {
    const questions = listQuestions(await documentOf(text));
    expect(questions.get('sloppy')?.pointers).toEqual(['/x-invalid/sloppy']);
    expect(questions.get('way')?.pointers).toEqual(['/paths/~1a/get/x-collection/order/0/direction']);
    expect(questions.get('open')?.pointers).toEqual(['/components/schemas/A/properties/open', '/components/schemas/A/properties/narrow']);
  });

  it('are none in a file that asks none', async () => {
    expect(listQuestions(await documentOf('paths: {}\n')).size).toBe(0);
  });
});

describe('a profile of a file', () => {
  it('is completed with the answers of the mock, for all questions that have choices', async () => {
    const questions = listQuestions(await documentOf(text));
    expect(completeProfile(questions, {})).toEqual({ sloppy: 'refused', way: 'up', cap: 'none', open: 'text' });
    expect(completeProfile(questions, { way: 'down' })).toEqual({ sloppy: 'refused', way: 'down', cap: 'none', open: 'text' });
  });

  it.each([
    [{ slopy: 'refused' }, 'slopy', 'did you mean sloppy?'],
    [{ sloppy: 'refusd' }, 'refusd', 'refused, accepted'],
    [{ constructor: 'x' }, 'constructor', 'no such question'],
    [{ asked: 'x' }, 'asked', 'no choices'],
  ])('that says %j is a mistake of its author', async (profile, value, wayOut) => {
    const questions = listQuestions(await documentOf(text));
    expect(() => completeProfile(questions, profile)).toThrow(UsageError);
    expect(() => completeProfile(questions, profile)).toThrow(value);
    expect(() => completeProfile(questions, profile)).toThrow(wayOut);
  });
});

describe('closing a file', () => {
  it('puts answers where an extension has a question, null among them', async () => {
    expect(await closedAt('/x-invalid', { sloppy: 'accepted' })).toEqual({ sloppy: 'accepted' });
    expect(await closedAt('/paths/~1a/get/x-collection', { way: 'down' })).toEqual({
      order: [{ by: '/id', direction: 'descending' }],
      page: { cap: null },
    });
    expect(await closedAt('/paths/~1a/get/x-collection/page/cap', { cap: 'ten' })).toBe(10);
  });

  it('adds answers to what a schema says already', async () => {
    expect(await closedAt('/components/schemas/A/properties/open', {})).toEqual({ type: ['string', 'null'], allOf: [{ type: 'string' }] });
    const narrow = await closedAt('/components/schemas/A/properties/narrow', {});
    expect(narrow).toEqual({ type: 'string', allOf: [{ minLength: 1 }, { type: 'string' }] });
    expect(await closedAt('/components/schemas/A/properties/open', { open: 'any' })).toEqual({ type: ['string', 'null'], allOf: [{}] });
  });

  it('leaves nothing of a schema that is answered with false', async () => {
    expect(await closedAt('/components/schemas/A/properties/open', { open: 'absent' })).toBe(false);
  });

  it('may close the rules alone', async () => {
    expect(await closedAt('/x-invalid', { sloppy: 'accepted' }, 'rules')).toEqual({ sloppy: 'accepted' });
    expect(await closedAt('/components/schemas/A/properties/open/type', { open: 'absent' }, 'rules')).toEqual(['string', 'null']);
  });

  it('leaves data, names and the questions themselves alone', async () => {
    const { root } = rawOf(await closed({}));
    const original = rawOf(await documentOf(text)).root;
    for (const pointer of [
      '/paths/~1a/get/responses/200/content/application~1json/example',
      '/components/schemas/A/properties/fixed',
      '/components/schemas/A/properties/x-unspecified',
      '/x-unspecified',
    ]) {
      expect(valueAt(root, pointer)).toEqual(valueAt(original, pointer));
    }
  });

  it('keeps the lines of the file, also of answers', async () => {
    const document = await closed({ open: 'text' });
    const open = valueAt(rawOf(document).root, '/components/schemas/A/properties/open');
    expect(isObject(open) && formatLocation(document.place(open, 'type'))).toBe('api.yaml:11:17');
    const answer = valueAt(open, '/allOf/0');
    expect(isObject(answer) && formatLocation(document.place(answer, 'type'))).toBe('api.yaml:19:78');
  });
});

const contracts = await Promise.all(['business', 'wiki'].map((name) => openContract(contractFile(name))));
const [business, wiki] = contracts as [Contract, Contract];

/** Answers of a profile file for each contract, after validation. */
async function read(text: string, asking: readonly Contract[]): Promise<readonly Profile[]> {
  const profile = await loadProfile('mine.yaml', async () => text);
  const answers = asking.map((contract) => answersFor(profile, contract));
  rejectUnusedAnswers(profile, asking);
  return answers;
}

describe('a profile in a file', () => {
  const refused = { 'undeclared-parameters': 'refused' };
  const both = { ...refused, 'page-beyond': 'last' };

  it.each<[title: string, text: string, asking: readonly Contract[], profiles: readonly Profile[]]>([
    ['answers each question wherever it is asked', 'undeclared-parameters: refused\npage-beyond: last\n', contracts, [refused, both]],
    [
      'answers a contract by its name, which goes before',
      'undeclared-parameters: refused\nwiki: { undeclared-parameters: ignored }\n',
      contracts,
      [refused, { 'undeclared-parameters': 'ignored' }],
    ],
    [
      'may be JSON, and may answer for contracts of the package that are not served',
      '{ "business": { "unpaid": "absent" }, "wiki": { "page-beyond": "last" } }',
      [business],
      [{ unpaid: 'absent' }],
    ],
    ['may name a choice that YAML takes for something else', 'unpaid: null\n', [business], [{ unpaid: 'null' }]],
  ])('%s', async (_, text, asking, profiles) => {
    expect(await read(text, asking)).toEqual(profiles);
  });
});

describe('a mistake in a profile', () => {
  it.each<[text: string, asking: readonly Contract[], message: string]>([
    ['wiki:\n  page-beyond: lst\n', contracts, '2:3: "lst" is not a choice of page-beyond; the choices are empty, absent, invalid, last'],
    ['wiki:\n  page-beyond: [last]\n', contracts, 'mine.yaml:2:3: ["last"] is not a choice of page-beyond'],
    ['wiki:\n  page-beyonds: last\n', contracts, 'mine.yaml:2:3: wiki has no question page-beyonds; did you mean page-beyond?'],
    ['wiki:\n  unpaid: absent\n', contracts, 'mine.yaml:2:3: wiki has no question unpaid; there are updated-at-zone'],
    ['business:\n  events: none\n', contracts, 'mine.yaml:2:3: the question events has no choices; remove the answer'],
    ['\nunpade: absent\n', contracts, 'mine.yaml:2:1: there is no question unpade; did you mean unpaid?'],
    ['wikki:\n  page-beyond: last\n', contracts, 'mine.yaml:1:1: there is no contract wikki; did you mean wiki?'],
    ['page-beyond: last\n', [business], 'mine.yaml:1:1: there is no question page-beyond'],
    ['page-beyond: last\npage-beyond: empty\n', [wiki], 'mine.yaml:2:1'],
    ['- last\n', contracts, 'mine.yaml:1:1'],
  ])('is reported with its place: %j', async (text, asking, message) => {
    await expect(read(text, asking)).rejects.toThrow(SpecError);
    await expect(read(text, asking)).rejects.toThrow(message);
  });

  it.each(['{}', 'wiki: { page-beyond: last }', 'business: {}'])('is to answer nothing that is asked: %s', async (text) => {
    await expect(read(text, [business])).rejects.toThrow(UsageError);
    await expect(read(text, [business])).rejects.toThrow('the profile mine.yaml answers no question of business');
  });
});

describe('a profile of the package', () => {
  it.each(listProfiles())('is found by its name, and read whole: %s', async (name) => {
    const profile = await loadProfile(name);
    expect(profile.file.endsWith(`/specs/profiles/${name}.yaml`)).toBe(true);
    expect(() => rejectUnusedAnswers(profile, contracts)).not.toThrow();
  });

  it.each([
    ['strikt', 'strikt is neither a built-in profile nor a file; did you mean strict?'],
    ['./nowhere.yaml', 'name a file, or one of absent, lenient, null, other, strict, terse'],
  ])('that is none is reported: %s', (name, message) => {
    expect(() => profileFile(name)).toThrow(UsageError);
    expect(() => profileFile(name)).toThrow(message);
  });
});
