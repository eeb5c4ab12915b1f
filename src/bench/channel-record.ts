import { type Static, Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../base/schema/schemas.ts';
import { RetentionRecord } from '../broker/retention-record.ts';
import { channelModes, linRoles } from '../drivers/channel-settings.ts';
import { busStates, type ChannelStats } from '../drivers/channel-stats.ts';
import type { DriverChannel } from '../drivers/driver-channel.ts';
import { BitTiming } from '../frame/bit-timing-record.ts';
import { checksumModels } from '../frame/frame.ts';
import { buses } from '../frame/frm2-layout.ts';
import { linVersions } from '../frame/lin.ts';
import type { AttachedNames } from './attached-names.ts';
import { ChannelWarning } from './channel-warning.ts';
import type { SecondOfTraffic } from './rate-history.ts';
import type { Rates } from './rate-meter.ts';
import { stableSelector } from './selector.ts';

/**
 * States of a channel:
 *
 * ```
 *           controller is bus-off
 *        ┌────────────────────────────▶ bus_off
 *  open ─┤                              │    │
 *  ▲  ▲  └─ device lost ──▶ lost ◀──────┘    │ recovered on request or after
 *  │  │                      │   device lost │ restart_ms, or configured
 *  │  └─── device is back ───┘               │
 *  └─────────────────────────────────────────┘
 *
 *  close: from every state to closing; then the channel is removed
 * ```
 *
 * - `lost`: the daemon searches for the device and restarts its controller when it is back.
 * - `closing`: the port leaves the bus once the current change is complete.
 *
 * `bench-sink.ts` changes the state when the driver reports; `channel.ts` sets `closing`.
 */
export const channelStates = ['open', 'bus_off', 'lost', 'closing'] as const;
export type ChannelState = (typeof channelStates)[number];

export interface ChannelIdentity {
  readonly slot: number;
  readonly name: string | null;
  readonly driver: string;
  readonly sn: string;
  readonly uid: string;
  readonly port: number;
  readonly number: number;
}

const closed = { additionalProperties: false };

export const TimingSettings = Type.Object(
  { nominal: BitTiming, data: Type.Optional(BitTiming) },
  closed,
);

export const ChannelRecord = named(
  'Channel',
  Type.Object({
    slot: Type.Integer({ minimum: 0, description: 'Channel number, unique while the daemon runs' }),
    selector: Type.String({ description: 'Stable selector, <sn>/<port>' }),
    uid_selector: Type.String(),
    name: nullable(Type.String()),
    state: Type.Enum([...channelStates]),
    driver: Type.String(),
    sn: Type.String(),
    uid: Type.String(),
    port: Type.Integer({ minimum: 0 }),
    number: Type.Integer({
      minimum: 1,
      description: 'Channel number in logs; stays the same when the port is reopened',
    }),
    bus: Type.Enum([...buses]),
    mode: Type.Enum([...channelModes]),
    bitrate: Type.Number(),
    data_bitrate: nullable(Type.Number()),
    timing: nullable(TimingSettings),
    termination: nullable(Type.Boolean()),
    pull_up: nullable(Type.Boolean()),
    power: nullable(Type.Boolean()),
    lin: nullable(
      Type.Object(
        {
          role: Type.Enum([...linRoles]),
          version: Type.Enum([...linVersions]),
          checksum: Type.Enum([...checksumModels]),
        },
        { description: 'LIN only' },
      ),
    ),
    restart_ms: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'CAN only: bus-off time in milliseconds after which the controller is recovered automatically; 0 = never',
    }),
    opened_at_us: Type.Integer({ description: 'Unix time in microseconds' }),
    databases: Type.Array(Type.String(), {
      description:
        'Attached databases. The first one that has a message for a frame names and decodes it',
    }),
    warnings: Type.Array(ChannelWarning, {
      description: 'What did not work when it was opened, and differences to attached LDF files',
    }),
    clock_bracket_us: nullable(Type.Integer({ minimum: 0 }), {
      description:
        'Accuracy of the frame timestamps relative to the daemon clock; null if both use the same clock, or not measured',
    }),
  }),
);
export type ChannelRecord = Static<typeof ChannelRecord>;

const rateFields = {
  rx_rate_fps: Type.Number({
    minimum: 0,
    description: 'Frames per second, averaged over about a second',
  }),
  tx_rate_fps: Type.Number({ minimum: 0 }),
  bus_load_percent: Type.Number({ minimum: 0, maximum: 100 }),
};

export const ChannelStatsRecord = Type.Object({
  slot: Type.Integer({ minimum: 0 }),
  selector: Type.String(),
  rx_frames: counted('Frames received'),
  tx_frames: counted('Frames sent'),
  tx_failed: counted('Accepted frames that were abandoned'),
  tx_pending: counted('Accepted frames that are still pending'),
  error_frames: counted('Bus errors, as counted by the events of the channel'),
  overruns: counted('Events dropped by the hardware or the system'),
  times_lost: counted('Number of times the device was disconnected'),
  ...rateFields,
  bus_state: Type.Enum([...busStates]),
  tx_error_count: counted('Transmit error counter of the controller'),
  rx_error_count: counted('Receive error counter of the controller'),
  clock_bracket_us: ChannelRecord.properties.clock_bracket_us,
});
export type ChannelStatsRecord = Static<typeof ChannelStatsRecord>;

export const ChannelStatsWithBroker = named(
  'ChannelStats',
  Type.Object({ ...ChannelStatsRecord.properties, broker: RetentionRecord }),
);
export type ChannelStatsWithBroker = RecordOf<typeof ChannelStatsWithBroker>;

export const ChannelTrafficRecord = named(
  'ChannelTraffic',
  Type.Object({
    slot: ChannelRecord.properties.slot,
    selector: ChannelRecord.properties.selector,
    name: ChannelRecord.properties.name,
    bus: ChannelRecord.properties.bus,
    state: ChannelRecord.properties.state,
    opened_at_us: ChannelRecord.properties.opened_at_us,
    seconds: Type.Array(
      Type.Object({
        at_us: Type.Integer({ description: 'End time as Unix time in microseconds' }),
        ...rateFields,
      }),
      { description: 'Oldest first' },
    ),
  }),
);
export type ChannelTrafficRecord = Static<typeof ChannelTrafficRecord>;

const ratesRecord = ({ rxFps, txFps, busLoadPercent }: Rates) => ({
  rx_rate_fps: rxFps,
  tx_rate_fps: txFps,
  bus_load_percent: busLoadPercent,
});

export const channelTrafficRecord = (
  { slot, selector, name, bus, state, opened_at_us }: ChannelRecord,
  seconds: readonly SecondOfTraffic[],
): ChannelTrafficRecord => ({
  slot,
  selector,
  name,
  bus,
  state,
  opened_at_us,
  seconds: seconds.map(({ atUs, rates }) => ({ at_us: Math.floor(atUs), ...ratesRecord(rates) })),
});

export const channelRecord = (
  { slot, name, driver, sn, uid, port, number }: ChannelIdentity,
  state: ChannelState,
  { settings, clockBracketUs }: Pick<DriverChannel, 'settings' | 'clockBracketUs'>,
  restartMs: number | null,
  openedAtUs: number,
  attached: AttachedNames,
): ChannelRecord => ({
  slot,
  selector: stableSelector(sn, port),
  uid_selector: stableSelector(uid, port),
  name,
  state,
  driver,
  sn,
  uid,
  port,
  number,
  bus: settings.bus,
  mode: settings.mode,
  bitrate: Math.round(settings.bitrate),
  data_bitrate: settings.dataBitrate === undefined ? null : Math.round(settings.dataBitrate),
  timing: settings.timing ?? null,
  termination: settings.termination ?? null,
  pull_up: settings.pullUp ?? null,
  power: settings.power ?? null,
  lin: settings.lin ?? null,
  restart_ms: restartMs,
  opened_at_us: openedAtUs,
  databases: [...attached.names],
  warnings: attached.warningsFor(settings),
  clock_bracket_us: clockBracketUs ?? null,
});

export const channelStatsRecord = (
  { slot, sn, port }: ChannelIdentity,
  stats: ChannelStats,
  rates: Rates,
  timesLost: number,
  clockBracketUs: number | null,
): ChannelStatsRecord => ({
  slot,
  selector: stableSelector(sn, port),
  rx_frames: stats.rxFrames,
  tx_frames: stats.txFrames,
  tx_failed: stats.txFailed,
  tx_pending: stats.txPending,
  error_frames: stats.errorFrames,
  overruns: stats.overruns,
  ...ratesRecord(rates),
  bus_state: stats.busState,
  tx_error_count: stats.txErrorCount,
  rx_error_count: stats.rxErrorCount,
  times_lost: timesLost,
  clock_bracket_us: clockBracketUs,
});
