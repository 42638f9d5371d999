/** Names of violations that stay from run to run, whatever the data is: waivers and baselines know a violation by them. */

import { createHash } from 'node:crypto';
import type { Contradiction } from './law.ts';

/** What exactly is wrong, in words that stay: the place and the keyword of a schema, or the rival that explains it. */
export function subjectOf({ about, rival }: Pick<Contradiction, 'about' | 'rival'>): string {
  return about ?? rival?.id ?? '';
}

/** The fingerprint of what contradicts a law at an operation: `1c9a07-e3b0c4`. Its first half tells the law and the operation. */
export function fingerprintOf(law: string, operation: string, contradiction: Pick<Contradiction, 'about' | 'rival'>): string {
  return `${digest(`${law} ${operation}`)}-${digest(subjectOf(contradiction))}`;
}

/** Whether a fingerprint is of a law at an operation. */
export function isFingerprintOf(fingerprint: string, law: string, operation: string): boolean {
  return fingerprint.startsWith(`${digest(`${law} ${operation}`)}-`);
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 6);
}
