import { Type } from 'typebox';
import { nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { dataTables } from '../pdu/data-tables.ts';
import { valueTypes } from '../pdu/value-types.ts';
import { wordOrders } from '../pdu/word-order.ts';

export const TargetRecord = Type.Object({
  network: nullable(Type.String(), { description: 'Network, if one was given' }),
  endpoint: Type.String({ description: 'Endpoint as given, or that of the network' }),
});
export type TargetRecord = RecordOf<typeof TargetRecord>;

export const ItemRecord = Type.Object({
  ...TargetRecord.properties,
  unit: Type.Integer(),
  table: Type.Enum([...dataTables]),
  address: Type.Integer({ minimum: 0, description: 'Zero-based address of the first item' }),
  reference: Type.String({ description: 'One-based reference of the first item' }),
  type: Type.Enum([...valueTypes]),
  order: Type.Enum([...wordOrders]),
});
export type ItemRecord = RecordOf<typeof ItemRecord>;
