import { type Static, Type } from 'typebox';
import { counted, named, nullable } from '../base/schema/schemas.ts';
import type { KnownNode } from './j1939/address-book.ts';
import { nameFields, nameText } from './j1939/name.ts';

const whole = (description: string, maximum: number) =>
  Type.Integer({ minimum: 0, maximum, description });

export const nameField = Type.String({ description: 'NAME as 16 hex digits' });

export const J1939NodeRecord = named(
  'J1939Node',
  Type.Object({
    channel: Type.Integer({ minimum: 0, description: 'Slot of the channel' }),
    selector: Type.String(),
    address: nullable(Type.Integer({ minimum: 0, maximum: 253 }), {
      description: 'null if the node lost its address or cannot claim one',
    }),
    name: nameField,
    claim_id: nullable(Type.String(), {
      description: 'Claim of this daemon on this channel, or null',
    }),
    timestamp_us: Type.Integer({ description: 'Time of its last claim as Unix time' }),
    event_id: counted('Event of its last claim'),
    industry_group: whole('Industry group', 7),
    vehicle_system: whole('Vehicle system', 127),
    vehicle_system_instance: whole('Instance of the vehicle system', 15),
    function: whole('Function', 255),
    function_instance: whole('Instance of the function', 31),
    ecu_instance: whole('Instance of the ECU', 7),
    manufacturer: whole('Manufacturer code', 2047),
    identity: whole('Identity number', 0x1f_ffff),
    arbitrary_address: Type.Boolean({
      description: 'Whether the node can use another address after it lost one',
    }),
  }),
);
export type J1939NodeRecord = Static<typeof J1939NodeRecord>;

export const nodeRecord = (
  { channel, address, name, timestampUs, eventId }: KnownNode,
  selector: string,
): J1939NodeRecord => ({
  channel,
  selector,
  address,
  name: nameText(name),
  claim_id: null,
  timestamp_us: timestampUs,
  event_id: eventId,
  ...nameFields(name),
});
