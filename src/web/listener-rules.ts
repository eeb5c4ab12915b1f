import { lookup } from 'node:dns/promises';
import { BusbarError, invalidArgument } from '../base/errors/busbar-error.ts';
import type { HostPort } from '../base/net/host-port.ts';
import { isLoopback } from '../base/net/loopback.ts';
import { parseHostPort } from '../base/net/parse-host-port.ts';

interface ListenerChoice {
  readonly listen: string;
  readonly token: string | null;
  readonly allowInsecureHttp: boolean;
}

const resolveHost = async (host: string): Promise<string> => {
  try {
    const addresses = await lookup(host, { all: true });
    const chosen = addresses.find(({ family }) => family === 4) ?? addresses[0];
    if (chosen) return chosen.address;
  } catch {
    // Reported below; the reason adds nothing to the name.
  }
  throw new BusbarError('listen_failed', {
    message: `Cannot resolve host ${host}`,
    details: { field: 'listen', reason: 'ENOTFOUND' },
  });
};

export const admitListener = async (choice: ListenerChoice): Promise<HostPort> => {
  const { host, port } = parseHostPort(choice.listen, 'listen');
  const address = await resolveHost(host);
  if (isLoopback(address)) return { host: address, port };
  if (choice.token === null) {
    throw invalidArgument('token', 'A non-loopback listener requires a token');
  }
  if (!choice.allowInsecureHttp) {
    throw invalidArgument(
      'allow_insecure_http',
      'A non-loopback listener is not encrypted; acknowledge this with --allow-insecure-http',
    );
  }
  return { host: address, port };
};
