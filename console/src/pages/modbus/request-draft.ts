import { type DataTable, tableOfDigit } from '../../../../src/modbus/pdu/data-tables.ts';
import type { ValueType } from '../../../../src/modbus/pdu/value-types.ts';
import type { WordOrder } from '../../../../src/modbus/pdu/word-order.ts';
import { integerOf, numberOf } from '../../forms/number-text.ts';
import { holdsBits } from './register-view.ts';

export const modes = ['read', 'write', 'scan'] as const;
export type RequestMode = (typeof modes)[number];

/** A request to any endpoint, as the fields have it. */
export interface RequestDraft {
  readonly mode: RequestMode;
  /** A network of the bench, or an endpoint. */
  readonly place: string;
  readonly unit: string;
  /** To look for. */
  readonly units: string;
  readonly naming: 'address' | 'reference';
  readonly table: DataTable;
  readonly address: string;
  readonly reference: string;
  readonly count: string;
  readonly type: ValueType;
  readonly order: WordOrder;
  readonly isHex: boolean;
  readonly writes: 'values' | 'bits';
  readonly values: string;
  readonly bits: string;
  readonly multiple: boolean;
  readonly timeout: string;
  readonly retries: string;
  readonly trace: boolean;
  readonly gap: string;
  readonly late: string;
  readonly probe: '' | 'true' | 'false';
}

export const emptyRequest: RequestDraft = {
  mode: 'read',
  place: '',
  unit: '1',
  units: '',
  naming: 'address',
  table: 'holding',
  address: '0',
  reference: '',
  count: '1',
  type: 'u16',
  order: 'ABCD',
  isHex: false,
  writes: 'values',
  values: '',
  bits: '',
  multiple: false,
  timeout: '',
  retries: '',
  trace: false,
  gap: '',
  late: '',
  probe: '',
};

/**
 * Texts with blanks or semicolons between them, and a comma before the blank. A comma alone may be that of a
 * decimal number: two values must not be written where one was meant.
 */
export const textsIn = (text: string): readonly string[] =>
  text.split(/,?\s+|\s*;\s*/).filter((part) => part !== '');

/** How a place is named: by a network if the bench has one of that name. */
export const placeOf = (place: string, networks: readonly string[]): object => {
  const text = place.trim();
  if (text === '') return {};
  return networks.includes(text) || !text.includes(':') ? { network: text } : { endpoint: text };
};

/** The table that is meant; null where a reference does not tell yet, by its first digit. */
export const tableOf = ({ naming, table, reference }: RequestDraft): DataTable | null =>
  naming === 'address' ? table : (tableOfDigit(reference.trim().charAt(0)) ?? null);

const itemsOf = (draft: RequestDraft): object =>
  draft.naming === 'address'
    ? { table: draft.table, address: integerOf(draft.address) }
    : { reference: draft.reference.trim() };

/** Bits have no type but one, and that has no order. */
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

/** The body of the request that the fields make. */
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
