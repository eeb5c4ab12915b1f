import { Type } from 'typebox';
import { named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { GatewayFault, GatewayFaultEvent } from '../image/fault-record.ts';
import { GatewayInstance, GatewaySignal, GatewayTask } from '../instances/instance-record.ts';

const instance = Type.String({ description: 'Name of the instance' });

const ObservedTimes = Type.Object({
  first: Type.Integer({ minimum: 0, description: 'Place of the first of these signals' }),
  observed_us: Type.Array(nullable(Type.Integer()), {
    description:
      'When each from there on was last observed, also where its value stayed the same; null if never',
  }),
});
export type ObservedTimes = RecordOf<typeof ObservedTimes>;

const partEvents = {
  tasks: Type.Object({ instance, tasks: Type.Array(GatewayTask) }),
  faults: Type.Object({ instance, faults: Type.Array(GatewayFault) }),
  fault_events: Type.Object({ instance, fault_events: Type.Array(GatewayFaultEvent) }),
  observed: Type.Object({ instance, observed: Type.Array(ObservedTimes) }),
};
export type WatchPart = keyof typeof partEvents;
export const watchParts = Object.keys(partEvents) as readonly WatchPart[];

const End = Type.Object({
  instance,
  reason: Type.Enum(['unloaded', 'shut_down'], {
    description: 'Whether the instance was unloaded, or the service ended the stream',
  }),
});
export type WatchEndReason = RecordOf<typeof End>['reason'];

/** Data of each event in the stream of an instance, by event name. */
export const GatewayEvents = named(
  'GatewayEvents',
  Type.Object({
    signals: Type.Object({ instance, signals: Type.Array(GatewaySignal) }),
    status: GatewayInstance,
    ...partEvents,
    end: End,
  }),
);
export type WatchEvent = keyof RecordOf<typeof GatewayEvents>;
export const watchEvents = Object.keys(GatewayEvents.properties) as readonly WatchEvent[];
