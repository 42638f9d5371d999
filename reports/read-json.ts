/** Reads a report of `touchstone verify` back, as it was written by `renderJson`. */

import { checkBySchema } from '../core/by-schema.ts';
import { SpecError } from '../core/errors.ts';
import { parseJsonText } from '../core/json-text.ts';
import { publishedSchemaFile } from '../core/shipped.ts';
import type { Counterexample, LawResult, RunResult, Waiver } from '../core/verdict.ts';
import { reportSchema } from './json.ts';

/**
 * Reads a report in JSON.
 * @throws {SpecError} at the place that is not as the published schema says.
 */
export async function readJsonReport(file: string, text: string): Promise<RunResult> {
  const root = parseJsonText(file, text);
  if (root['schema'] !== reportSchema) {
    const message = 'this is no report of touchstone verify; write one with --report json=FILE';
    throw new SpecError({ file, line: 1, column: 1 }, message);
  }
  await checkBySchema(publishedSchemaFile('verify-report'), file, root);
  const { schema: _, laws, ...rest } = root as unknown as RunResult & { readonly schema: string };
  return { ...rest, laws: laws.map((law) => toLaw(law as unknown as WrittenLaw)) };
}

/** What is absent from a law stands as `null` in a report. */
type WrittenLaw = Omit<LawResult, 'diagnosis' | 'counterexample' | 'waiver'> & {
  readonly diagnosis: string | null;
  readonly counterexample: Counterexample | null;
  readonly waiver?: Pick<Waiver, 'reason'> & { readonly expires: string | null };
};

function toLaw({ diagnosis, counterexample, waiver, ...law }: WrittenLaw): LawResult {
  return {
    ...law,
    ...(diagnosis === null ? {} : { diagnosis }),
    ...(counterexample === null ? {} : { counterexample }),
    ...(waiver === undefined ? {} : { waiver: { reason: waiver.reason, ...(waiver.expires === null ? {} : { expires: waiver.expires }) } }),
  };
}
