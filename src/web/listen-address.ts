import { formatHostPort, type HostPort } from '../base/net/host-port.ts';

/** Where a browser on this machine finds the listener, also one that is bound to every address. */
export const consoleUrl = ({ host, port }: HostPort): string => {
  const reachable = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${formatHostPort({ host: reachable, port })}/`;
};
