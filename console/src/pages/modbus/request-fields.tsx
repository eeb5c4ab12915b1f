import { valueTypes } from '../../../../src/modbus/pdu/value-types.ts';
import { wordOrders } from '../../../../src/modbus/pdu/word-order.ts';
import type { Bench } from '../../api/client.ts';
import { SchemaFields, SuggestedField } from '../../forms/schema-fields.tsx';
import type { Control, FieldLayout } from '../../forms/schema-form.ts';
import { bench } from '../../state/bench.ts';
import { nameOf, status } from './modbus-state.ts';
import { holdsBits, tableChoices } from './register-view.ts';
import { type RequestDraft, tableOf } from './request-draft.ts';
import { change, draft, forms } from './request-state.ts';

const isModbus = (network: Bench['networks'][string]): boolean => !('channel' in network);

export const networkNames = (): readonly string[] =>
  Object.entries(bench.data.value?.networks ?? {})
    .filter(([, network]) => isModbus(network))
    .map(([name]) => name);

export const knownPlaces = (): readonly string[] => [
  ...new Set([
    ...networkNames(),
    ...(status.value?.servers ?? []).map(nameOf),
    ...(status.value?.sessions ?? []).map(({ endpoint }) => endpoint),
  ]),
];

export const PlaceField = ({ error, problemOf, ...control }: Control<string>) => (
  <SuggestedField
    {...control}
    error={error ?? problemOf('network')}
    placeholder="plc, tcp:10.0.0.5:502, rtu:/dev/ttyUSB0"
    suggestions={knownPlaces()}
  />
);

type Layout = readonly FieldLayout<RequestDraft>[];
type Test = (draft: RequestDraft) => boolean;

const isScan: Test = ({ mode }) => mode === 'scan';
const isSingle: Test = ({ mode }) => mode !== 'scan';
const isByAddress: Test = ({ naming }) => naming === 'address';
const writesBits: Test = ({ writes }) => writes === 'bits';

const hasType: Test = (request) => {
  const table = tableOf(request);
  if (isScan(request) || (table !== null && holdsBits(table))) return false;
  return !(request.mode === 'write' && writesBits(request));
};

const target: Layout = [
  {
    key: 'place',
    field: 'endpoint',
    label: 'Network or endpoint',
    class: 'pair',
    testId: 'modbus-endpoint',
    render: PlaceField,
  },
  {
    key: 'units',
    label: 'Unit IDs',
    placeholder: '1-247',
    isShown: isScan,
    testId: 'modbus-units',
  },
  { key: 'unit', label: 'Unit ID', placeholder: '', isShown: isSingle, testId: 'modbus-unit' },
];

const items: Layout = [
  {
    key: 'naming',
    label: 'Addressing',
    testId: 'modbus-naming',
    isSegmented: true,
    choices: [
      { value: 'address', label: 'Address' },
      { value: 'reference', label: 'Reference' },
    ],
  },
  {
    key: 'table',
    label: 'Table',
    class: 'pair',
    choices: tableChoices,
    isShown: isByAddress,
    testId: 'modbus-table',
  },
  {
    key: 'address',
    label: 'Address',
    placeholder: '',
    isShown: isByAddress,
    testId: 'modbus-address',
  },
  {
    key: 'reference',
    label: 'Reference',
    placeholder: '40001',
    isShown: (request) => !isByAddress(request),
    testId: 'modbus-reference',
  },
  {
    key: 'count',
    label: 'Count',
    placeholder: '',
    isShown: ({ mode }) => mode === 'read',
    testId: 'modbus-count',
  },
  { key: 'type', label: 'Type', choices: valueTypes, isShown: hasType, testId: 'modbus-type' },
  {
    key: 'order',
    label: 'Word order',
    choices: wordOrders,
    isShown: (request) => hasType(request) && request.type !== 'bool',
    testId: 'modbus-order',
  },
  { key: 'isHex', label: 'Hex', isShown: hasType, testId: 'modbus-hex' },
];

const payload: Layout = [
  {
    key: 'writes',
    label: 'Data to write',
    testId: 'modbus-writes',
    isSegmented: true,
    choices: [
      { value: 'values', label: 'Values' },
      { value: 'bits', label: 'Register bits' },
    ],
  },
  {
    key: 'values',
    field: 'value',
    label: 'Values',
    class: 'pair',
    placeholder: '42 0x1F',
    isShown: (request) => !writesBits(request),
    testId: 'modbus-values',
  },
  {
    key: 'bits',
    field: 'bit',
    label: 'Bits',
    class: 'pair',
    placeholder: '3=1 4=0',
    isShown: writesBits,
    testId: 'modbus-bits',
  },
  { key: 'multiple', label: 'Use FC 15/16', testId: 'modbus-multiple' },
];

const line: Layout = [
  { key: 'timeout', field: 'timeout_ms', label: 'Timeout', testId: 'modbus-timeout' },
  { key: 'retries', label: 'Retries', isShown: isSingle, testId: 'modbus-retries' },
  {
    key: 'gap',
    field: 'gap_ms',
    label: 'Max frame gap',
    placeholder: 'serial only',
    testId: 'modbus-gap',
  },
  {
    key: 'late',
    field: 'late_ms',
    label: 'Late back-off',
    placeholder: 'serial only',
    testId: 'modbus-late',
  },
  {
    key: 'probe',
    label: 'Probe after timeout',
    none: 'Default',
    choices: [
      { value: 'true', label: 'Yes' },
      { value: 'false', label: 'No' },
    ],
    testId: 'modbus-probe',
  },
  { key: 'trace', label: 'Show raw bytes', testId: 'modbus-trace' },
];

const Group = ({ layout }: { readonly layout: Layout }) => {
  const { mode } = draft.value;
  const { problemOf } = forms[mode];
  return (
    <div class="fields">
      <SchemaFields form={{ id: `modbus.${mode}`, draft, layout, change, problemOf }} />
    </div>
  );
};

export const RequestFields = () => (
  <>
    <Group layout={target} />
    <Group layout={items} />
    {draft.value.mode === 'write' && <Group layout={payload} />}
    <details data-testid="modbus-line">
      <summary>Timeout, retries, raw bytes</summary>
      <Group layout={line} />
    </details>
  </>
);
