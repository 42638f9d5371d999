/** Checks pacts against contracts without a server: what consumers ask must be understood, and what they expect must be promised. */

import type { Contract } from '../../core/contract.ts';
import { nearest, UsageError } from '../../core/errors.ts';
import { listMethods, routeTo } from '../../core/operation.ts';
import type { Pact } from '../../core/pact.ts';
import type { CheckedInteraction, CheckedPact, PactCheck, PactFinding } from '../../core/pact-check.ts';
import { type Fact, parseFact } from '../../core/pact-fact.ts';
import { readRequest } from '../../core/request.ts';
import { createInclusions, type Inclusions } from '../../generators/inclusion.ts';
import { checkBody } from './check/body.ts';
import { createSecondOpinion, type SecondOpinion } from './check/comparator.ts';
import { checkHeaders, checkStatus } from './check/headers.ts';
import { toFindings } from './check/opinion.ts';
import { checkReason } from './check/reason.ts';
import { checkInjections } from './check/request.ts';
import { type SentRequest, sentRequest } from './check/sent.ts';
import { findingAt, placeInPact, type Subject } from './check/subject.ts';

/** What is checked. */
export interface CheckPactsOptions {
  /** Each pact with the contract of its provider. */
  readonly pairs: readonly { readonly pact: Pact; readonly contract: Contract }[];
  /** Files that were left out, to be told in the result. */
  readonly skipped?: PactCheck['skipped'];
}

/**
 * Checks pacts.
 * @throws {UsageError} when there is no interaction to check: nothing found would then mean nothing.
 */
export async function checkPacts({ pairs, skipped = [] }: CheckPactsOptions): Promise<PactCheck> {
  if (pairs.every(({ pact }) => pact.interactions.length === 0))
    throw new UsageError('the pacts hold no HTTP interaction, so there is nothing to check; name others');
  const tools = new Map<Contract, Tools>();
  const pacts: CheckedPact[] = [];
  for (const { pact, contract } of pairs) {
    const own = tools.get(contract) ?? { inclusions: createInclusions(contract.closed), second: createSecondOpinion(contract) };
    tools.set(contract, own);
    pacts.push(await checkPact(pact, contract, own));
  }
  const interactions = pacts.flatMap((each) => each.interactions);
  const settled = interactions.filter((each) => !each.isPending);
  const findings = settled.flatMap((each) => each.findings);
  const graded = (grade: PactFinding['grade']): number => findings.filter((each) => each.grade === grade).length;
  return {
    pacts,
    skipped,
    count: {
      interactions: interactions.length,
      wrong: settled.filter((each) => each.findings.length > 0).length,
      impossible: graded('impossible'),
      unpromised: graded('unpromised'),
      pending: interactions.flatMap((each) => each.findings).length - findings.length,
    },
  };
}

/** What is made once for each contract. */
interface Tools {
  readonly inclusions: Inclusions;
  readonly second: SecondOpinion;
}

async function checkPact(pact: Pact, contract: Contract, { inclusions, second }: Tools): Promise<CheckedPact> {
  const { file, consumer, provider, others } = pact;
  const opinions = await second.ask(pact);
  const interactions = pact.interactions.map((interaction, index) => {
    const checked = checkInteraction({ pact, contract, interaction, inclusions });
    const more = toFindings({ pact, interaction }, opinions.get(index) ?? []);
    return { ...checked, findings: [...checked.findings, ...more] };
  });
  return {
    file,
    consumer,
    provider,
    contract: { name: contract.name, title: contract.title, version: contract.version, file: contract.document.file },
    interactions,
    others,
  };
}

type Found = Pick<CheckedInteraction, 'operation' | 'findings' | 'remarks'>;

function checkInteraction(about: Pick<Subject, 'pact' | 'contract' | 'interaction' | 'inclusions'>): CheckedInteraction {
  const { interaction, contract } = about;
  const sent = sentRequest(interaction);
  const route = routeTo(contract.operations, sent.request.method, sent.request.target);
  const { operation, findings, remarks } =
    route.kind === 'operation'
      ? checkOperation(about, sent, route)
      : { operation: undefined, findings: [explainRoute(about, sent)], remarks: [] };
  const { description, states, isPending, request, response, pointer, place } = interaction;
  return {
    description,
    states: states.map(({ name }) => name),
    request: `${request.method} ${request.path}`,
    status: response.status,
    isPending,
    pointer,
    place,
    operation,
    findings,
    remarks,
  };
}

function checkOperation(
  about: Pick<Subject, 'pact' | 'contract' | 'interaction' | 'inclusions'>,
  sent: SentRequest,
  { operation, segments }: Extract<ReturnType<typeof routeTo>, { readonly kind: 'operation' }>,
): Found {
  const facts = about.interaction.states.map((state) => parseFact(about.contract, state));
  const subject: Subject = {
    ...about,
    operation,
    reading: readRequest(operation, sent.request, segments),
    facts: facts.filter((fact) => fact !== undefined),
    isKnown: !facts.includes(undefined),
  };
  const body = checkBody(subject);
  const findings = [
    ...checkReason(subject, sent),
    ...checkInjections(subject),
    ...checkStatus(subject),
    ...checkHeaders(subject),
    ...body.findings,
  ];
  return { operation: operation.id, findings, remarks: [...listUnknownStates(about, facts), ...body.remarks] };
}

/** What a state promises that is not known here is not counted, and whoever reads a finding should know. */
function listUnknownStates(
  { pact, interaction }: Pick<Subject, 'pact' | 'interaction'>,
  facts: readonly (Fact | undefined)[],
): CheckedInteraction['remarks'] {
  return interaction.states.flatMap(({ name }, index) => {
    const pointer = `${interaction.pointer}/providerStates/${index}`;
    const message = `the state "${name}" has none of the known forms, so what it promises is not counted`;
    return facts[index] === undefined ? [{ message, pointer, place: placeInPact(pact, pointer) }] : [];
  });
}

function explainRoute(about: Pick<Subject, 'pact' | 'contract' | 'interaction'>, { request }: SentRequest): PactFinding {
  const { operations, title, place } = about.contract;
  const { path, method } = about.interaction.request;
  const methods = listMethods(operations, request.target);
  const meant = nearest(
    path,
    operations.map((operation) => operation.path),
  );
  const way = meant === undefined ? 'correct the path, or have the operation added to the contract' : `is ${meant} meant?`;
  const message =
    methods.length > 0
      ? `${title} has no ${method} at ${path}, only ${methods.join(', ')}; use that, or have the operation added to the contract`
      : `${title} has nothing at ${path}; ${way}`;
  const keys = ['request', methods.length > 0 ? 'method' : 'path'];
  return findingAt(about, keys, { id: 'request/operation', grade: 'impossible', message, clause: place });
}
