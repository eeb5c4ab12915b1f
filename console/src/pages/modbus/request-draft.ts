import { type DataTable, tableOfDigit } from '../../../../src/modbus/pdu/data-tables.ts';
import type { ValueType } from '../../../../src/modbus/pdu/value-types.ts';
import type { WordOrder } from '../../../../src/modbus/pdu/word-order.ts';
import { integerOf, numberOf } from '../../forms/number-text.ts';
import { holdsBits } from './register-view.ts';

export const modes = ['read', 'write', 'scan'] as const;
export type RequestMode = (typeof modes)[number];

export const emptyRequest = {
  mode: 'read' as RequestMode,
  place: '',
  unit: '1',
  units: '',
  naming: 'address' as 'address' | 'reference',
  table: 'holding' as DataTable,
  address: '0',
  reference: '',
  count: '1',
  type: 'u16' as ValueType,
  order: 'ABCD' as WordOrder,
  isHex: false,
  writes: 'values' as 'values' | 'bits',
  values: '',
  bits: '',
  multiple: false,
  timeout: '',
  retries: '',
  trace: false,
  gap: '',
  late: '',
  probe: '' as '' | 'true' | 'false',
};

export type RequestDraft = Readonly<typeof emptyRequest>;

/**
 * Splits at blanks or semicolons, with an optional comma before a blank. A comma alone can be a
 * decimal comma: it must not split a value.
 */
export const textsIn = (text: string): readonly string[] =>
  text.split(/,?\s+|\s*;\s*/).filter((part) => part !== '');

/** A name that the bench does not define is an endpoint. */
export const placeOf = (place: string, networks: readonly string[]): object => {
  const text = place.trim();
  if (text === '') return {};
  return networks.includes(text) || !text.includes(':') ? { network: text } : { endpoint: text };
};

export const tableOf = ({ naming, table, reference }: RequestDraft): DataTable | null =>
  naming === 'address' ? table : (tableOfDigit(reference.trim().charAt(0)) ?? null);

const itemsOf = (draft: RequestDraft): object =>
  draft.naming === 'address'
    ? { table: draft.table, address: integerOf(draft.address) }
    : { reference: draft.reference.trim() };

const typeOf = (draft: RequestDraft): object => {
  const table = tableOf(draft);
  if (table !== null && holdsBits(table)) return {};
  return { type: draft.type, ...(draft.type === 'bool' ? {} : { order: draft.order }) };
};

const lineOf = ({ gap, late, probe }: RequestDraft): object => ({
  gap_ms: numberOf(gap),
  late_ms: numberOf(late),
  ...(probe === '' ? {} : { probe: probe === 'true' }),
});

const payloadOf = (draft: RequestDraft): object =>
  draft.writes === 'bits'
    ? { bit: textsIn(draft.bits) }
    : { ...typeOf(draft), value: textsIn(draft.values) };

export const bodyOf = (draft: RequestDraft, networks: readonly string[]): object => {
  const common = {
    ...placeOf(draft.place, networks),
    timeout_ms: numberOf(draft.timeout),
    ...lineOf(draft),
    ...(draft.trace ? { trace: true } : {}),
  };
  if (draft.mode === 'scan') {
    const units = draft.units.replaceAll(/\s/g, '');
    return { ...common, ...(units === '' ? {} : { units }), ...itemsOf(draft) };
  }
  const single = {
    ...common,
    unit: integerOf(draft.unit),
    ...itemsOf(draft),
    retries: numberOf(draft.retries),
    ...(draft.isHex ? { show: 'hex' } : {}),
  };
  return draft.mode === 'read'
    ? { ...single, ...typeOf(draft), count: integerOf(draft.count) }
    : { ...single, ...payloadOf(draft), ...(draft.multiple ? { multiple: true } : {}) };
};
