import type { MatchingRule } from './pact.ts';

/** Classes of statuses by their names in Pact. */
const statusClasses: Readonly<Record<string, (status: number) => boolean>> = {
  info: (status) => status < 200,
  success: (status) => status >= 200 && status < 300,
  redirect: (status) => status >= 300 && status < 400,
  clientError: (status) => status >= 400 && status < 500,
  serverError: (status) => status >= 500,
  nonError: (status) => status < 400,
  error: (status) => status >= 400,
};

/** True if the rule for a status accepts it. */
export function acceptsStatus({ matchers }: MatchingRule, status: number): boolean {
  return matchers.every(({ match, value: { status: accepted } }) => {
    if (match !== 'statusCode') return false;
    if (Array.isArray(accepted)) return accepted.includes(status);
    return Object.hasOwn(statusClasses, String(accepted)) && statusClasses[String(accepted)]?.(status) === true;
  });
}
