import { useSignal } from '@preact/signals';
import type { ModbusServer } from '../../api/schema.ts';
import { FileField } from '../../forms/file-field.tsx';
import { integerOf, numberOf } from '../../forms/number-text.ts';
import { requestForm } from '../../forms/request-form.ts';
import { Segments } from '../../forms/segments.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { jsonFiles } from '../../state/project-files.ts';
import { TextField } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { PlaceField } from './place-field.tsx';
import { networkNames } from './places.ts';
import { placeOf } from './request-draft.ts';

const form = requestForm('modbus.serve');
const visible = ['endpoint', 'network', 'unit', 'map', 'gap_ms'];
const empty = { place: 'tcp:127.0.0.1:1502', has: 'unit', unit: '1', map: '', gap: '' } as const;
type Draft = { readonly [Key in keyof typeof empty]: string } & { readonly has: 'unit' | 'map' };

/** What is to be served, and where. */
export const ServeForm = (props: { readonly onDone: (server: ModbusServer) => void }) => {
  const draft = useSignal<Draft>(empty);
  const { place, has, unit, map, gap } = draft.value;
  const change = (part: Partial<Draft>, ...fields: string[]): void => {
    draft.value = { ...draft.value, ...part };
    for (const field of fields) form.touch(field);
  };
  const submit = async (event: Event): Promise<void> => {
    event.preventDefault();
    const content = has === 'unit' ? { unit: integerOf(unit) } : { map: map.trim() };
    const body = { ...placeOf(place, networkNames()), ...content, gap_ms: numberOf(gap) };
    const server = await form.submit({ body, visible });
    if (server) props.onDone(server);
  };
  return (
    <form class="line-form" noValidate onSubmit={submit} data-testid="modbus-serve-form">
      <div class="fields">
        <PlaceField
          label="Listen at"
          value={place}
          onInput={(text) => change({ place: text }, 'endpoint', 'network')}
          error={form.problemOf('endpoint') ?? form.problemOf('network')}
          testId="modbus-serve-place"
        />
        {has === 'unit' ? (
          <TextField
            label="Unit"
            value={unit}
            onInput={(text) => change({ unit: text }, 'unit')}
            error={form.problemOf('unit')}
            testId="modbus-serve-unit"
          />
        ) : (
          <FileField
            label="Map"
            value={map}
            onInput={(text) => change({ map: text }, 'map')}
            files={jsonFiles}
            error={form.problemOf('map')}
            placeholder="flow-meter.map.json"
            testId="modbus-serve-map"
          />
        )}
        <TextField
          label="Gap (ms)"
          value={gap}
          onInput={(text) => change({ gap: text }, 'gap_ms')}
          error={form.problemOf('gap_ms')}
          placeholder="serial lines"
          testId="modbus-serve-gap"
        />
      </div>
      <div class="actions">
        <Segments
          label="What it has"
          value={has}
          choices={[
            { value: 'unit', label: 'All of one unit' },
            { value: 'map', label: 'What a map says' },
          ]}
          onChange={(value) => change({ has: value }, 'unit', 'map')}
          testId="modbus-serve-has"
        />
        <SubmitButton form={form} testId="modbus-serve-submit">
          Serve
        </SubmitButton>
      </div>
      <ErrorNotice error={form.error.value} testId="modbus-serve-error" />
    </form>
  );
};
