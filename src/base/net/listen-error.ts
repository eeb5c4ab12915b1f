import { BusbarError } from '../errors/busbar-error.ts';

export const listenError = (thrown: unknown, listen: string): BusbarError => {
  const reason = (thrown as NodeJS.ErrnoException).code ?? 'unknown';
  const details = { field: 'listen', listen, reason };
  if (reason === 'EADDRINUSE') {
    return new BusbarError('address_in_use', {
      message: `Another program listens on ${listen}`,
      details,
      cause: thrown,
    });
  }
  return new BusbarError('listen_failed', {
    message: `${listen} cannot be listened on (${reason})`,
    details,
    cause: thrown,
  });
};
