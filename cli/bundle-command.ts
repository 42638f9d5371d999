import { UsageError } from '../core/errors.ts';
import { printJson } from '../core/json.ts';
import { plainDocument } from '../core/openapi/plain-openapi-document.ts';
import { loadContractsByName } from '../mocks/load-contracts.ts';
import type { Arguments, CommandBody, Terminal } from './command.ts';
import { strictOption, warnAbout } from './open-contract.ts';

/** `touchstone bundle`: prints a contract as one plain OpenAPI document for code generators, Postman and documentation tools. */
export const bundleCommand: CommandBody = {
  description: [
    'Prints one OpenAPI 3.1 document in JSON, without references to other files, for type and client generators. Where the API documentation leaves something open, the schemas allow every variant, so that generated types fit every server; a profile narrows them. The mock serves the same document at /openapi.json.',
  ],
  options: [
    { name: 'profile', value: 'NAME', summary: 'Decide open points as touchstone mock does with this profile.' },
    { name: 'server', value: 'URL', summary: 'URL that replaces the servers listed in the file.' },
    { name: 'extensions', summary: 'Keep extensions (x-…).' },
    strictOption,
  ],
  examples: [
    { line: 'touchstone bundle business > business.json', about: 'a contract that comes with Touchstone' },
    {
      line: 'touchstone bundle my-api.yaml --server https://api.example.com > api.json',
      about: 'your own contract, with the URL of your server',
    },
  ],
  run: runBundle,
};

async function runBundle({ positionals, values, switches }: Arguments, terminal: Terminal): Promise<number> {
  const [contractName, ...surplus] = positionals;
  if (contractName === undefined || surplus.length > 0)
    throw new UsageError('touchstone bundle needs one contract: touchstone bundle business, or an OpenAPI file');
  const { profile, server } = values;
  if (server !== undefined && !URL.canParse(server))
    throw new UsageError(`--server ${server} is not a URL; write it with its scheme, such as https://api.example.com`);
  const [loaded] = await loadContractsByName([contractName], profile, { strict: switches.has('strict') });
  if (loaded === undefined) throw new TypeError('a contract was loaded without a result');
  warnAbout([loaded.written], terminal);
  const document = plainDocument(loaded.contract, {
    extensions: switches.has('extensions'),
    answered: profile !== undefined,
    ...(server && { server }),
  });
  terminal.out(`${printJson(document, 2)}\n`);
  return 0;
}
