/** `touchstone laws`: the laws by which `verify` judges, and at how many operations. */

import { listShipped } from '../core/shipped.ts';
import { renderLawLines, renderLawList } from '../reports/laws/list.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { openContract } from './contract-source.ts';
import { listLaws } from './law-source.ts';

/** The command. */
export const lawsCommand: Command = {
  name: 'laws',
  positionals: '[CONTRACT…]',
  summary: 'List the laws by which verify judges.',
  description: [
    'Prints each law with its strength, the number of operations of the contracts that it is about, and what holds. Without a contract, the contracts of the package are meant. Nothing is sent.',
  ],
  options: [{ name: 'json', summary: 'Print one JSON object a line, with the operations.' }],
  examples: [
    { line: 'touchstone laws', about: 'every law, and where it applies in the contracts of the package' },
    { line: 'touchstone laws my-api.yaml --json', about: 'for a contract of your own, for programs' },
  ],
  run: runLaws,
};

async function runLaws(given: Arguments, terminal: Terminal): Promise<number> {
  const names = given.positionals.length === 0 ? listShipped() : given.positionals;
  const listed = listLaws(await Promise.all(names.map(openContract)));
  terminal.out(given.switches.has('json') ? renderLawLines(listed) : renderLawList(listed, terminal.decorated));
  return 0;
}
