/** What `touchstone mock` shows when it starts: URLs, keys, and a first command to try. */

import { countNoun } from '../../core/count-noun.ts';
import type { Contract } from '../../core/openapi/contract.ts';
import type { Operation } from '../../core/openapi/operation.ts';
import { commonPath } from '../../core/openapi/route-request.ts';
import type { RunningMock } from '../../mocks/start-mock.ts';
import { alignColumns, createInk } from '../../reports/terminal-text.ts';
import { firstCurl, showKey } from './first-curl.ts';

/** Renders the banner. `hasKeys`: single keys are read; `hasPage`: the mock has its front page. */
export function renderBanner(mock: RunningMock, seed: number, decorated: boolean, hasKeys = false, hasPage = true): string {
  const ink = createInk(decorated);
  const strong = (text: string): string => ink.line({ text, as: 'strong' });
  const faint = (text: string): string => ink.line({ text, as: 'faint' });
  const apis = mock.contracts.map(
    (contract) => [contract.name, `${mock.url}${commonPath(contract.operations)}`, `${contract.title} ${contract.version}`.trim()] as const,
  );
  const keys = Object.entries(mock.keys);
  return [
    '',
    `${strong('Touchstone mock')} ${faint(`seed ${seed}`)}`,
    '',
    ...renderMutants(mock, strong, faint),
    ...renderChaos(mock, strong, faint),
    ...alignColumns(apis).map((line) => `  ${line}`),
    ...renderCollections(mock, faint),
    '',
    ...(keys.length === 0
      ? []
      : [strong(`Keys`) + faint(`  ${describeCarriers(mock.contracts)}`), ...alignColumns(keys).map((line) => `  ${line}`), '']),
    strong('Try'),
    `  ${firstCurl(mock)}`,
    ...(hasPage ? [`  ${mock.url}/ in a browser`] : []),
    '',
    faint(hasKeys ? 'Press h for all keys, q or Ctrl-C to stop.' : 'Press Ctrl-C to stop.'),
    '',
  ].join('\n');
}

/** Says what the mock inferred, since nothing in the file says that it remembers. */
function renderCollections({ collections, contracts }: RunningMock, faint: (text: string) => string): readonly string[] {
  return Object.entries(collections).flatMap(([name, inferred]) => {
    const file = contracts.find((contract) => contract.name === name)?.document.file ?? name;
    if (inferred.length === 0) return [];
    return [
      faint(
        `  ${countNoun(inferred.length, 'collection')} inferred; touchstone infer ${file} shows the details; --stateless turns this off`,
      ),
    ];
  });
}

/** Warns of mutants, so that nobody mistakes the mock for a correct server. */
function renderMutants({ mutants }: RunningMock, strong: (text: string) => string, faint: (text: string) => string): readonly string[] {
  if (mutants.length === 0) return [];
  const lines = mutants.flatMap(({ id, title }) => [`  ${id}`, faint(`    ${title}`)]);
  return [strong('Mutants') + faint('  this mock deviates from its contract'), ...lines, ''];
}

/** Warns of chaos. */
function renderChaos({ chaos }: RunningMock, strong: (text: string) => string, faint: (text: string) => string): readonly string[] {
  const rules = chaos.list();
  return rules.length === 0
    ? []
    : [strong('Chaos') + faint('  some requests fail or slow down on purpose'), ...rules.map((rule) => `  ${rule}`), ''];
}

function describeCarriers(contracts: readonly Contract[]): string {
  const credentials = contracts.flatMap((contract) => contract.operations).flatMap((operation: Operation) => operation.security.flat());
  return [...new Set(credentials.map((credential) => showKey(credential, 'KEY').text))].join('  or  ');
}
