import type { ErrorRecord } from '../api/api-error.ts';
import type { MonitorStatus } from './raw-monitor.ts';
import type { Piece } from './shared-stream.ts';
import type { WatchPiece } from './watched-state.ts';

export type Followed = ReadonlyMap<string, ReadonlySet<string>>;

/** Longer requests could be rejected: then whole plans are followed. */
const maxNamesLength = 4000;

const queryOf = (name: string, values: Iterable<string>): readonly string[] =>
  [...values].sort().map((value) => `${name}=${encodeURIComponent(value)}`);

export const samplesPath = (followed: Followed): string => {
  const plans = queryOf('plan', followed.keys());
  const names = queryOf('signal', new Set([...followed.values()].flatMap((each) => [...each])));
  const parts = [plans, names].flatMap((each) =>
    each.join('&').length < maxNamesLength ? each : [],
  );
  return `/api/v1/signals/stream${parts.length > 0 ? `?${parts.join('&')}` : ''}`;
};

export const unionOf = (all: Iterable<Followed>): Followed => {
  const union = new Map<string, Set<string>>();
  for (const followed of all) {
    for (const [plan, signals] of followed) {
      union.set(plan, new Set([...(union.get(plan) ?? []), ...signals]));
    }
  }
  return union;
};

export const isWithin = (followed: Followed, all: Followed): boolean =>
  [...followed].every(([plan, signals]) =>
    [...signals].every((signal) => all.get(plan)?.has(signal)),
  );

export type StreamRequest =
  | {
      readonly type: 'samples';
      readonly token: string | null;
      readonly followed: Followed;
      readonly after: number | null;
    }
  | { readonly type: 'monitor'; readonly token: string | null; readonly status: MonitorStatus }
  | { readonly type: 'watch'; readonly token: string | null; readonly instance: string }
  | { readonly type: 'report'; readonly token: string | null; readonly path: string }
  | { readonly type: 'slot' };

/** Later messages of a page: it processed an answer, or needs no more. */
export type StreamReply = { readonly type: 'ack' } | { readonly type: 'leave' };

export type StreamAnswer =
  | { readonly type: 'open' }
  | ({ readonly type: 'piece' } & Piece)
  | { readonly type: 'status'; readonly status: MonitorStatus }
  | ({ readonly type: 'watched' } & WatchPiece)
  | { readonly type: 'heartbeat' }
  | { readonly type: 'end'; readonly error: ErrorRecord | null };
