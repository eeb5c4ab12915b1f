import { Type } from 'typebox';
import { counted, named, type RecordOf } from '../../base/schema/schemas.ts';
import { GatewayFault, GatewayFaultEvent } from '../image/fault-record.ts';
import { GatewayInstance, GatewaySignal } from './instance-record.ts';

export const GatewayInstanceList = named(
  'GatewayInstanceList',
  Type.Object({ gateways: Type.Array(GatewayInstance) }),
);
export type GatewayInstanceList = RecordOf<typeof GatewayInstanceList>;

export const GatewaySignalPage = named(
  'GatewaySignalPage',
  Type.Object({
    instance: Type.String(),
    state: GatewayInstance.properties.state,
    snapshot_version: counted('Grows with every change of a signal'),
    signal_total: counted('Signals in all'),
    signal_offset: counted('Index of the first message of this page'),
    signal_next_offset: counted('Index of the next page; the total after the last page'),
    signals: Type.Array(GatewaySignal),
  }),
);
export type GatewaySignalPage = RecordOf<typeof GatewaySignalPage>;

export const GatewayFaultPage = named(
  'GatewayFaultPage',
  Type.Object({
    instance: Type.String(),
    state: GatewayInstance.properties.state,
    fault_total: counted('Fault rules in all'),
    fault_offset: counted('Index of the first message of this page'),
    fault_next_offset: counted('Index of the next page; the total after the last page'),
    faults: Type.Array(GatewayFault),
  }),
);
export type GatewayFaultPage = RecordOf<typeof GatewayFaultPage>;

export const GatewayFaultHistory = named(
  'GatewayFaultHistory',
  Type.Object({
    instance: Type.String(),
    state: GatewayInstance.properties.state,
    next_after: counted('Sequence to continue after'),
    oldest_available: counted('Sequence of the oldest event that is kept'),
    newest_available: counted('Sequence of the newest event'),
    fault_events: Type.Array(GatewayFaultEvent),
  }),
);
export type GatewayFaultHistory = RecordOf<typeof GatewayFaultHistory>;
