import { type Static, Type } from 'typebox';
import { dataTables } from '../../pdu/data-tables.ts';
import { addressSpace } from '../../pdu/function-codes.ts';
import { valueTypes } from '../../pdu/value-types.ts';
import { wordOrders } from '../../pdu/word-order.ts';

const closed = { additionalProperties: false } as const;

export const maxEntries = 4096;
export const maxDelayMs = 60_000;

export const accessModes = ['read', 'read_write'] as const;

const name = Type.Optional(Type.String({ maxLength: 200 }));

/** An integer or hex text, checked by the parser. */
const hexOrInteger = Type.Optional(Type.Unknown());

const place = { address: hexOrInteger, reference: Type.Optional(Type.String()) };

const Range = Type.Object(
  {
    name,
    ...place,
    count: hexOrInteger,
    type: Type.Optional(Type.Enum([...valueTypes])),
    order: Type.Optional(Type.Enum([...wordOrders])),
    values: Type.Optional(Type.Array(Type.Unknown(), { maxItems: addressSpace })),
    access: Type.Optional(Type.Enum([...accessModes])),
  },
  closed,
);

const Fault = Type.Object(
  {
    name,
    functions: Type.Optional(Type.Array(Type.Unknown(), { minItems: 1, maxItems: 127 })),
    table: Type.Optional(Type.Enum([...dataTables])),
    ...place,
    count: hexOrInteger,
    silent: Type.Optional(Type.Boolean()),
    delay_ms: Type.Optional(Type.Integer({ minimum: 1, maximum: maxDelayMs })),
    exception: Type.Optional(Type.Unknown()),
  },
  closed,
);

const ranges = Type.Optional(Type.Array(Range, { maxItems: maxEntries }));

const Unit = Type.Object(
  {
    name,
    unit: Type.Unknown(),
    coil: ranges,
    discrete: ranges,
    input: ranges,
    holding: ranges,
    faults: Type.Optional(Type.Array(Fault, { maxItems: maxEntries })),
  },
  closed,
);

/** File of `modbus serve --map`. */
export const MapFile = Type.Object(
  { name, units: Type.Array(Unit, { minItems: 1, maxItems: 256 }) },
  closed,
);

export type MapFile = Static<typeof MapFile>;
export type FileUnit = Static<typeof Unit>;
export type FileRange = Static<typeof Range>;
export type FileFault = Static<typeof Fault>;
