import { dataTables } from '../../../../src/modbus/pdu/data-tables.ts';
import { valueTypes } from '../../../../src/modbus/pdu/value-types.ts';
import { wordOrders } from '../../../../src/modbus/pdu/word-order.ts';
import { Segments } from '../../forms/segments.tsx';
import { CheckField, SelectField, TextField } from '../../ui/fields.tsx';
import { PlaceField } from './place-field.tsx';
import { holdsBits } from './register-view.ts';
import { type RequestDraft, tableOf } from './request-draft.ts';
import { change, draft, type forms } from './request-state.ts';

/** The form of the mode that is chosen. */
interface FieldsProps {
  readonly form: Pick<(typeof forms)['read'], 'problemOf'>;
}

type TextKey = {
  [Key in keyof RequestDraft]: RequestDraft[Key] extends string ? Key : never;
}[keyof RequestDraft];

interface DraftFieldProps extends FieldsProps {
  readonly name: TextKey;
  readonly label: string;
  /** What the contract calls it. */
  readonly field: string;
  readonly placeholder?: string;
}

/** A field whose text is part of the draft. */
const DraftField = ({ form, name, label, field, placeholder = '' }: DraftFieldProps) => (
  <TextField
    label={label}
    value={draft.value[name]}
    onInput={(text) => change({ [name]: text }, field)}
    error={form.problemOf(field)}
    placeholder={placeholder}
    testId={`modbus-${name}`}
  />
);

/** Whom to ask. */
export const TargetFields = ({ form }: FieldsProps) => (
  <div class="fields">
    <PlaceField
      label="Network or endpoint"
      value={draft.value.place}
      onInput={(text) => change({ place: text }, 'endpoint', 'network')}
      error={form.problemOf('endpoint') ?? form.problemOf('network')}
      testId="modbus-endpoint"
    />
    {draft.value.mode === 'scan' ? (
      <DraftField form={form} name="units" label="Units" field="units" placeholder="1-247" />
    ) : (
      <DraftField form={form} name="unit" label="Unit" field="unit" />
    )}
  </div>
);

const TypeFields = ({ form }: FieldsProps) => {
  const { type, order, isHex } = draft.value;
  return (
    <>
      <SelectField
        label="Type"
        value={type}
        choices={valueTypes.map((value) => ({ value, label: value }))}
        onChange={(value) => change({ type: value as typeof type }, 'type', 'order')}
        error={form.problemOf('type')}
        testId="modbus-type"
      />
      {type !== 'bool' && (
        <SelectField
          label="Order"
          value={order}
          choices={wordOrders.map((value) => ({ value, label: value }))}
          onChange={(value) => change({ order: value as typeof order }, 'order')}
          error={form.problemOf('order')}
          testId="modbus-order"
        />
      )}
      <CheckField
        label="Hex"
        checked={isHex}
        onChange={(checked) => change({ isHex: checked })}
        testId="modbus-hex"
      />
    </>
  );
};

/** What to ask for. */
export const ItemFields = ({ form }: FieldsProps) => {
  const { mode, naming, table, writes } = draft.value;
  const meant = tableOf(draft.value);
  const hasType =
    mode !== 'scan' &&
    !(meant !== null && holdsBits(meant)) &&
    !(mode === 'write' && writes === 'bits');
  return (
    <div class="fields">
      <Segments
        label="Named by"
        value={naming}
        choices={[
          { value: 'address', label: 'Address' },
          { value: 'reference', label: 'Reference' },
        ]}
        onChange={(value) => change({ naming: value }, 'address', 'reference', 'table')}
        testId="modbus-naming"
      />
      {naming === 'address' ? (
        <>
          <SelectField
            label="Table"
            value={table}
            choices={dataTables.map((value) => ({ value, label: value }))}
            onChange={(value) => change({ table: value as typeof table }, 'table', 'type')}
            error={form.problemOf('table')}
            testId="modbus-table"
          />
          <DraftField form={form} name="address" label="Address" field="address" />
        </>
      ) : (
        <DraftField
          form={form}
          name="reference"
          label="Reference"
          field="reference"
          placeholder="40001"
        />
      )}
      {mode === 'read' && <DraftField form={form} name="count" label="Values" field="count" />}
      {hasType && <TypeFields form={form} />}
    </div>
  );
};

/** What to write. */
export const PayloadFields = ({ form }: FieldsProps) => {
  const { writes, multiple } = draft.value;
  return (
    <div class="fields">
      <Segments
        label="What is written"
        value={writes}
        choices={[
          { value: 'values', label: 'Values' },
          { value: 'bits', label: 'Single bits' },
        ]}
        onChange={(value) => change({ writes: value }, 'value', 'bit', 'type', 'order')}
        testId="modbus-writes"
      />
      <div class="pair">
        {writes === 'values' ? (
          <DraftField
            form={form}
            name="values"
            label="Values"
            field="value"
            placeholder="42 0x1F"
          />
        ) : (
          <DraftField form={form} name="bits" label="Bits" field="bit" placeholder="3=1 4=0" />
        )}
      </div>
      <CheckField
        label="With the function for several"
        checked={multiple}
        onChange={(checked) => change({ multiple: checked })}
        testId="modbus-multiple"
      />
    </div>
  );
};

/** How long to wait, how often to try, and what holds on serial lines. */
export const LineFields = ({ form }: FieldsProps) => {
  const { mode, trace, probe } = draft.value;
  return (
    <details data-testid="modbus-line">
      <summary>Time-out, retries, bytes on the line</summary>
      <div class="fields">
        <DraftField
          form={form}
          name="timeout"
          label="Time-out (ms)"
          field="timeout_ms"
          placeholder={mode === 'scan' ? '200' : '1000'}
        />
        {mode !== 'scan' && (
          <DraftField form={form} name="retries" label="Retries" field="retries" placeholder="0" />
        )}
        <DraftField form={form} name="gap" label="Gap (ms)" field="gap_ms" placeholder="serial" />
        <DraftField
          form={form}
          name="late"
          label="Late units (ms)"
          field="late_ms"
          placeholder="serial"
        />
        <SelectField
          label="Probe late units"
          value={probe}
          choices={[
            { value: '', label: 'as usual' },
            { value: 'true', label: 'yes' },
            { value: 'false', label: 'no' },
          ]}
          onChange={(value) => change({ probe: value as typeof probe })}
          testId="modbus-probe"
        />
        <CheckField
          label="Show the bytes"
          checked={trace}
          onChange={(checked) => change({ trace: checked })}
          testId="modbus-trace"
        />
      </div>
    </details>
  );
};
