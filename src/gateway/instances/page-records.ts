import { Type } from 'typebox';
import { counted, named, type RecordOf } from '../../base/schema/schemas.ts';
import { GatewayFault } from '../image/fault-record.ts';
import { GatewayInstance, GatewaySignal } from './instance-record.ts';

export const GatewayInstanceList = named(
  'GatewayInstanceList',
  Type.Object({ gateways: Type.Array(GatewayInstance) }),
);
export type GatewayInstanceList = RecordOf<typeof GatewayInstanceList>;

/** Some of the signals of an instance. */
export const GatewaySignalPage = named(
  'GatewaySignalPage',
  Type.Object({
    instance: Type.String(),
    state: GatewayInstance.properties.state,
    snapshot_version: counted('Grows with every change of a signal'),
    signal_total: counted('Signals in all'),
    signal_offset: counted('Where the page begins'),
    signal_next_offset: counted('Where the next page begins; the total after the last'),
    signals: Type.Array(GatewaySignal),
  }),
);
export type GatewaySignalPage = RecordOf<typeof GatewaySignalPage>;

/** Some of its fault rules. */
export const GatewayFaultPage = named(
  'GatewayFaultPage',
  Type.Object({
    instance: Type.String(),
    state: GatewayInstance.properties.state,
    fault_total: counted('Fault rules in all'),
    fault_offset: counted('Where the page begins'),
    fault_next_offset: counted('Where the next page begins; the total after the last'),
    faults: Type.Array(GatewayFault),
  }),
);
export type GatewayFaultPage = RecordOf<typeof GatewayFaultPage>;
