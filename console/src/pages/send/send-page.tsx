import './send.css';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import { call, type Route } from '../../api/client.ts';
import { formatCount, formatTime } from '../../format/figures.ts';
import { bench, catalogs, channels, databases, openApi } from '../../state/bench.ts';
import { type Command, offerCommands } from '../../state/commands.ts';
import { goTo } from '../../state/pages.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { unusableWhile } from '../../ui/fields.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { channelName, outcomeColumns, removeColumn, useRemoval } from './listed-columns.tsx';
import { RouteForm } from './route-form.tsx';
import { editAgain, resendForm, sendAgain, submit } from './send-actions.ts';
import { SendPanel } from './send-panel.tsx';
import { isAdvanced, mode, routes, source } from './send-state.ts';
import { forgetSent, type SentFrame, sentHistory } from './sent-history.ts';
import { TasksPanel } from './tasks-panel.tsx';

const digits = ({ source: { extended } }: Route): number => (extended ? 8 : 3);

const columnsWith = (
  listed: readonly Route[],
  remove: (route: Route) => void,
): readonly Column<Route>[] => [
  {
    id: 'source',
    title: 'From',
    width: 116,
    least: 84,
    grows: true,
    text: ({ source }) => channelName(source),
  },
  {
    id: 'id',
    title: 'Id',
    width: 76,
    grows: true,
    mono: true,
    text: (route) => hexDigits(route.source.id, digits(route)),
  },
  {
    id: 'mask',
    title: 'Mask',
    width: 76,
    spare: 0,
    grows: true,
    mono: true,
    text: (route) => hexDigits(route.source.mask, digits(route)),
  },
  {
    id: 'target',
    title: 'To',
    width: 116,
    least: 84,
    grows: true,
    text: ({ target }) => channelName(target),
  },
  {
    id: 'as',
    title: 'As',
    width: 76,
    grows: true,
    mono: true,
    text: (route) =>
      route.target.id === null ? 'same' : hexDigits(route.target.id, digits(route)),
  },
  {
    id: 'matched',
    title: 'Matched',
    width: 76,
    spare: -1,
    align: 'end',
    text: ({ matched }) => formatCount(matched),
  },
  { id: 'sent', title: 'Sent', width: 72, align: 'end', text: ({ sent }) => formatCount(sent) },
  {
    id: 'failed',
    title: 'Failed',
    width: 60,
    align: 'end',
    text: ({ failed }) => formatCount(failed),
  },
  ...outcomeColumns(listed),
  removeColumn(({ route_id }) => route_id, remove),
];

const RoutesPanel = () => {
  const { data, error } = useResource(routes, 'send');
  const { failure, remove } = useRemoval(
    ({ route_id }: Route) => call('route.remove', { route_id }),
    routes.refresh,
  );
  const list = data.value?.routes ?? [];
  return (
    <Panel
      title="Routes"
      testId="routes"
      freshness={freshness(routes)}
      header={<span class="aside">{list.length}</span>}
    >
      <RouteForm />
      <ErrorNotice error={failure.value ?? error.value} testId="routes-error" />
      <DataTable
        id="routes"
        label="Routes"
        columns={columnsWith(list, (route) => void remove(route))}
        rows={list}
        keyOf={({ route_id }) => route_id}
        rowAttributes={({ route_id }) => ({ 'data-route': route_id })}
        empty="No frames are passed on. Choose two channels and an identifier above."
        testId="routes-table"
      />
    </Panel>
  );
};

const idText = ({ request: { id, extended, type } }: SentFrame): string => {
  // A text is hex already.
  if (typeof id !== 'number') return id ?? '';
  const isLin = type?.startsWith('master-');
  return hexDigits(id, isLin ? 2 : extended ? 8 : 3);
};

const columns: readonly Column<SentFrame>[] = [
  { id: 'time', title: 'Time', width: 80, text: ({ at }) => formatTime(new Date(at)) },
  { id: 'channel', title: 'Channel', width: 100, text: ({ request }) => request.channel },
  {
    id: 'type',
    title: 'Type',
    width: 104,
    spare: 1,
    text: ({ request }) => request.type ?? 'data',
  },
  { id: 'id', title: 'Id', width: 76, mono: true, text: idText },
  {
    id: 'data',
    title: 'Data',
    width: 104,
    least: 72,
    grows: true,
    mono: true,
    text: ({ request }) => request.data ?? '',
  },
  {
    id: 'accepted',
    title: 'Count',
    width: 58,
    align: 'end',
    text: ({ accepted }) => formatCount(accepted),
  },
  {
    id: 'again',
    title: '',
    width: 108,
    align: 'end',
    text: () => '',
    render: (frame) => (
      <button
        type="button"
        class="inline"
        {...unusableWhile(resendForm.isBusy.value)}
        aria-label={`Send ${idText(frame)} on ${frame.request.channel} again`}
        onClick={(event) => {
          event.stopPropagation();
          void sendAgain(frame);
        }}
      >
        Send again
      </button>
    ),
  },
];

const SentPanel = () => {
  const frames = sentHistory.value;
  const edited = useSignal<number | null>(null);
  return (
    <Panel
      title="Sent"
      testId="sent"
      header={
        <>
          <span class="aside">A click puts a frame back into the form</span>
          <span class="grow" />
          <button type="button" {...unusableWhile(frames.length === 0)} onClick={forgetSent}>
            Clear
          </button>
        </>
      }
    >
      <ErrorNotice error={resendForm.error.value} testId="sent-error" />
      <DataTable
        id="sent"
        label="Sent frames"
        columns={columns}
        rows={frames}
        keyOf={({ at }) => at}
        selected={({ at }) => at === edited.value}
        onSelect={(frame) => {
          edited.value = frame.at;
          editAgain(frame);
        }}
        empty="Frames that you send appear here, ready to be sent again."
        testId="sent-table"
      />
    </Panel>
  );
};

const choose = (change: () => void) => () => {
  change();
  goTo('send');
};

const commands = (): readonly Command[] =>
  (
    [
      ['send-now', 'Send the frame or add the task', () => void submit()],
      [
        'send-raw',
        'Type a raw frame',
        () => {
          source.value = 'raw';
        },
      ],
      [
        'send-compose',
        'Compose a frame from a database',
        () => {
          source.value = 'database';
        },
      ],
      [
        'send-task',
        'Make the frame a TX task',
        () => {
          mode.value = 'task';
        },
      ],
      [
        'send-advanced',
        'Advanced: any channel selector',
        () => {
          isAdvanced.value = !isAdvanced.peek();
        },
      ],
    ] as const
  ).map(([id, title, run]) => ({ id, group: 'Send', title, run: choose(run) }));

/** Databases that another client loaded or unloaded: their messages are to be read anew. */
const useFreshCatalogs = (): void => {
  useSignalEffect(() => {
    const loaded = databases.data.value?.databases;
    const known = catalogs.data.value;
    if (!loaded || !known) return;
    const isSame =
      loaded.length === known.size &&
      loaded.every(({ name, loaded_at_us }) => known.get(name)?.loaded_at_us === loaded_at_us);
    if (!isSame) void catalogs.refresh();
  });
};

/** Everything that puts frames on the bus by hand. */
export const SendPage = () => {
  useResource(channels, 'send');
  useResource(databases, 'send');
  useResource(bench);
  useResource(openApi);
  useResource(catalogs);
  useFreshCatalogs();
  useEffect(() => offerCommands(commands), []);
  return (
    <div class="send-page">
      <div class="send-column">
        <SendPanel />
        <SentPanel />
      </div>
      <div class="send-column">
        <TasksPanel />
        <RoutesPanel />
      </div>
    </div>
  );
};
