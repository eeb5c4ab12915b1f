import { hexDigits } from '../../frame/hex-bytes.ts';
import type { EndpointRow } from '../project/tables/endpoints.ts';
import type { Transform } from '../project/tables/mappings.ts';
import type { MessageRow } from '../project/tables/messages.ts';
import type { ModbusResourceRow } from '../project/tables/modbus-resources.ts';
import type { PduRow } from '../project/tables/pdus.ts';
import type { PluginRow } from '../project/tables/plugins.ts';
import type { TxTaskRow } from '../project/tables/tx-tasks.ts';

const range = (first: number, count: number): string =>
  count === 1 ? String(first) : `${first}–${first + count - 1}`;

export const endpointDetail = (row: EndpointRow): string =>
  row.kind === 'can' ? 'CAN' : `Modbus ${row.role}, unit ${row.node}`;

export const messageDetail = ({ can_id, extended }: MessageRow): string =>
  hexDigits(can_id, extended ? 8 : 3);

export const pduDetail = ({ byte_offset, length }: PduRow): string =>
  `${length === 1 ? 'byte' : 'bytes'} ${range(byte_offset, length)}`;

export const resourceDetail = (row: ModbusResourceRow): string => {
  const bit = row.bit_offset === undefined ? '' : `.${row.bit_offset}`;
  return `${row.table} ${range(row.address, row.count ?? 1)}${bit}`;
};

const linearText = (k: number, b: number): string => {
  const factor = k === 1 ? '' : `× ${k}`;
  const summand = b === 0 ? '' : `${b < 0 ? '−' : '+'} ${Math.abs(b)}`;
  return `${factor} ${summand}`.trim() || 'identity';
};

export const transformDetail = (transform: Transform): string => {
  switch (transform.kind) {
    case 'linear':
      return linearText(transform.k, transform.b);
    case 'threshold':
      return `≥ ${transform.threshold}`;
    case 'math':
    case 'coordinate':
      return transform.function;
    case 'native':
      return transform.plugin;
    case 'identity':
      return 'identity';
  }
};

export const processorDetail = ({ trigger, period_ms }: PluginRow): string =>
  trigger === 'period' ? `every ${period_ms} ms` : 'on input';

export const taskDetail = (
  { mode, policy, period_ms }: TxTaskRow,
  messagePeriodMs: number | undefined,
): string => {
  if (mode === 'request') return 'on request';
  return policy === 'on_change' ? 'on change' : `every ${period_ms ?? messagePeriodMs} ms`;
};
