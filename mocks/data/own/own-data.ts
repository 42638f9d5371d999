/** Own data: files of records that a mock serves beside its dataset, or instead of it. */

import { nearest, UsageError } from '../../../core/errors.ts';
import type { Contract } from '../../../core/openapi/contract.ts';
import { loadData, type ReadText } from '../../../core/openapi/document.ts';
import { checkContent } from './check-own-data.ts';
import { type DataTarget, describeOwnValue, type OwnContent, type OwnFile, openOwnFile, readContent } from './own-data-file.ts';

/** The contents of the files for each contract, in the order of the files. */
export type OwnData = ReadonlyMap<Contract, readonly OwnContent[]>;

/**
 * Reads files of own data, and checks them by the contracts that they are for.
 * @throws {UsageError} when a file cannot be read, or the files are no list.
 * @throws {SpecError} when it is neither YAML nor JSON, or with all that is wrong in its first wrong file, each mistake with its line.
 */
export async function readOwnData(files: readonly string[], targets: readonly DataTarget[], read?: ReadText): Promise<OwnData> {
  // A program in JavaScript has no compiler that tells it.
  if (!Array.isArray(files)) throw new UsageError(`data: ${JSON.stringify(files)} is no list; write data: ['FILE'] for one`);
  const data = new Map<Contract, OwnContent[]>();
  for (const name of files) {
    const root = await (read === undefined ? loadData(name, what) : loadData(name, what, read));
    const file = openOwnFile(name, root);
    const target = findTarget(file, targets);
    if (target !== undefined) {
      const content = readContent(file, target);
      checkContent(file, target.contract, content);
      data.set(target.contract, [...(data.get(target.contract) ?? []), content]);
    }
    file.finish();
  }
  return data;
}

const what = 'a file of own data in YAML or JSON';

/** The contract that a file is for. It need not say so where only one is served. */
function findTarget(file: OwnFile, targets: readonly DataTarget[]): DataTarget | undefined {
  const names = targets.map(({ contract }) => contract.name);
  const named = file.root['contract'];
  if (named === undefined && targets.length === 1) return targets[0];
  if (named === undefined) {
    file.note(
      [],
      `several contracts are served, and the file does not say which of them it is for; add contract: ${names.join(' or contract: ')}`,
    );
    return undefined;
  }
  const found = targets.find(({ contract }) => contract.name === named);
  if (found !== undefined) return found;
  const meant = typeof named === 'string' ? nearest(named, names) : undefined;
  const advice = meant === undefined ? `served ${names.length === 1 ? 'is' : 'are'} ${names.join(', ')}` : `is ${meant} meant?`;
  file.note(['contract'], `no contract ${typeof named === 'string' ? named : describeOwnValue(named)} is served; ${advice}`);
  return undefined;
}
