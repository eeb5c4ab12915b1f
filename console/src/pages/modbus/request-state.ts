import { signal } from '@preact/signals';
import type {
  ModbusReading,
  ModbusRegisters,
  ModbusScan,
  ModbusWriting,
} from '../../api/client.ts';
import { requestForm } from '../../forms/request-form.ts';
import { isWritable, type ValueRow } from './register-view.ts';
import { bodyOf, emptyRequest, type RequestDraft, type RequestMode } from './request-draft.ts';
import { limitOf, scanSteps } from './request-limits.ts';
import { unitsText } from './units.ts';

export const forms = {
  read: requestForm('modbus.read'),
  write: requestForm('modbus.write'),
  scan: requestForm('modbus.scan'),
} as const;

export const draft = signal<RequestDraft>(emptyRequest);

const contractFields: { readonly [Key in keyof RequestDraft]?: readonly string[] } = {
  ...{ place: ['endpoint', 'network'], unit: ['unit'], units: ['units'], count: ['count'] },
  ...{ naming: ['address', 'reference', 'table'], address: ['address'], reference: ['reference'] },
  ...{ table: ['table', 'type'], type: ['type', 'order'], order: ['order'] },
  ...{ writes: ['value', 'bit', 'type', 'order'], values: ['value'], bits: ['bit'] },
  ...{ timeout: ['timeout_ms'], retries: ['retries'], gap: ['gap_ms'], late: ['late_ms'] },
};
export const visible: readonly string[] = Object.values(contractFields).flat();

export const change = (part: Partial<RequestDraft>): void => {
  draft.value = { ...draft.peek(), ...part };
  const keys = Object.keys(part) as (keyof RequestDraft)[];
  const fields = keys.flatMap((key) => contractFields[key] ?? []);
  for (const form of Object.values(forms)) for (const field of fields) form.touch(field);
};

export type Outcome =
  | { readonly mode: 'read'; readonly answer: ModbusReading }
  | { readonly mode: 'write'; readonly answer: ModbusWriting }
  | { readonly mode: 'scan'; readonly answer: ModbusScan; readonly total: number };

export const outcome = signal<Outcome | null>(null);

export const scanning = signal<{
  readonly scanned: number;
  readonly total: number;
  readonly cancel: () => void;
} | null>(null);

/** Scans a few units per request, so that results appear early. */
export const scan = async (networks: readonly string[]): Promise<void> => {
  const asked = draft.peek();
  const steps = scanSteps(asked) ?? [null];
  const total = steps.reduce((sum, step) => sum + (step?.length ?? 0), 0);
  const leaving = new AbortController();
  const { signal: left } = leaving;
  const units: ModbusScan['units'][number][] = [];
  const silent: number[] = [];
  for (const step of steps) {
    const scanned = units.length + silent.length;
    scanning.value = { scanned, total, cancel: () => leaving.abort() };
    const part = step === null ? asked : { ...asked, units: unitsText(step) };
    const options = { limitMs: limitOf(part), signal: left };
    const answer = await forms.scan.submit({ body: bodyOf(part, networks), visible, options });
    if (!answer || left.aborted) break;
    units.push(...answer.units);
    silent.push(...answer.silent);
    outcome.value = { mode: 'scan', answer: { ...answer, units, silent }, total };
  }
  if (left.aborted) forms.scan.clear();
  scanning.value = null;
};

export const chooseMode = (mode: RequestMode): void => {
  scanning.peek()?.cancel();
  for (const form of Object.values(forms)) form.clear();
  change({ mode });
};

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
