import { type Static, Type } from 'typebox';
import { named } from '../../base/schema/schemas.ts';

/** Maximum trace length, so that a babbling device cannot fill the response. */
export const maxWireRecords = 256;

export const WireRecord = named(
  'ModbusWireRecord',
  Type.Object({
    timestamp_us: Type.Integer({ description: 'Unix time in microseconds' }),
    direction: Type.Enum(['tx', 'rx'], { description: 'tx: sent by Busbar' }),
    data: Type.String({ description: 'Bytes in hex' }),
  }),
);
export type WireRecord = Static<typeof WireRecord>;

export const traceRecord = {
  trace: Type.Optional(
    Type.Array(WireRecord, {
      description: `Raw bytes of the request and response, if requested; at most ${maxWireRecords} pieces`,
    }),
  ),
};
