import { errors } from '@nats-io/transport-node';
import { BusbarError } from '../../base/errors/busbar-error.ts';
import { errnoOf } from '../../base/errors/errno-of.ts';

const tlsErrno = /CERT|SSL|TLS|ISSUER|SELF_SIGNED/;

const reasonOf = (thrown: unknown): string => {
  const errno = errnoOf(thrown) ?? errnoOf((thrown as Error | undefined)?.cause);
  if (thrown instanceof errors.TimeoutError) return 'timeout';
  if (errno !== undefined && tlsErrno.test(errno)) return 'tls';
  return errno ?? 'connection';
};

export const unreachable = (server: string, thrown: unknown): BusbarError => {
  const reason = reasonOf(thrown);
  const why = thrown instanceof Error && thrown.message !== '' ? `: ${thrown.message}` : '';
  return new BusbarError('nats_unreachable', {
    message: `The NATS server ${server} cannot be reached${why}`,
    details: { server, reason },
    cause: thrown,
  });
};

const isLogin = (thrown: unknown): boolean =>
  thrown instanceof errors.AuthorizationError ||
  thrown instanceof errors.UserAuthenticationExpiredError;

export const forbidden = (server: string, operation: string, subject: string): BusbarError =>
  new BusbarError('nats_unauthorized', {
    message: `The NATS server ${server} does not allow to ${operation} ${subject}`,
    details: { server, reason: 'permission', operation, subject },
  });

/** Why a connection failed, as an error with a code. Texts of credential files are never in it. */
export const connectionError = (server: string, thrown: unknown): BusbarError => {
  if (thrown instanceof BusbarError) return thrown;
  if (thrown instanceof errors.PermissionViolationError) {
    return forbidden(server, thrown.operation, thrown.subject);
  }
  if (isLogin(thrown)) {
    return new BusbarError('nats_unauthorized', {
      message: `The NATS server ${server} refuses the credentials`,
      details: { server, reason: 'credentials' },
      cause: thrown,
    });
  }
  return unreachable(server, thrown);
};
