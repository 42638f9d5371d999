import { countNoun } from '../../core/count-noun.ts';
import { formatLocation } from '../../core/errors.ts';
import { printJson } from '../../core/json.ts';
import { countResults, type InteractionResult, type PactFailure, type PactVerification } from '../../core/results/pact-verify-result.ts';
import { printReport } from '../print-json.ts';
import { type Annotation, type Block, code, type Entry, type JudgedReport, paragraph, type TestCase, type Text } from '../report-model.ts';
import { statesSection } from './states-section.ts';

/** Maximum number of differences of one interaction. */
const differencesMax = 6;

/** Version of the JSON format. A removed or changed field makes a new version, a new field does not. */
const pactVerifyReportVersion = 'touchstone-pact/1' as const;

/** Renders the result as JSON; its schema is specs/pact-report.schema.json. */
export function renderPactVerifyJson({ interactions, ...result }: PactVerification): string {
  return printReport({
    schema: pactVerifyReportVersion,
    ...result,
    count: countResults(interactions),
    interactions: interactions.map(({ place, ...interaction }) => ({ ...interaction, ...place })),
  });
}

/** Builds the report: each interaction is a test, in the suite of its pact. */
export function reportOfPacts(result: PactVerification): JudgedReport {
  const { target, unavailable, interactions, exitCode, requests, budget, durationMs } = result;
  const withVerdict = (verdict: InteractionResult['verdict'], pending?: boolean): readonly InteractionResult[] =>
    interactions.filter((each) => each.verdict === verdict && (pending === undefined || each.pending === pending));
  const noted = withVerdict('passed').filter(({ notes }) => notes.length > 0);
  return {
    subject: 'Pacts',
    headline: [{ text: 'Pacts', as: 'strong' }, ` at ${target}`],
    verdict: describeEnd(result),
    tone: exitCode === 1 ? 'bad' : exitCode === 0 ? 'good' : 'doubtful',
    lead: unavailable.map(({ contract, reason }) => `${contract}: ${reason}`),
    sections: [
      { id: 'failed', title: 'Failed', tone: 'bad', entries: withVerdict('failed', false).map(entryOf), full: true, open: true },
      {
        id: 'pending',
        title: 'Pending, failed',
        tone: 'doubtful',
        entries: withVerdict('failed', true).map(entryOf),
        full: true,
        open: true,
      },
      {
        id: 'left',
        title: 'Not exercised',
        tone: 'neutral',
        entries: withVerdict('not-exercised').map((each) => ({ ...entryOf(each), line: each.reason ?? '', blocks: [] })),
      },
      statesSection(result.states),
      {
        id: 'noted',
        title: 'Passed, with notes',
        tone: 'good',
        entries: noted.map((each) => ({ ...entryOf(each), line: each.notes.join('; '), blocks: [] })),
      },
      { id: 'counts', title: 'Consumers', tone: 'neutral', blocks: countsOf(interactions), open: true },
    ],
    end: [`${requests} of at most ${countNoun(budget, 'request')} in ${(durationMs / 1000).toFixed(1)} s.`],
    command: 'touchstone pact verify',
    name: 'pacts',
    durationMs,
    tests: groupByConsumer(interactions).flatMap(({ members }) => members.map(testOf)),
    annotations: [
      ...interactions.flatMap(annotate),
      ...unavailable.map(({ contract, reason }) => ({ level: 'error', title: contract, blocks: [paragraph(reason)] }) as const),
    ],
  };
}

function entryOf(result: InteractionResult): Entry {
  const { description, consumer, verdict, pending } = result;
  const tone = verdict === 'passed' ? 'good' : verdict === 'failed' && !pending ? 'bad' : 'neutral';
  return { name: [{ text: description, as: tone }, ` (${consumer})`], tone, line: '', blocks: blocksOf(result) };
}

function blocksOf({ states, failures, notes, curl, exchange, place }: InteractionResult): readonly Block[] {
  const omitted = failures.length - differencesMax;
  return [
    ...(states.length === 0 ? [] : [{ kind: 'facts', facts: [['given', states.join(', ')]] } as const]),
    ...failures.slice(0, differencesMax).flatMap((failure): readonly Block[] => [
      { kind: 'facts', facts: [['finding', describeFailure(failure)]] },
      { kind: 'versus', left: ['Expected', code(failure.expected)], right: ['Actual', code(failure.actual)] },
    ]),
    {
      kind: 'facts',
      facts: [
        ...(omitted > 0 ? [['and', countNoun(omitted, 'more difference')] as const] : []),
        ...notes.map((note) => ['note', note] as const),
        ['pact', code(formatLocation(place))],
      ],
    },
    ...(curl === undefined ? [] : [{ kind: 'exchanges', exchanges: exchange === undefined ? [] : [exchange], curl: [curl] } as const]),
  ];
}

function countsOf(interactions: readonly InteractionResult[]): readonly Block[] {
  const rows = groupByConsumer(interactions).map(({ consumer, provider, members }) => {
    const { passed, failed, notExercised } = countResults(members);
    const cells: readonly Text[] = [
      `${consumer} with ${provider}`,
      { text: `${failed} failed`, as: failed === 0 ? 'neutral' : 'bad' },
      { text: `${notExercised} not exercised`, as: notExercised === 0 ? 'neutral' : 'doubtful' },
      { text: `${passed} passed`, as: 'good' },
    ];
    return { cells };
  });
  return rows.length === 0 ? [] : [{ kind: 'table', columns: ['Pact', 'Failed', 'Not exercised', 'Passed'], rows }];
}

function testOf(result: InteractionResult): TestCase {
  const { consumer, provider, description, states, verdict, pending } = result;
  return {
    suite: `${consumer} with ${provider}`,
    className: `${consumer}.${provider}`,
    // As in Pact, equal descriptions differ in their states.
    name: states.length === 0 ? description : `${description} (given ${states.join(', ')})`,
    state: verdict === 'passed' ? 'passed' : verdict === 'failed' && !pending ? 'failed' : 'skipped',
    message: messageOf(result),
    type: kindOf(result),
    blocks: verdict === 'failed' ? blocksOf(result) : [],
  };
}

function messageOf({ description, verdict, reason = '', pending, failures: [first] }: InteractionResult): string {
  if (verdict === 'passed') return '';
  if (verdict === 'not-exercised') return `not exercised: ${reason}`;
  const finding = first === undefined ? description : describeFailure(first);
  return pending ? `pending, failed: ${finding}` : finding;
}

function kindOf({ failures: [first] }: InteractionResult): PactFailure['kind'] {
  return first?.kind ?? 'other';
}

/** Creates the annotation of an interaction that did not pass. */
function annotate(result: InteractionResult): readonly Annotation[] {
  const { consumer, description, verdict, reason = '', pending, failures, place } = result;
  if (verdict === 'passed') return [];
  const subject = `${consumer}: ${description}`;
  if (verdict === 'not-exercised') return [{ level: 'notice', title: `${subject} was not exercised`, blocks: [paragraph(reason)], place }];
  const rule = kindOf(result);
  const id = [consumer, description, ...result.states, rule, failures[0]?.path ?? ''].join(' ');
  const finding = { id, rule, subject, message: messageOf(result), severity: pending ? 'minor' : 'critical' } as const;
  return [{ level: pending ? 'warning' : 'error', title: `${subject} fails`, blocks: blocksOf(result), place, finding }];
}

/** Returns the location of a difference, and its meaning. */
function describeFailure({ kind, path, diagnosis }: PactFailure): string {
  const where = { status: 'status', header: `header ${path}`, body: path === '' ? 'body' : path, identity: path, other: 'answer' }[kind];
  return diagnosis === undefined ? where : `${where}: ${diagnosis}`;
}

/** Groups interactions by consumer and provider, in their order. */
function groupByConsumer(
  results: readonly InteractionResult[],
): readonly { readonly consumer: string; readonly provider: string; readonly members: readonly InteractionResult[] }[] {
  const keyOf = ({ consumer, provider }: InteractionResult): string => printJson([consumer, provider]);
  return [...new Set(results.map(keyOf))].flatMap((key) => {
    const members = results.filter((each) => keyOf(each) === key);
    const [first] = members;
    return first === undefined ? [] : [{ consumer: first.consumer, provider: first.provider, members }];
  });
}

/** Returns the final sentence, without a full stop. */
function describeEnd({ exitCode, interactions, required }: PactVerification): string {
  const { passed, failed, notExercised } = countResults(interactions);
  const exercised = passed + failed;
  const notExercisedText =
    notExercised === 0 ? '' : `, and ${notExercised} of ${interactions.length} ${notExercised === 1 ? 'was' : 'were'} not exercised`;
  if (exitCode === 0) return `Passed: ${countNoun(passed, 'interaction')} passed${notExercisedText}`;
  if (exitCode === 1) return `Failed: ${failed} of ${countNoun(exercised, 'exercised interaction')} failed${notExercisedText}`;
  if (exitCode === 3) return 'Blocked: a part of the target could not be verified';
  if (exitCode === 130) return 'Interrupted: the results so far are shown above';
  return `Too little evidence: ${exercised} of ${countNoun(interactions.length, 'interaction')} ${exercised === 1 ? 'was' : 'were'} exercised, but ${required} ${required === 1 ? 'is' : 'are'} required`;
}
