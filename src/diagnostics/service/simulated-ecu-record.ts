import { type Static, Type } from 'typebox';
import { counted, named, nullable } from '../../base/schema/schemas.ts';
import { LinkSettings } from '../../pdu/isotp/link-settings.ts';
import { createdAtField, SelectedChannel } from '../../transmit/record-fields.ts';
import { ecuFaultKinds } from '../ecu-model.ts';

export const SimulatedEcu = named(
  'SimulatedEcu',
  Type.Object({
    ecu_id: Type.String(),
    ...SelectedChannel.properties,
    ecu: nullable(Type.String(), {
      description: 'ECU of the bench file whose identifiers it has; null if they were given',
    }),
    file: Type.String({ description: 'File that describes it, or built-in' }),
    settings: LinkSettings,
    session: counted('Diagnostic session; 1 is the default session'),
    security_level: counted('Unlocked security level; 0 is locked'),
    counters: Type.Object({
      requests: counted('Requests received'),
      responses: counted('Responses sent, with 0x78'),
      negative: counted('Negative responses among them, with 0x78'),
      abandoned: counted('Responses that were not sent to the end'),
    }),
    faults: Type.Array(
      Type.Object({
        kind: Type.Enum([...ecuFaultKinds]),
        frame: counted('Frame of the response, from 1'),
        left: nullable(counted('Responses that it still affects'), {
          description: 'Responses that it still affects; null for all',
        }),
      }),
      { description: 'Faults of the file' },
    ),
    created_at_us: createdAtField,
  }),
);
export type SimulatedEcu = Static<typeof SimulatedEcu>;
