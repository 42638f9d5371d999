/** Reads and checks the files with a user's own data (option `--data`), at the start and on each reload. Changes no dataset. */

import { didYouMean } from '../../../core/did-you-mean.ts';
import { UsageError } from '../../../core/errors.ts';
import { printJson } from '../../../core/json.ts';
import { checkAgainstSchema } from '../../../core/openapi/check-touchstone-file.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import type { ReadText } from '../../../core/openapi/document.ts';
import { loadDataFile } from '../../../core/openapi/loading/load-document.ts';
import { publishedSchemaFile } from '../../../core/shipped-files.ts';
import { checkOwnData } from './check-own-data.ts';
import { type DataTarget, type OwnContent, type OwnFile, openOwnFile, readContent } from './parse-own-data-file.ts';

/** Contents of the files by contract, in the order of the files. */
type OwnData = ReadonlyMap<Contract, readonly OwnContent[]>;

/**
 * Reads files of own data and checks them against their contracts.
 * @throws {UsageError} for an unreadable file, or if `files` is not a list.
 * @throws {SpecError} for a file that is neither YAML nor JSON, or that the published schema refuses, or with all mistakes of the first file that has some,
 * each with its line.
 */
export async function readOwnData(files: readonly string[], targets: readonly DataTarget[], read?: ReadText): Promise<OwnData> {
  // For callers in JavaScript, which have no compiler to check the type.
  if (!Array.isArray(files)) throw new UsageError(`data: ${printJson(files)} is not a list; write, for example, data: ['FILE']`);
  const data = new Map<Contract, OwnContent[]>();
  for (const name of files) {
    const root = await (read === undefined ? loadDataFile(name, fileKind) : loadDataFile(name, fileKind, read));
    // A refused text is not quoted: in the place of a record, it may be personal.
    await checkAgainstSchema(publishedSchemaFile('own-data'), name, root, false);
    const file = openOwnFile(name, root);
    const target = findTarget(file, targets);
    if (target !== undefined) {
      const content = readContent(file, target);
      checkOwnData(file, target.contract, content);
      data.set(target.contract, [...(data.get(target.contract) ?? []), content]);
    }
    file.finish();
  }
  return data;
}

const fileKind = 'a file of own data in YAML or JSON';

/** Finds the contract of a file. The file must name it unless only one is served. */
function findTarget(file: OwnFile, targets: readonly DataTarget[]): DataTarget | undefined {
  const names = targets.map(({ contract }) => contract.name);
  const name = file.root.contract;
  if (name === undefined && targets.length === 1) return targets[0];
  if (name === undefined) {
    file.note([], `several contracts are served, and the file names none; add contract: ${names.join(' or contract: ')}`);
    return undefined;
  }
  const target = targets.find(({ contract }) => contract.name === name);
  if (target !== undefined) return target;
  const advice = didYouMean(name, names, `served ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}`);
  file.note(['contract'], `no contract ${name} is served; ${advice}`);
  return undefined;
}
