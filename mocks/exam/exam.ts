/**
 * Plays the scenarios of an exam with a client, each against a fresh mock, and judges what the client ended up with. Starts no process: running the client is
 * an argument.
 */

import { answersByChoice, type Profile } from '../../core/annotations/apply-profile.ts';
import { splitTarget } from '../../core/http/exchange.ts';
import { isObject } from '../../core/json.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import type { ClientFinding } from '../../core/results/client-result.ts';
import type { ClientRuleId } from '../../core/results/client-rule.ts';
import type { ExamReport, ExamScenarioId, ExamScenarioResult, ExamState } from '../../core/results/exam-result.ts';
import { defaultInstant } from '../clock.ts';
import type { Dataset } from '../data/dataset.ts';
import type { ServedApi } from '../handler/served-api.ts';
import { loadContractsByName } from '../load-contracts.ts';
import type { FinishedExchange } from '../served-exchange.ts';
import { type MockOptions, type RunningMock, startMockWith } from '../start-mock.ts';
import { ExamFacts, type ExamScenario, examScenarios, secondsBetweenRuns } from './exam-scenarios.ts';
import { findState, listsOf, newestInstantIn, stageChanges } from './staged-data.ts';

/** A run of the client. */
export interface ExamRun {
  readonly scenario: ExamScenarioId;
  /** 1 or 2. The client keeps what it stored in the first run. */
  readonly run: number;
  readonly mock: RunningMock;
  /** Asks to kill the client at once, without a chance to store anything. */
  readonly killed: AbortSignal;
}

/** The end of a run. */
export interface ExamRunEnd {
  readonly code: number;
  /** The end of the client's output. */
  readonly output: string;
}

/** Settings of an exam. */
export interface ExamOptions extends Pick<MockOptions, 'contracts' | 'data' | 'profile'> {
  readonly seed: number;
  /** The scenarios to play; by default, the ten that find the most mistakes. */
  readonly scenarios?: readonly ExamScenarioId[];
  /** Runs the client to its end. */
  readonly client: (run: ExamRun) => Promise<ExamRunEnd>;
  /** Called before each scenario. */
  readonly onScenario?: (scenario: ExamScenario) => void;
  /** True if the exam should end after the current run. */
  readonly isInterrupted?: () => boolean;
}

/** Plays the scenarios. */
export async function runExam(options: ExamOptions): Promise<ExamReport> {
  const { seed, scenarios: chosenIds, isInterrupted = () => false } = options;
  const results: ExamScenarioResult[] = [];
  const contracts = new Set<string>();
  // Mistakes of earlier scenarios.
  const knownMistakes = new Set<string>();
  for (const scenario of examScenarios.filter(({ id, isExtra = false }) => chosenIds?.includes(id) ?? !isExtra)) {
    if (isInterrupted()) break;
    options.onScenario?.(scenario);
    const playedScenario = await play(options, scenario);
    for (const name of playedScenario.contracts) contracts.add(name);
    // A run that was interrupted shows nothing about the client.
    if (isInterrupted()) break;
    results.push(judge(scenario, playedScenario, knownMistakes));
    for (const mistake of mistakesOf(playedScenario)) knownMistakes.add(mistake);
  }
  const isExercised = results.some(({ state }) => state !== 'not-exercised');
  const verdict = results.some(({ state }) => state === 'failed') ? 'failed' : isExercised ? 'passed' : 'not-exercised';
  return { schema: 'touchstone-exam/1', contracts: [...contracts], seed, verdict, scenarios: results };
}

/** A scenario that was played. */
interface PlayedScenario extends Pick<ExamScenarioResult, 'records' | 'findings' | 'requests' | 'exitCodes' | 'output'> {
  readonly contracts: readonly string[];
  readonly facts: ExamFacts;
}

/** The mistake of a client whose last run failed. */
const failedRun = 'exit-code';

function mistakesOf({ findings, exitCodes }: PlayedScenario): readonly string[] {
  return [...findings.map(({ rule }) => mistakeOf(rule)), ...(exitCodes.at(-1) === 0 ? [] : [failedRun])];
}

/** A record that is lost may be missing or stale; it is one mistake. */
function mistakeOf(rule: ClientRuleId): string {
  return lossRules.has(rule) ? 'lost-records' : rule;
}

const lossRules: ReadonlySet<ClientRuleId> = new Set(['client/records-complete', 'client/records-current']);

function judge(
  { id, title, gap, isExercised }: ExamScenario,
  playedScenario: PlayedScenario,
  knownMistakes: ReadonlySet<string>,
): ExamScenarioResult {
  const mistakes = mistakesOf(playedScenario);
  const hasNewMistake = mistakes.some((mistake) => !knownMistakes.has(mistake));
  const state: ExamState = hasNewMistake
    ? 'failed'
    : mistakes.length > 0
      ? 'repeated'
      : isExercised(playedScenario.facts)
        ? 'passed'
        : 'not-exercised';
  const { records, findings, requests, exitCodes, output } = playedScenario;
  const code = exitCodes.at(-1) ?? 0;
  return {
    id,
    title,
    state,
    reason: state === 'not-exercised' ? gap : code === 0 ? null : `The client's last run ended with exit code ${code}.`,
    records,
    findings: findings.filter(({ rule }) => !knownMistakes.has(mistakeOf(rule))),
    repeated: [
      ...new Set(findings.map(({ rule }) => rule).filter((rule) => knownMistakes.has(mistakeOf(rule)))),
      ...(code !== 0 && knownMistakes.has(failedRun) ? [failedRun] : []),
    ],
    requests,
    exitCodes,
    output: code === 0 ? '' : output,
  };
}

async function play(
  { client, isInterrupted = () => false, scenarios: _scenarios, onScenario: _onScenario, ...mockOptions }: ExamOptions,
  scenario: ExamScenario,
): Promise<PlayedScenario> {
  const observer = new ExamObserver(scenario);
  const { start, choice } = scenario;
  const options: MockOptions = {
    ...mockOptions,
    ...(start !== undefined && { clock: start }),
    ...(choice !== undefined && { profile: await answersWith(choice, mockOptions.contracts) }),
  };
  observer.facts.hasOpenMembers = Object.keys(options.profile ?? {}).length > 0;
  const {
    mock,
    judge: clientJudge,
    apis,
  } = await startMockWith(options, {
    sizesOf: threePages,
    datasetOver: (dataset, contract, startMs) => {
      // Before the start of every scenario, so that each one has the same records.
      const frozenDataset = dataset.at(defaultInstant);
      observer.lookAt(frozenDataset, contract);
      return stageChanges(frozenDataset, contract, startMs, scenario.changes);
    },
    onServed: (served) => observer.observe(served),
  });
  try {
    observer.begin(mock, apis);
    const firstRun = await client({ scenario: scenario.id, run: 1, mock, killed: observer.killed });
    observer.endFirstRun(firstRun);
    // A disturbed run that ends with 0 says that its copy is complete, even if the next run completes it.
    const isTrusted = firstRun.code === 0 && observer.facts.chaosCount > 0;
    if (isTrusted) clientJudge.settle(0);
    const lost = isTrusted ? clientJudge.report().findings.filter(({ rule }) => rule === 'client/records-complete') : [];
    // A client that ended after a 429 may not know of it when it starts again, so the exam waits in its place.
    await new Promise((resolve) => setTimeout(resolve, observer.waitMs));
    const lastNumber = mock.journal.last();
    mock.clock.advance(secondsBetweenRuns * 1000);
    const secondRun = isInterrupted()
      ? firstRun
      : await client({ scenario: scenario.id, run: 2, mock, killed: new AbortController().signal });
    // Differences of the delivered records become findings.
    const records = clientJudge.settle(lastNumber);
    // A client that failed cannot have all records.
    const isCounted = ({ rule, level }: ClientFinding): boolean => level !== 'advice' && (secondRun.code === 0 || !lossRules.has(rule));
    const last = clientJudge.report().findings.filter(isCounted);
    const findings = [...last, ...lost.filter(({ rule }) => last.every((each) => each.rule !== rule))];
    const shownNumbers = new Set(findings.flatMap(({ exchanges }) => exchanges));
    const requests = mock.journal.entries().filter(({ number }) => shownNumbers.has(number));
    return {
      contracts: mock.contracts.map(({ name }) => name),
      facts: observer.facts,
      records,
      findings,
      requests: requests.map(({ number, method, target, status }) => ({ number, method, target, status })),
      exitCodes: [firstRun.code, secondRun.code],
      output: secondRun.output,
    };
  } finally {
    await mock.close();
  }
}

/** The answers to the open questions that have a choice of this name. */
async function answersWith(choice: string, contracts: readonly string[] | undefined): Promise<Profile> {
  const loaded = await loadContractsByName(contracts);
  return Object.assign({}, ...loaded.map(({ written }) => answersByChoice(written.questions, choice)));
}

/** Sizes of the lists with generated records: more than two of the largest pages. */
function threePages({ operations }: Contract): Readonly<Record<string, number>> {
  const sizes = operations.flatMap(({ collection, parameters }) => {
    if (collection === undefined) return [];
    const { page } = collection;
    const schema = parameters.find(({ name }) => name === page.limit)?.schema;
    const maximum = isObject(schema) ? schema['maximum'] : undefined;
    const largestLimit = (page.style === 'page' ? page.cap : undefined) ?? (typeof maximum === 'number' ? maximum : largestUsualPage);
    return [[collection.name, Math.round(largestLimit * 2.3)] as const];
  });
  return Object.fromEntries(sizes);
}

/** Size of a page where the contract states no maximum. */
const largestUsualPage = 100;

/** Observes what a client meets, and causes the chaos and the changes of the scenario. */
class ExamObserver {
  readonly facts: ExamFacts = new ExamFacts();
  /** Time that the mock asked the client to wait. */
  waitMs = 0;
  private run: 0 | 1 = 0;
  private readonly scenario: ExamScenario;
  private mock: RunningMock | undefined;
  private apis: () => readonly ServedApi[] = () => [];
  private readonly pages = new Map<string, number>();
  private readonly kill = new AbortController();
  private killTimer: NodeJS.Timeout | undefined;

  constructor(scenario: ExamScenario) {
    this.scenario = scenario;
  }

  /** Asks to kill the client of the first run. */
  get killed(): AbortSignal {
    return this.kill.signal;
  }

  begin(mock: RunningMock, apis: () => readonly ServedApi[]): void {
    this.mock = mock;
    this.apis = apis;
    if (this.scenario.chaos?.from === 'start') this.setChaos();
  }

  /** Notes which lists have instants and states. */
  lookAt(dataset: Dataset, contract: Contract): void {
    const { dated, zoned, stated } = this.facts;
    for (const list of listsOf(contract)) {
      const { id } = list.operation;
      const instant = newestInstantIn(
        dataset.tenants.flatMap((tenant) => dataset.records(tenant, list.name)),
        list,
      );
      if (instant !== undefined) dated.add(id);
      if (instant !== undefined && /[+-]\d\d:\d\d$/.test(instant)) zoned.add(id);
      if (findState(contract, list) !== undefined) stated.add(id);
    }
  }

  endFirstRun({ code }: ExamRunEnd): void {
    this.facts.hasFailed = code !== 0;
    this.facts.wasKilled = this.kill.signal.aborted;
    clearTimeout(this.killTimer);
    this.mock?.chaos.clear();
    for (const { keys } of this.apis()) for (const role of keys.byRole.keys()) keys.withhold(role, []);
    this.run = 1;
  }

  observe({ request, response }: FinishedExchange): void {
    const { context, page, status, headers } = response;
    const operation = this.mock?.contracts.flatMap(({ operations }) => operations).find(({ id }) => id === context?.operation);
    if (operation === undefined || context === undefined) return;
    const isForbidden = status === 403 && this.scenario.chaos?.losesScopes === true;
    if (context.chaos.length > 0 || isForbidden) this.countChaos(String(headers['retry-after'] ?? ''));
    const isDetail = (operation.resource?.by.size ?? 0) > 0 || (operation.collection === undefined && operation.responses.has('304'));
    if (isDetail && [200, 304].includes(status)) this.facts.details[this.run].add(operation.id);
    const isDelivered = page !== undefined && status === 200 && context.cut === undefined;
    if (isDelivered && operation.collection !== undefined)
      this.observePage(operation, `${operation.id} ${context.role}`, page.more, request.target);
  }

  private observePage(operation: Operation, reader: string, hasMore: boolean, target: string): void {
    const { unfinished, lists } = this.facts;
    lists[this.run].add(operation.id);
    const pages = isFirstPage(operation, target) ? 1 : (this.pages.get(reader) ?? 0) + 1;
    this.pages.set(reader, pages);
    this.facts.pages = Math.max(this.facts.pages, pages);
    if (this.run === 1) return;
    if (!hasMore) unfinished.delete(operation.id);
    else unfinished.add(operation.id);
    if (hasMore && pages === 1) this.changeAfterFirstPage(operation, reader.split(' ')[1] ?? '');
  }

  private countChaos(retryAfter: string): void {
    this.facts.chaosCount += 1;
    const waitMs = /^\d*$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - Date.now();
    this.waitMs = Math.max(this.waitMs, waitMs);
    const { killAfterMs } = this.scenario.chaos ?? {};
    if (killAfterMs !== undefined) this.killTimer ??= setTimeout(() => this.kill.abort(), killAfterMs);
    this.setChaos();
  }

  /** Sets the rule for the next request that chaos hits. */
  private setChaos(operation: string = ''): void {
    const { rules = [], isLasting = false } = this.scenario.chaos ?? {};
    const rule = rules[this.facts.chaosCount];
    if (rule !== undefined) this.mock?.chaos.set([`${rule} ${operation}`]);
    else if (!isLasting) this.mock?.chaos.clear();
  }

  /** Causes what happens after the first page of a list. */
  private changeAfterFirstPage({ id, collection, security }: Operation, role: string): void {
    const { chaos, secondsWhilePaging } = this.scenario;
    const scopes = security.flat().flatMap((credential) => credential.scopes);
    if (chaos?.losesScopes === true) for (const { keys } of this.apis()) keys.withhold(role, scopes);
    if (chaos?.from === 'second-page' && this.facts.chaosCount === 0) this.setChaos(id);
    if (secondsWhilePaging === undefined || this.facts.changedWhilePaging || collection?.version === undefined) return;
    this.facts.changedWhilePaging = true;
    this.mock?.clock.advance(secondsWhilePaging * 1000);
  }
}

/** True for a request without a cursor, a page number or an offset. */
function isFirstPage({ collection }: Operation, target: string): boolean {
  if (collection === undefined) return true;
  const { page } = collection;
  const [name, firstValue] = page.style === 'cursor' ? [page.cursor, ''] : page.style === 'page' ? [page.page, '1'] : [page.offset, '0'];
  const value = new URLSearchParams(splitTarget(target).query).get(name);
  return value === null || value === firstValue;
}
