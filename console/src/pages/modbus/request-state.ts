import { signal } from '@preact/signals';
import type {
  ModbusReading,
  ModbusRegisters,
  ModbusScan,
  ModbusWriting,
} from '../../api/schema.ts';
import { requestForm } from '../../forms/request-form.ts';
import { isWritable, type ValueRow } from './register-view.ts';
import { emptyRequest, type RequestDraft, type RequestMode } from './request-draft.ts';

export const forms = {
  read: requestForm('modbus.read'),
  write: requestForm('modbus.write'),
  scan: requestForm('modbus.scan'),
} as const;

export const draft = signal<RequestDraft>(emptyRequest);

export const change = (part: Partial<RequestDraft>, ...fields: readonly string[]): void => {
  draft.value = { ...draft.peek(), ...part };
  for (const form of Object.values(forms)) for (const field of fields) form.touch(field);
};

/** What came of the last request. */
export type Outcome =
  | { readonly mode: 'read'; readonly answer: ModbusReading }
  | { readonly mode: 'write'; readonly answer: ModbusWriting }
  | { readonly mode: 'scan'; readonly answer: ModbusScan };

export const outcome = signal<Outcome | null>(null);

export const chooseMode = (mode: RequestMode): void => {
  for (const form of Object.values(forms)) form.clear();
  change({ mode });
};

/** Fills the fields with a value of a server, to be written if that can be. */
export const prepareRequest = (
  { endpoint, unit, table, type, order }: ModbusRegisters,
  { address, value }: ValueRow,
): void => {
  chooseMode(isWritable(table) ? 'write' : 'read');
  change({
    place: endpoint,
    unit: String(unit),
    naming: 'address',
    table,
    address: String(address),
    type,
    order,
    writes: 'values',
    values: value ?? '',
  });
};
