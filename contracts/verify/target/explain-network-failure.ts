/** Explains in one sentence, with advice, why a request got no reply. No sentence may contain a password. */

/** The kinds of reasons for which a request gets no reply. */
export type FailureCause = 'unreachable' | 'unknown-host' | 'timeout' | 'broken' | 'certificate' | 'proxy' | 'not-http' | 'too-large';

/** A cause and its sentence. */
export interface Failure {
  readonly cause: FailureCause;
  readonly message: string;
}

/** Thrown for a request that gets no reply. */
export class DeliveryError extends Error {
  override readonly name = 'DeliveryError' as const;
  readonly failure: Failure;

  constructor(cause: FailureCause, message: string, options?: ErrorOptions) {
    super(message, options);
    this.failure = { cause, message };
  }
}

/** A failed request. */
interface FailedAttempt {
  /** Scheme, host and port of the target. */
  readonly origin: string;
  /** The proxy to which the connection was opened, without credentials. */
  readonly proxy: string | undefined;
  /** True if the response had started. */
  readonly hasResponse: boolean;
}

/** Explains an error of Node.js: of a connection, of TLS, of its HTTP parser. */
export function explainFailure(error: Error, attempt: FailedAttempt): Failure {
  if (error instanceof DeliveryError) return error.failure;
  const code = codeOf(error);
  const place = attempt.proxy === undefined ? attempt.origin : `the proxy ${attempt.proxy}`;
  const connectionProblem = connectionFailure(code, place);
  if (connectionProblem === undefined || attempt.hasResponse) return exchangeFailure(error, code, attempt);
  if (attempt.proxy === undefined) return connectionProblem;
  return {
    cause: 'proxy',
    message: `${connectionProblem.message}. ${proxyAdvice}`,
  };
}

/** Explains a tunnel that could not be opened. */
export function explainTunnel(error: Error, origin: string, proxy: string): Failure {
  if (error instanceof DeliveryError) return error.failure;
  const { message } = explainFailure(error, { origin: `the proxy ${proxy}`, proxy: undefined, hasResponse: false });
  return { cause: 'proxy', message: `the tunnel to ${origin} could not be opened: ${message}. ${proxyAdvice}` };
}

const proxyAdvice = 'The proxy variables name this proxy; to reach a host without it, list the host in NO_PROXY';

/** The failure when a proxy does not open a tunnel. */
export function refusedTunnel(status: number, origin: string, proxy: string): DeliveryError {
  const advice =
    status === 407
      ? 'give its user and password in the proxy variable, as http://USER:PASSWORD@HOST:PORT'
      : 'ask its administrator, or list the host in NO_PROXY';
  return new DeliveryError('proxy', `the proxy ${proxy} returned ${status} instead of opening a tunnel to ${origin}; ${advice}`);
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

function connectionFailure(code: string, place: string): Failure | undefined {
  if (code === 'ECONNREFUSED')
    return unreachable(`nothing listens at ${place} (connection refused); check the address and start the server`);
  if (code === 'ENOTFOUND' || code.startsWith('EAI_'))
    return { cause: 'unknown-host', message: `the host name of ${place} cannot be resolved (${code}); check its spelling and the network` };
  if (unreachableCodes.has(code))
    return unreachable(`${place} cannot be reached (${code}); check the address, the network and any firewall`);
  const advice = certificateAdvice(code);
  if (advice === undefined) return undefined;
  return { cause: 'certificate', message: `the certificate of ${place} is not trusted (${code}): ${advice}` };
}

function unreachable(message: string): Failure {
  return { cause: 'unreachable', message };
}

const unreachableCodes: ReadonlySet<string> = new Set([
  ...['EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL', 'EACCES', 'EPERM', 'ETIMEDOUT'],
]);

function certificateAdvice(code: string): string | undefined {
  if (code === 'CERT_HAS_EXPIRED') return 'it has expired; renew it, or check the clock of this machine';
  if (code === 'CERT_NOT_YET_VALID') return 'it is not valid yet; check the clock of this machine';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID' || code === 'HOSTNAME_MISMATCH')
    return 'it was issued for other host names; use one of those in the address';
  if (selfSignedCodes.has(code)) return 'its issuer is unknown here; name a file with the issuer’s certificate in NODE_EXTRA_CA_CERTS';
  return code.startsWith('CERT_') || code.startsWith('UNABLE_TO_') ? 'have it replaced, or check its chain' : undefined;
}

const selfSignedCodes: ReadonlySet<string> = new Set([
  ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'CERT_UNTRUSTED'],
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
]);

function exchangeFailure(error: Error, code: string, { origin, hasResponse }: FailedAttempt): Failure {
  if (code === 'HPE_HEADER_OVERFLOW')
    return {
      cause: 'too-large',
      message: `the headers of a response from ${origin} have more than 64 kB; check which server or proxy adds them`,
    };
  if (code.startsWith('HPE_') && !hasResponse)
    return {
      cause: 'not-http',
      message: `${origin} does not speak HTTP (${code}); check the port, and whether the address should start with http or https`,
    };
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_'))
    return {
      cause: 'not-http',
      message: `${origin} offers no supported version of TLS (${code}); check the port, and whether the address should start with http or https`,
    };
  const moment = hasResponse ? 'in the middle of a response' : 'before it responded';
  return {
    cause: 'broken',
    message: `${origin} dropped the connection ${moment} (${code === '' ? error.message : code}); check its log, and the proxy or gateway in front of it`,
  };
}
