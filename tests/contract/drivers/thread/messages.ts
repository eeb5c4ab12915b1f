import type { ErrorRecord } from '../../../../src/base/errors/busbar-error.ts';
import type { RingHandle } from '../../../../src/broker/ring-memory.ts';
import type { OpenSettings, SettingChange } from '../../../../src/drivers/channel-settings.ts';
import type { ChannelStats } from '../../../../src/drivers/channel-stats.ts';

export interface ThreadData {
  readonly memory: SharedArrayBuffer;
  readonly writer: number;
  readonly startUs: number;
}

/** Requests from the bench half of the driver to the thread. */
export type Command =
  | { readonly what: 'devices' | 'lose' | 'return' }
  | {
      readonly what: 'open';
      readonly sn: string;
      readonly port: number;
      readonly settings: OpenSettings;
      readonly ring: RingHandle;
      readonly settled: SharedArrayBuffer;
      readonly stats: SharedArrayBuffer;
    }
  | {
      readonly what: 'send';
      readonly slot: number;
      readonly number: number;
      readonly id: number;
      readonly flags: number;
      readonly dlc: number;
      readonly data: Uint8Array;
      readonly deadlineUs: number | undefined;
    }
  | { readonly what: 'configure'; readonly slot: number; readonly change: SettingChange }
  | { readonly what: 'recover' | 'close'; readonly slot: number }
  | { readonly what: 'grow'; readonly slot: number; readonly slots: number }
  | { readonly what: 'advance'; readonly us: number }
  | { readonly what: 'break'; readonly port: number; readonly attempts: number }
  | {
      readonly what: 'babble';
      readonly slot: number;
      readonly frames: number;
      readonly done: SharedArrayBuffer;
    };

/** Messages of the thread: a response, or an event of a channel that is not a record. */
export type Told =
  | { readonly call: number; readonly value?: unknown; readonly error?: ErrorRecord }
  | {
      readonly slot: number;
      readonly what: 'failed' | 'state' | 'lost' | 'returned';
      readonly values: readonly number[];
    };

export const statsFields = [
  'rxFrames',
  'txFrames',
  'txFailed',
  'errorFrames',
  'overruns',
  'txPending',
  'busState',
  'txErrorCount',
  'rxErrorCount',
  'busyUs',
] as const satisfies readonly (keyof ChannelStats)[];
