import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { call, type ModbusServer } from '../../api/client.ts';
import { formatCount, formatRate } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { FileField } from '../../forms/file-field.tsx';
import { integerOf, numberOf } from '../../forms/number-text.ts';
import { requestForm } from '../../forms/request-form.ts';
import { Segments } from '../../forms/segments.tsx';
import { SubmitButton } from '../../forms/submit-button.tsx';
import { liveness } from '../../live/use-live.ts';
import { jsonFiles } from '../../state/project-files.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { TextField } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { unusableWhile } from '../../ui/unusable.ts';
import { nameOf, pickedServer, pickServer, rates, report, status } from './modbus-state.ts';
import { PlaceField } from './place-field.tsx';
import { networkNames } from './places.ts';
import { placeOf } from './request-draft.ts';
import { serverKey } from './request-rates.ts';

const form = requestForm('modbus.serve');

const visible = ['endpoint', 'network', 'unit', 'map', 'gap_ms'];

const empty = { place: 'tcp:127.0.0.1:1502', has: 'unit', unit: '1', map: '', gap: '' } as const;

type Draft = { readonly [Key in keyof typeof empty]: string } & { readonly has: 'unit' | 'map' };

/** What is to be served, and where. */
const ServeForm = (props: { readonly onDone: (server: ModbusServer) => void }) => {
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

const exceptionsOf = ({ exceptions }: ModbusServer): number =>
  Object.values(exceptions).reduce((sum, count) => sum + count, 0);

const rateOf = (server: ModbusServer): string => {
  const rate = rates.value.get(serverKey(server));
  return rate === undefined ? '–' : formatRate(rate);
};

const columns: readonly Column<ModbusServer>[] = [
  {
    id: 'endpoint',
    title: 'Server',
    width: 190,
    least: 140,
    grows: true,
    mono: true,
    text: nameOf,
  },
  {
    id: 'state',
    title: 'State',
    width: 88,
    text: ({ state }) => state,
    render: ({ state }) => <StateMark state={state} />,
  },
  { id: 'units', title: 'Units', width: 56, text: ({ units }) => units.join(', ') },
  {
    id: 'owner',
    title: 'Of',
    width: 110,
    least: 60,
    grows: true,
    spare: 1,
    text: ({ instance, map }) => instance ?? map ?? 'modbus serve',
  },
  {
    id: 'clients',
    title: 'Clients',
    width: 60,
    align: 'end',
    text: ({ clients }) => formatCount(clients),
  },
  {
    id: 'requests',
    title: 'Requests',
    width: 76,
    align: 'end',
    text: ({ requests }) => formatCount(requests),
  },
  { id: 'rate', title: '/s', width: 44, align: 'end', text: rateOf },
  {
    id: 'exceptions',
    title: 'Exceptions',
    width: 80,
    align: 'end',
    spare: 0,
    text: (server) => formatCount(exceptionsOf(server)),
  },
  {
    id: 'bad',
    title: 'Bad frames',
    width: 80,
    align: 'end',
    spare: 2,
    text: ({ bad_frames }) => formatCount(bad_frames),
  },
];

/** Ends the picked server; one of a gateway instance ends with that. */
const StopControl = ({ server }: { readonly server: ModbusServer }) => {
  const name = nameOf(server);
  const stop = useMemo(() => act(() => call('modbus.stop', { endpoint: name })), [name]);
  return (
    <>
      <button
        type="button"
        data-testid="modbus-stop"
        {...unusableWhile(stop.isBusy.value || server.instance !== null)}
        title={
          server.instance === null
            ? `Stop ${name}`
            : `It belongs to the gateway instance ${server.instance}, and ends with it`
        }
        onClick={() => void stop.run()}
      >
        Stop
      </button>
      <ErrorNotice error={stop.error.value} testId="modbus-stop-error" />
    </>
  );
};

/** Servers of this daemon; what the picked one holds stands below. */
export const ServersPanel = () => {
  const isServing = useSignal(false);
  const servers = status.value?.servers ?? [];
  const picked = pickedServer.value;
  return (
    <Panel
      title="Servers"
      testId="modbus-servers"
      class="servers"
      freshness={liveness(report)}
      header={
        <>
          <span class="grow" />
          {picked && <StopControl server={picked} />}
          <button
            type="button"
            aria-pressed={isServing.value}
            data-testid="modbus-serve"
            onClick={() => {
              isServing.value = !isServing.value;
            }}
          >
            Serve…
          </button>
        </>
      }
    >
      <ErrorNotice error={report.error.value} tone="warn" testId="modbus-error" />
      {isServing.value && (
        <ServeForm
          onDone={(server) => {
            isServing.value = false;
            pickServer(nameOf(server));
          }}
        />
      )}
      <DataTable<ModbusServer>
        id="modbus-servers"
        label="Modbus servers"
        testId="modbus-server-table"
        columns={columns}
        count={servers.length}
        rowAt={(index) => servers[index] as ModbusServer}
        keyOf={serverKey}
        selected={(server) => server === picked}
        onSelect={(server) => pickServer(nameOf(server))}
        rowAttributes={(server) => ({ 'data-server': nameOf(server) })}
        empty={
          status.value
            ? 'No server runs. Serve registers, or start a gateway instance with a Modbus server.'
            : 'They are shown as soon as the service answers.'
        }
      />
    </Panel>
  );
};
