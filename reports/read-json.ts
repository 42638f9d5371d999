/** Reads a report of `touchstone verify` back, as it was written by `renderJson`. */

import { checkBySchema } from '../core/by-schema.ts';
import { SpecError } from '../core/errors.ts';
import { parseJsonText } from '../core/json-text.ts';
import { publishedSchemaFile } from '../core/shipped.ts';
import type { Counterexample, LawResult, LawViolation, RunResult, Waiver } from '../core/verdict.ts';
import { reportSchema } from './json.ts';

/**
 * Reads a report in JSON.
 * @throws {SpecError} at the place that is not as the published schema says.
 */
export async function readJsonReport(file: string, text: string): Promise<RunResult> {
  const root = parseJsonText(file, text, 'a report of touchstone verify');
  if (root['schema'] !== reportSchema) {
    const message = 'this is no report of touchstone verify; write one with --report json=FILE';
    throw new SpecError({ file, line: 1, column: 1 }, message);
  }
  await checkBySchema(publishedSchemaFile('verify-report'), file, root);
  const { schema: _, laws, ...rest } = root as unknown as RunResult & { readonly schema: string };
  return { ...rest, laws: laws.map((law) => toLaw(law as unknown as WrittenLaw)) };
}

/** What is absent from a violation stands as `null` in a report. */
type WrittenViolation = Omit<LawViolation, 'diagnosis' | 'counterexample' | 'waiver'> & {
  readonly diagnosis: string | null;
  readonly counterexample: Counterexample | null;
  readonly waiver?: Pick<Waiver, 'reason'> & { readonly expires: string | null };
};

type WrittenLaw = Omit<LawResult, keyof LawViolation | 'further'> & WrittenViolation & { readonly further?: readonly WrittenViolation[] };

function toLaw({ further, ...law }: WrittenLaw): LawResult {
  return { ...toViolation(law), ...(further === undefined ? {} : { further: further.map((each) => toViolation(each) as LawViolation) }) };
}

function toViolation<T extends WrittenViolation>({ diagnosis, counterexample, waiver, ...rest }: T) {
  return {
    ...rest,
    ...(diagnosis === null ? {} : { diagnosis }),
    ...(counterexample === null ? {} : { counterexample }),
    ...(waiver === undefined ? {} : { waiver: { reason: waiver.reason, ...(waiver.expires === null ? {} : { expires: waiver.expires }) } }),
  };
}
