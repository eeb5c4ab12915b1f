import type { Bench } from '../../api/schema.ts';

type Network = Bench['networks'][string];

const parities = { none: 'N', even: 'E', odd: 'O' } as const;

/** What a network of the bench is bound to, in the notation of the command line. */
export const networkText = (network: Network): string => {
  if ('tcp' in network) return `tcp:${network.tcp.host}:${network.tcp.port}`;
  if ('serial' in network) {
    const { framing, port, baud_rate, data_bits, parity, stop_bits } = network.serial;
    return `${framing}:${port}:${baud_rate},${data_bits}${parities[parity]}${stop_bits}`;
  }
  return network.channel ?? '';
};
