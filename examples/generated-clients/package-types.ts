/** Generates the types that the package exports as `touchstone/types/…`. With --write, it replaces them. */

import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { argv } from 'node:process';
import openapiTypeScript, { astToString, type OpenAPI3 } from 'openapi-typescript';
import { contractFile, loadContract, plainDocument } from 'touchstone';

const contracts = ['business', 'wiki'];

/** Generates the types for a contract. A test compares their digest with that of the current contract. */
export async function makeTypes(contract: string): Promise<string> {
  const document = plainDocument(await loadContract(contractFile(contract)));
  const digest = createHash('sha256').update(JSON.stringify(document)).digest('hex');
  const types = await openapiTypeScript(document as unknown as OpenAPI3, { rootTypes: true, rootTypesNoSchemaPrefix: true });
  return `/** The types of the ${contract} API, made by openapi-typescript of the contract ${digest.slice(0, 16)}. */\n\n${astToString(types)}`;
}

export function fileOfTypes(contract: string): string {
  return createRequire(import.meta.url).resolve(`touchstone/specs/types/${contract}.d.cts`);
}

export function readTypes(contract: string): string {
  return readFileSync(fileOfTypes(contract), 'utf8');
}

if (argv.includes('--write')) for (const contract of contracts) writeFileSync(fileOfTypes(contract), await makeTypes(contract));
