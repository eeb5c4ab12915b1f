import { BusbarError } from '../errors/busbar-error.ts';

export const listenError = (thrown: unknown, listen: string): BusbarError => {
  const reason = (thrown as NodeJS.ErrnoException).code ?? 'unknown';
  const details = { field: 'listen', listen, reason };
  if (reason === 'EADDRINUSE') {
    return new BusbarError('address_in_use', {
      message: `${listen} is already in use`,
      details,
      cause: thrown,
    });
  }
  return new BusbarError('listen_failed', {
    message: `Cannot listen on ${listen} (${reason})`,
    details,
    cause: thrown,
  });
};
