import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { call } from '../../api/client.ts';
import type { ModbusServer } from '../../api/schema.ts';
import { formatCount, formatRate } from '../../format/figures.ts';
import { act } from '../../forms/act.ts';
import { liveness } from '../../live/use-live.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { unusableWhile } from '../../ui/unusable.ts';
import { nameOf, pickedServer, pickServer, rates, report, status } from './modbus-state.ts';
import { serverKey } from './request-rates.ts';
import { ServeForm } from './serve-form.tsx';

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
  const stop = useMemo(() => act(() => call('modbus.stop', { body: { endpoint: name } })), [name]);
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
