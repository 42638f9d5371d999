import path from 'node:path';
import { UsageError } from '../core/errors.ts';
import { inferContract } from '../core/inference/infer-contract.ts';
import { toAnnotations } from '../core/inference/to-annotations.ts';
import { type InferReport, renderOverlay, renderTable } from '../reports/infer/infer-report.ts';
import type { Arguments, Command, Terminal } from './command.ts';
import { openContract, strictOption, warnAbout } from './open-contract.ts';

/** `touchstone infer`: prints what a file says about its collections without annotations, as an Overlay. */
export const inferCommand: Command = {
  name: 'infer',
  positionals: 'FILE',
  summary: 'Infer the collections of an OpenAPI file, and print them as an overlay with annotations.',
  description: [
    'Finds lists with their arrays, keys, pages and filters, reads of one record, writes, and references between collections: by names, types, descriptions and examples, and by the annotations of other tools. Sure guesses are actions of the overlay; the others are comments. Each has its confidence and its reason.',
    'The mock uses sure guesses by itself. To state them, write the overlay to a file, correct it, and name it in place of the OpenAPI file.',
    'With --check, the command lists the operations that the file, or its overlay, does not annotate although it could. The exit code is 1 if there are some.',
  ],
  options: [
    { name: 'check', summary: 'List the sure guesses that the file does not state. The exit code is 1 if there are some.' },
    { name: 'table', summary: 'Print a table of what was found and what was not.' },
    strictOption,
  ],
  examples: [
    { line: 'touchstone infer my-api.yaml > my-api.overlay.yaml', about: 'an overlay to read and correct' },
    { line: 'touchstone infer my-api.yaml --table', about: 'what was found and what was not' },
    { line: 'touchstone infer my-api.overlay.yaml --check', about: 'in CI: has the file outgrown its overlay?' },
  ],
  run: runInfer,
};

async function runInfer({ positionals, switches }: Arguments, terminal: Terminal): Promise<number> {
  const [file, ...surplus] = positionals;
  if (file === undefined || surplus.length > 0)
    throw new UsageError('touchstone infer needs one OpenAPI file: touchstone infer my-api.yaml');
  const contract = await openContract(file, { strict: switches.has('strict') });
  warnAbout([contract], terminal);
  const inference = inferContract(contract);
  const annotations = toAnnotations(inference);
  if (switches.has('check')) {
    const unstated = annotations.filter(({ isActive }) => isActive);
    for (const { operation, keyword } of unstated)
      terminal.out(`${operation.id}: ${keyword} can be inferred, and ${file} does not state it\n`);
    return unstated.length > 0 ? 1 : 0;
  }
  const report: InferReport = {
    file: `./${path.basename(file)}`,
    title: contract.title,
    version: contract.version,
    inference,
    annotations,
  };
  terminal.out(switches.has('table') ? renderTable(report) : renderOverlay(report));
  return 0;
}
