import path from 'node:path';
import { type ConfirmedInference, confirmGuesses } from '../contracts/inference/confirm-guesses.ts';
import { countNoun } from '../core/count-noun.ts';
import { UsageError } from '../core/errors.ts';
import type { Inference } from '../core/inference/guess.ts';
import { inferContract } from '../core/inference/infer-contract.ts';
import { toAnnotations } from '../core/inference/to-annotations.ts';
import type { Contract } from '../core/openapi/contract.ts';
import { createRedactor } from '../core/redaction/redact-secrets.ts';
import { type InferReport, renderOverlay, renderTable } from '../reports/infer/infer-report.ts';
import { withConfig } from './apply-config.ts';
import type { Arguments, CommandBody, Terminal } from './command.ts';
import { secretsIn, withoutKeys } from './credentials.ts';
import { openContract, strictOption, warnAbout } from './open-contract.ts';
import { readVerifyOptions, verifyOptions } from './verify/verify-options.ts';

/** Options shared with `verify`. */
const sharedOptions: ReadonlySet<string> = new Set([
  ...['target', 'config', 'key', 'param', 'send', 'budget', 'rate', 'timeout', 'header', 'header-command', 'cert', 'client-key'],
]);

/** `touchstone infer`: prints what a file says about its collections without annotations, as an Overlay. */
export const inferCommand: CommandBody = {
  description: [
    'Finds lists with their keys, pages and filters, operations that read or write one record, and references between collections, and prints them as an overlay. Confident guesses become actions in the overlay; the others become comments. Each guess is printed with its confidence and its reason.',
    'The mock uses confident guesses automatically. To make verify and diff use them too, save the overlay, correct it, and pass it instead of the OpenAPI file.',
    'With --target, confirms or refutes the guesses on a server, with read requests only.',
  ],
  options: [
    {
      name: 'check',
      summary: 'List the confident guesses that the file or its overlay does not state yet. The exit code is 1 if there are any.',
    },
    { name: 'table', summary: 'Print a table of what was found and what was not.' },
    ...verifyOptions
      .filter(({ name }) => sharedOptions.has(name))
      .map((option) =>
        option.name === 'budget' ? { ...option, summary: 'Maximum number of requests to the target. Default: 10 for each list.' } : option,
      ),
    strictOption,
  ],
  examples: [
    { line: 'touchstone infer my-api.yaml > my-api.overlay.yaml', about: 'an overlay to read and correct' },
    { line: 'touchstone infer my-api.yaml --table', about: 'what was found and what was not' },
    { line: 'touchstone infer my-api.yaml --target http://localhost:8080 --table', about: 'which guesses a server confirms' },
    {
      line: 'touchstone infer my-api.overlay.yaml --check',
      about: 'in CI: fail if the overlay is incomplete',
    },
  ],
  run: runInfer,
};

async function runInfer(args: Arguments, terminal: Terminal): Promise<number> {
  const { positionals, switches, lists } = args;
  const [file, ...surplus] = positionals;
  if (file === undefined || surplus.length > 0)
    throw new UsageError('touchstone infer needs one OpenAPI file: touchstone infer my-api.yaml');
  const [target, ...furtherTargets] = lists['target'] ?? [];
  if (furtherTargets.length > 0) throw new UsageError('touchstone infer can query only one server; give --target once');
  const contract = await openContract(file, { strict: switches.has('strict') });
  warnAbout([contract], terminal);
  const guessed = inferContract(contract);
  const confirmed = target === undefined ? undefined : await askTarget(contract, guessed, { args, target, terminal });
  if (confirmed?.obstacle !== undefined) {
    terminal.error(`${confirmed.obstacle}\n`);
    return 3;
  }
  const inference = confirmed?.inference ?? guessed;
  const annotations = toAnnotations(inference);
  if (switches.has('check')) {
    const unstated = annotations.filter(({ isActive }) => isActive);
    for (const { operation, keyword } of unstated)
      terminal.out(`${operation.id}: ${keyword} can be inferred, but ${file} does not state it\n`);
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

/** Lets a server confirm or refute guesses, and says in one line what it decided. */
async function askTarget(
  contract: Contract,
  inference: Inference,
  { args, target, terminal }: { readonly args: Arguments; readonly target: string; readonly terminal: Terminal },
): Promise<ConfirmedInference> {
  const configured = await withConfig(args, process.env, target);
  const [options] = await readVerifyOptions({ ...configured.args, positionals: args.positionals }, process.env);
  if (options === undefined) throw new TypeError('a command without a run');
  const { clean } = createRedactor(secretsIn(options.keys ?? {}, options.headers ?? {}));
  const result = await withoutKeys(clean, () => confirmGuesses(contract, inference, { ...options, interrupted: terminal.interrupted }));
  if (result.obstacle === undefined) {
    const { requests, confirmed, refuted, open } = result;
    terminal.error(
      clean(
        `${countNoun(requests, 'request')} to ${result.target}. Guesses: ${confirmed} confirmed, ${refuted} refuted, ${open} not decided.\n`,
      ),
    );
  }
  return result;
}
