/** Which imports break the rules of `.dependency-cruiser.cjs`, and which files were looked at. */

import { join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTypeScriptConfig from 'dependency-cruiser/config-utl/extract-ts-config';
import { repository } from './tree.ts';

/** What dependency-cruiser saw of a house. */
export interface Survey {
  /** The TypeScript files that were read, sorted. */
  readonly seen: readonly string[];
  /** Broken rules as `rule: from → to`, sorted. */
  readonly violations: readonly string[];
}

/** Reads every file below `root` and judges its imports by the repository's own rules. */
export async function surveyImports(root: string): Promise<Survey> {
  const options = await extractDepcruiseOptions(join(repository, '.dependency-cruiser.cjs'));
  const tsConfig = extractTypeScriptConfig(join(repository, 'tsconfig.json'));
  const { output } = await cruise(['.'], { ...options, baseDir: root, validate: true }, undefined, { tsConfig });
  if (typeof output === 'string') throw new Error(`dependency-cruiser answered with text instead of a result: ${output.slice(0, 200)}`);
  return { seen: listSeen(output), violations: listViolations(output) };
}

function listSeen(result: ICruiseResult): readonly string[] {
  return result.modules
    .filter((module) => module.couldNotResolve !== true && module.source.endsWith('.ts') && !module.source.includes('node_modules/'))
    .map((module) => module.source)
    .sort();
}

function listViolations(result: ICruiseResult): readonly string[] {
  return result.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} → ${to}`).sort();
}
