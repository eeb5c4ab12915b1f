import { lookup } from 'node:dns/promises';
import { SocketAddress } from 'node:net';
import type { Clock } from '../clock/clock.ts';

export type Lookup = (host: string) => Promise<{ address: string; family: number }[]>;

/** Maximum lookup time before a name counts as unknown. */
const resolveMs = 5000;

export const addressesOf = async (
  host: string,
  clock: Clock,
  look: Lookup = (name) => lookup(name, { all: true }),
): Promise<string[]> => {
  const found = await withTimeLimit(look(host), clock);
  return found
    .toSorted((one, other) => one.family - other.family)
    .map(({ address, family }) =>
      family === 6 ? new SocketAddress({ address, family: 'ipv6' }).address : address,
    );
};

const withTimeLimit = async <T>(answer: Promise<T[]>, clock: Clock): Promise<T[]> => {
  let abandon = (): void => undefined;
  const tooLate = new Promise<T[]>((resolve) => {
    abandon = () => resolve([]);
  });
  const timer = clock.after(resolveMs, () => abandon());
  try {
    return await Promise.race([answer, tooLate]);
  } catch {
    // The name is wrong, regardless of the error code.
    return [];
  } finally {
    timer.cancel();
  }
};
