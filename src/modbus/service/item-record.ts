import { Type } from 'typebox';
import { nullable, type RecordOf } from '../../base/schema/schemas.ts';
import { dataTables } from '../pdu/data-tables.ts';
import { valueTypes } from '../pdu/value-types.ts';
import { wordOrders } from '../pdu/word-order.ts';

export const TargetRecord = Type.Object({
  network: nullable(Type.String(), { description: 'The network, where one was named' }),
  endpoint: Type.String({ description: 'The endpoint as it was given, or that of the network' }),
});
export type TargetRecord = RecordOf<typeof TargetRecord>;

/** Items of a unit in records, named in both ways. */
export const ItemRecord = Type.Object({
  ...TargetRecord.properties,
  unit: Type.Integer(),
  table: Type.Enum([...dataTables]),
  address: Type.Integer({ minimum: 0, description: 'Of the first item, counted from 0' }),
  reference: Type.String({ description: 'The same, counted from 1' }),
  type: Type.Enum([...valueTypes]),
  order: Type.Enum([...wordOrders]),
});
export type ItemRecord = RecordOf<typeof ItemRecord>;
