/** Checks pacts against contracts without a server: what consumers ask must be understood, and what they expect must be promised. */

import type { Contract } from '../../../core/contract.ts';
import { nearest, UsageError } from '../../../core/errors.ts';
import type { HttpRequest } from '../../../core/exchange.ts';
import { listMethods, routeTo } from '../../../core/operation.ts';
import type { Interaction, Pact } from '../../../core/pact/pact.ts';
import type { CheckedInteraction, CheckedPact, PactCheck, PactFinding } from '../../../core/pact/check-result.ts';
import { type StateCondition, parseProviderState } from '../../../core/pact/provider-state.ts';
import { readRequest } from '../../../core/request.ts';
import { createInclusions, type Inclusions } from '../../../generators/inclusion.ts';
import { checkBody } from './check-body.ts';
import { createComparator, type ComparatorFinding, type RunComparator } from './comparator.ts';
import { checkHeaders, checkDocumentedStatus } from './check-headers.ts';
import { checkGenerators, checkCause } from './check-request.ts';

import { type InteractionContext, createFinding, placeInPact, type CheckContext } from './check-context.ts';

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
  const tools = new Map<Contract, ContractTools>();
  const pacts: CheckedPact[] = [];
  for (const { pact, contract } of pairs) {
    const own = tools.get(contract) ?? { inclusions: createInclusions(contract.closed), askSecond: createComparator(contract) };
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
interface ContractTools {
  readonly inclusions: Inclusions;
  readonly askSecond: RunComparator;
}

async function checkPact(pact: Pact, contract: Contract, { inclusions, askSecond }: ContractTools): Promise<CheckedPact> {
  const { file, consumer, provider, others } = pact;
  const opinions = await askSecond(pact);
  const interactions = pact.interactions.map((interaction, index) => {
    const about = { pact, contract, interaction, inclusions, sent: sentRequest(interaction) };
    const checked = checkInteraction(about);
    return { ...checked, findings: [...checked.findings, ...toFindings(about, opinions.get(index) ?? [])] };
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

function checkInteraction(about: InteractionContext): CheckedInteraction {
  const { interaction, contract, sent } = about;
  const route = routeTo(contract.operations, sent.method, sent.target);
  const { operation, findings, remarks } =
    route.kind === 'operation' ? checkOperation(about, route) : { operation: undefined, findings: [explainRoute(about)], remarks: [] };
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
  about: InteractionContext,
  { operation, segments }: Extract<ReturnType<typeof routeTo>, { readonly kind: 'operation' }>,
): Pick<CheckedInteraction, 'operation' | 'findings' | 'remarks'> {
  const facts = about.interaction.states.map((state) => parseProviderState(about.contract, state));
  const subject: CheckContext = {
    ...about,
    operation,
    reading: readRequest(operation, about.sent, segments),
    facts: facts.filter((fact) => fact !== undefined),
    isKnown: !facts.includes(undefined),
  };
  const body = checkBody(subject);
  const checks = [checkCause, checkGenerators, checkDocumentedStatus, checkHeaders];
  return {
    operation: operation.id,
    findings: [...checks.flatMap((check) => check(subject)), ...body.findings],
    remarks: [...listUnknownStates(about, facts), ...body.remarks],
  };
}

/** What a state promises that is not known here is not counted, and whoever reads a finding should know. */
function listUnknownStates({ pact, interaction }: InteractionContext, facts: readonly (StateCondition | undefined)[]): CheckedInteraction['remarks'] {
  return interaction.states.flatMap(({ name }, index) => {
    const pointer = `${interaction.pointer}/providerStates/${index}`;
    const message = `the state "${name}" has none of the known forms, so what it promises is not counted`;
    return facts[index] === undefined ? [{ message, pointer, place: placeInPact(pact, pointer) }] : [];
  });
}

function explainRoute(about: InteractionContext): PactFinding {
  const { operations, title, place } = about.contract;
  const { path, method } = about.interaction.request;
  const methods = listMethods(operations, about.sent.target);
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
  return createFinding(about, keys, { id: 'request/operation', grade: 'impossible', message, clause: place });
}

/**
 * What is decided here already, each with the reason why the comparator's word adds nothing: where both look, this check reads the contract as the
 * mock and the laws do, and proves what it says.
 */
const ignoredCodes: Readonly<Record<string, string>> = {
  'request.path-or-method.unknown': 'operations are found as the mock finds them; a wrong path parameter is told by its own name',
  'request.query.incompatible': 'parameters are read strictly, rules about several of them included',
  'request.header.incompatible': 'headers are parameters, and read like them',
  'request.authorization.missing': 'a missing key is one finding, not one for each way to send it, and none where a state says so',
  'response.status.unknown': 'statuses are compared, ranges and the default included',
  'response.header.unknown': 'headers are compared, and which may be missing',
  'response.header.incompatible': 'values of headers are compared with the schema, and what is promised of them',
  'response.content-type.incompatible': 'media types are compared without their parameters',
  'response.body.unknown': 'a body where none is documented is told',
  'response.body.incompatible':
    'examples are searched for in the whole schema: the comparator takes open objects for closed ones, and reads no prefixItems',
};

/** Findings of the comparator that are not decided here. */
function toFindings(about: Pick<CheckContext, 'pact' | 'interaction'>, opinions: readonly ComparatorFinding[]): readonly PactFinding[] {
  const told = opinions.filter(({ code }) => !Object.hasOwn(ignoredCodes, code));
  return told.map(({ code, message, keys }) =>
    createFinding(about, keys, {
      id: `comparator/${code}`,
      grade: 'impossible',
      message: `${message}; correct the pact, or have the contract say it`,
    }),
  );
}

/** The request of an interaction as it goes over the wire, its examples in the place of what is injected. */
function sentRequest({ request: { method, path, query, headers } }: Interaction): HttpRequest {
  const pairs = [...query].flatMap(([name, values]) => values.map((value) => `${encode(name)}=${encode(value)}`)).join('&');
  const encoded = path.replaceAll(/[^\w\-.~!$&'()*+,;=:@/%]/gu, encodeURIComponent);
  const joined = [...headers].map(([name, values]) => [name, values.join(', ')] as const);
  return { method, target: pairs === '' ? encoded : `${encoded}?${pairs}`, headers: Object.fromEntries(joined) };
}

/** Commas part the members of lists, and readers of lists know them both ways. */
function encode(text: string): string {
  return encodeURIComponent(text).replaceAll('%2C', ',');
}
