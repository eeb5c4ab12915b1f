import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { call, type ModbusServer } from '../../api/client.ts';
import { act } from '../../forms/act.ts';
import { FileField } from '../../forms/controls.tsx';
import { FormView } from '../../forms/schema-fields.tsx';
import { schemaForm } from '../../forms/schema-form.ts';
import { liveness } from '../../live/use-live.ts';
import { jsonFiles } from '../../state/project-files.ts';
import { ToggleButton, unusableWhile } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { states } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import {
  nameOf,
  pickedServer,
  pickServer,
  rateText,
  report,
  serverKey,
  status,
} from './modbus-state.ts';
import { placeOf } from './request-draft.ts';
import { networkNames, PlaceField } from './request-fields.tsx';

const form = schemaForm(
  'modbus.serve',
  { place: 'tcp:127.0.0.1:1502', unit: '1', map: '', gap_ms: '', has: 'unit' as 'unit' | 'map' },
  [
    {
      key: 'place',
      field: 'endpoint',
      label: 'Listen on',
      class: 'pair',
      testId: 'modbus-serve-place',
      read: () => undefined,
      render: PlaceField,
    },
    {
      key: 'unit',
      label: 'Unit ID',
      isShown: ({ has }) => has === 'unit',
      testId: 'modbus-serve-unit',
    },
    {
      key: 'map',
      label: 'Map file',
      placeholder: 'flow-meter.map.json',
      isShown: ({ has }) => has === 'map',
      testId: 'modbus-serve-map',
      render: (control) => <FileField {...control} files={jsonFiles} />,
    },
    {
      key: 'gap_ms',
      label: 'Max frame gap',
      placeholder: 'serial only',
      testId: 'modbus-serve-gap',
    },
    {
      key: 'has',
      label: 'Registers',
      isAction: true,
      testId: 'modbus-serve-has',
      read: () => undefined,
      isSegmented: true,
      choices: [
        { value: 'unit', label: 'All of one unit ID' },
        { value: 'map', label: 'From a map file' },
      ],
    },
  ],
);

const ServeForm = ({ onDone }: { readonly onDone: (server: ModbusServer) => void }) => (
  <FormView
    form={form}
    name="modbus-serve"
    submitId="modbus-serve-submit"
    submitText="Start server"
    onSubmit={async () => {
      const { place, has, map } = form.draft.peek();
      const body = {
        ...placeOf(place, networkNames()),
        ...form.body(),
        ...(has === 'map' ? { map: map.trim() } : {}),
      };
      const visible = ['endpoint', 'network', 'unit', 'map', 'gap_ms'];
      const server = await form.submit({ body, visible });
      if (server) onDone(server);
    }}
  />
);

const exceptionsOf = ({ exceptions }: ModbusServer): number =>
  Object.values(exceptions).reduce((sum, count) => sum + count, 0);

const columns: readonly Column<ModbusServer>[] = [
  column('endpoint', 'Server', 190, nameOf, { least: 140, grows: true, mono: true }),
  states('state', 'State', 88, ({ state }) => state),
  column('units', 'Unit IDs', 56, ({ units }) => units.join(', ')),
  column('owner', 'Owner', 110, ({ instance, map }) => instance ?? map ?? 'modbus serve', {
    least: 60,
    grows: true,
    spare: 1,
  }),
  numbers('clients', 'Clients', 60, ({ clients }) => clients),
  numbers('requests', 'Requests', 76, ({ requests }) => requests),
  numbers('rate', 'Req/s', 44, (server) => rateText(serverKey(server))),
  numbers('exceptions', 'Exceptions', 80, exceptionsOf, { spare: 0 }),
  numbers('bad', 'Invalid frames', 80, ({ bad_frames }) => bad_frames, { spare: 2 }),
];

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
            : `Owned by gateway instance ${server.instance}; stops with the instance`
        }
        onClick={() => void stop.run()}
      >
        Stop
      </button>
      <ErrorNotice error={stop.error.value} testId="modbus-stop-error" />
    </>
  );
};

export const ServersPanel = () => {
  const isServing = useSignal(false);
  const servers = status.value?.servers ?? [];
  const picked = pickedServer.value;
  return (
    <ListPanel<ModbusServer>
      name="modbus-servers"
      title="Servers"
      label="Modbus servers"
      class="servers"
      freshness={liveness(report)}
      columns={columns}
      rows={servers}
      keyOf={serverKey}
      selected={(server) => server === picked}
      onSelect={(server) => pickServer(nameOf(server))}
      rowAttributes={(server) => ({ 'data-server': nameOf(server) })}
      empty={
        status.value
          ? 'No servers. Start one here, or start a gateway instance with a Modbus server.'
          : 'Loading…'
      }
      actions={
        <>
          {picked && <StopControl server={picked} />}
          <ToggleButton isOn={isServing} testId="modbus-serve">
            Start server…
          </ToggleButton>
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
    </ListPanel>
  );
};
