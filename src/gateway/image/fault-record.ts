import { type Static, Type } from 'typebox';
import { counted, named, nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { FaultRuleRow } from '../project/tables/fault-rules.ts';
import { faultEffects } from './image-values.ts';

export const GatewayFault = named(
  'GatewayFault',
  Type.Object({
    ...FaultRuleRow.properties,
    fired: counted('How often it has fired since the start, or since it was switched on'),
  }),
);
export type GatewayFault = Static<typeof GatewayFault>;

export const GatewayFaultEvent = named(
  'GatewayFaultEvent',
  Type.Object({
    sequence: Type.Integer({ minimum: 1, description: 'Counts the events of the instance' }),
    timestamp_us: Type.Integer({ minimum: 0, description: 'Unix time in microseconds' }),
    rule: Type.String({ description: 'Id of the fault rule' }),
    kind: FaultRuleRow.properties.kind,
    effect: Type.Enum([...faultEffects], {
      description:
        'What became of the frame; a repeat is suppressed if there was no frame to repeat, and conflict says that rules excluded each other',
    }),
    task: Type.String({ description: 'Id of the task' }),
    event_id: nullable(Type.Integer({ minimum: 1 }), {
      description:
        'Event of the transmitted frame, kind tx_complete; null if none was sent, or not yet',
    }),
    channel: nullable(Type.Integer({ minimum: 0 }), {
      description: 'Slot of the channel; null if it was not open',
    }),
    selector: nullable(Type.String(), {
      description: 'Selector of the channel; null if it is not open',
    }),
    id: Type.Integer({ minimum: 0, description: 'CAN identifier' }),
    extended: Type.Boolean(),
    fd: Type.Boolean(),
    brs: Type.Boolean(),
    data: nullable(Type.String(), {
      description:
        'The frame as it was sent, or would have been if dropped, in uppercase hex; null if none was built',
    }),
  }),
);
export type GatewayFaultEvent = RecordOf<typeof GatewayFaultEvent>;
