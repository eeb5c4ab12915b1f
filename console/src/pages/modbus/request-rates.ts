import type { ModbusStatus } from '../../api/client.ts';

export type RequestRates = ReadonlyMap<string, number>;

export interface TimedCounts {
  readonly atMs: number;
  readonly counts: ReadonlyMap<string, number>;
}

export const sessionKey = (endpoint: string): string => `session ${endpoint}`;
export const serverKey = ({ address, endpoint, started_at_us }: ServerName): string =>
  `server ${address ?? endpoint} ${started_at_us}`;

type ServerName = Pick<ModbusStatus['servers'][number], 'address' | 'endpoint' | 'started_at_us'>;

export const countsOf = (status: ModbusStatus, atMs: number): TimedCounts => ({
  atMs,
  counts: new Map([
    ...status.sessions.map(({ endpoint, requests }) => [sessionKey(endpoint), requests] as const),
    ...status.servers.map((server) => [serverKey(server), server.requests] as const),
  ]),
});

export const ratesBetween = (before: TimedCounts | null, now: TimedCounts): RequestRates => {
  const rates = new Map<string, number>();
  const seconds = before ? (now.atMs - before.atMs) / 1000 : 0;
  if (!before || seconds <= 0) return rates;
  for (const [key, count] of now.counts) {
    const earlier = before.counts.get(key);
    if (earlier !== undefined && count >= earlier) rates.set(key, (count - earlier) / seconds);
  }
  return rates;
};
