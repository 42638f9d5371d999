/** Opens what a run, a watch and a replay need before their first request: the session with the target, and the redaction of all output. */

import { type Contract, listSetAside } from '../../core/openapi/contract.ts';
import type { RunEvent, RunResult } from '../../core/results/run-result.ts';
import { packageVersion } from '../../core/shipped-files.ts';
import { now, systemClock } from '../system-clock.ts';
import { createPrinting, type Printing } from './counterexample.ts';
import { logRequest } from './debug-log.ts';
import { keyringOf, secretsOf } from './evidence/callers.ts';
import { nearlyRightSecrets } from './evidence/nearly-right-keys.ts';
import { Session } from './evidence/request-session.ts';
import type { VerifyOptions } from './run-options.ts';
import { openTarget } from './target/open-target.ts';
import { withoutCommonPath } from './target/target-address.ts';

/** The session of a run with its target, and the redaction of its output. */
interface RedactedSession {
  readonly session: Session;
  readonly printing: Printing;
  readonly isInterrupted: () => boolean;
  /** Emits the start of a run with this number of checks. Returns a function that gives the data of the run at its end. */
  readonly begin: (
    checks: number,
  ) => (seed: number) => Pick<RunResult, 'contract' | 'target' | 'requests' | 'budget' | 'durationMs' | 'seed' | 'started' | 'toolVersion'>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the session of a run, and creates the redaction that hides keys and personal data in its output. Sends nothing yet. Default rate: 2 requests per
 * second, or unlimited for a local target.
 */
export function openSessionAndRedaction(
  contract: Contract,
  options: Omit<VerifyOptions, 'contract'>,
  budget: number,
  emit: (event: RunEvent) => void,
): RedactedSession {
  const { clock = systemClock, timeoutMs = 10_000, environment = {}, connect = openTarget } = options;
  const headers = Object.fromEntries(Object.entries(options.headers ?? {}).map(([name, { value }]) => [name, value]));
  const target = connect({
    url: withoutCommonPath(options.target, contract.operations),
    timeoutMs,
    headers,
    environment,
    certificate: options.certificate,
  });
  const keys = keyringOf(contract, options.keys ?? {});
  const rate = options.rate ?? (target.isLocal ? undefined : 2);
  let isInterrupted = false;
  // Without the option, the run cannot be interrupted.
  const interrupted = (options.interrupted ?? new Promise<void>(() => undefined)).then(() => {
    isInterrupted = true;
  });
  const printing = createPrinting(contract, {
    keys: [...secretsOf(keys), ...nearlyRightSecrets(keys)],
    headers: options.headers,
    url: target.url,
    showPersonal: options.showPersonal,
    certificateFiles: options.certificate?.files,
  });
  const emitAndLog = (event: RunEvent): void => {
    logRequest(event, printing.clean);
    emit(event);
  };
  const session = new Session({ target, keys, budget, rate, clock, emit: emitAndLog, interrupted });
  return {
    session,
    printing,
    isInterrupted: () => isInterrupted,
    begin: (checks) => {
      const [startedMs, started] = [clock.nowMs(), now()];
      const { name, title, version } = contract;
      emit({ kind: 'started', target: target.url, budget, checks });
      return (seed) => {
        const setAside = listSetAside(contract);
        return {
          contract: { name, title, version },
          ...(setAside.length === 0 ? {} : { setAside }),
          target: target.url,
          requests: session.requests,
          budget,
          durationMs: Math.round(clock.nowMs() - startedMs),
          seed,
          started,
          toolVersion: packageVersion(),
        };
      };
    },
    close: () => target.close(),
  };
}
