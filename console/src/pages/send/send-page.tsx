import './send.css';
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import { call, type MessageSendRequest, type Route } from '../../api/client.ts';
import { formatTime } from '../../format/figures.ts';
import { bench, catalogs, channels, databases, openApi } from '../../state/bench.ts';
import { type Command, offerCommands } from '../../state/commands.ts';
import { goTo, pageId, pageQuery } from '../../state/pages.ts';
import { actionColumn } from '../../ui/action-column.tsx';
import { unusableWhile } from '../../ui/fields.tsx';
import { ListPanel } from '../../ui/list-panel.tsx';
import { setter, setting } from '../../ui/set-signal.ts';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { useResource } from '../../ui/use-resource.ts';
import { hasLinMaster, LinSchedulesPanel } from './lin-schedules-panel.tsx';
import { RouteForm } from './route-form.tsx';
import {
  editAgain,
  forgetSent,
  resendForm,
  type SentFrame,
  sendAgain,
  sentHistory,
  submit,
} from './send-actions.ts';
import { SendPanel } from './send-panel.tsx';
import { isAdvanced, mode, routes, source } from './send-state.ts';
import { channelName, outcomeColumns, removal, TasksPanel } from './tasks-panel.tsx';

const idOf = ({ extended }: Route['source'], id: number): string => hexDigits(id, extended ? 8 : 3);

const removeRoute = removal(routes, ({ route_id }: Route) => call('route.remove', { route_id }));

const routeColumns = (listed: readonly Route[]): readonly Column<Route>[] => [
  column('source', 'Source', 116, ({ source }) => channelName(source), { least: 84, grows: true }),
  column('id', 'ID', 76, ({ source }) => idOf(source, source.id), { grows: true, mono: true }),
  column('mask', 'Mask', 76, ({ source }) => idOf(source, source.mask), {
    ...{ spare: 0, grows: true, mono: true },
  }),
  column('target', 'Target', 116, ({ target }) => channelName(target), { least: 84, grows: true }),
  column(
    'as',
    'Target ID',
    76,
    ({ source, target: { id } }) => (id === null ? 'same' : idOf(source, id)),
    { ...{ grows: true, mono: true } },
  ),
  numbers('matched', 'Matched', 76, ({ matched }) => matched, { spare: -1 }),
  numbers('sent', 'Sent', 72, ({ sent }) => sent),
  numbers('failed', 'Failed', 60, ({ failed }) => failed),
  ...outcomeColumns(listed, ({ route_id }) => route_id, removeRoute.run),
];

const RoutesPanel = () => {
  const { data } = useResource(routes, 'send');
  const list = data.value?.routes ?? [];
  return (
    <ListPanel<Route>
      name="routes"
      title="Routes"
      source={routes}
      error={removeRoute.error.value}
      columns={routeColumns(list)}
      rows={list}
      keyOf={({ route_id }) => route_id}
      rowAttributes={({ route_id }) => ({ 'data-route': route_id })}
      empty="No routes. Choose source, target and ID above."
    >
      <RouteForm />
    </ListPanel>
  );
};

const idText = ({ request: { id, extended, type, message } }: SentFrame): string => {
  if (message !== undefined) return message;
  if (typeof id !== 'number') return id ?? '';
  const isLin = type?.startsWith('master-');
  return hexDigits(id, isLin ? 2 : extended ? 8 : 3);
};

const dataText = ({ request: { data = '', signals } }: SentFrame): string =>
  signals === undefined
    ? data
    : Object.entries(signals)
        .map(([name, value]) => `${name}=${value}`)
        .join(' ');

const sentColumns: readonly Column<SentFrame>[] = [
  column('time', 'Time', 80, ({ at }) => formatTime(new Date(at))),
  column('channel', 'Channel', 100, ({ request }) => request.channel),
  column('type', 'Type', 104, ({ request }) => request.type ?? 'data', { spare: 1 }),
  column('id', 'ID', 76, idText, { grows: true, mono: true }),
  column('data', 'Data', 104, dataText, {
    ...{ least: 72, grows: true, mono: true },
  }),
  numbers('accepted', 'Count', 58, ({ accepted }) => accepted),
  actionColumn('again', 88, {
    title: 'Resend',
    nameOf: (frame) => `${idText(frame)} on ${frame.request.channel}`,
    run: sendAgain,
    attributes: () => unusableWhile(resendForm.isBusy.value),
  }),
];

const SentPanel = () => {
  const frames = sentHistory.value;
  const edited = useSignal<number | null>(null);
  return (
    <ListPanel<SentFrame>
      name="sent"
      title="Sent"
      label="Sent frames"
      error={resendForm.error.value}
      header={<span class="aside">Click a frame to edit it</span>}
      actions={
        <button type="button" {...unusableWhile(frames.length === 0)} onClick={forgetSent}>
          Clear
        </button>
      }
      columns={sentColumns}
      rows={frames}
      keyOf={({ at }) => at}
      selected={({ at }) => at === edited.value}
      onSelect={(frame) => {
        edited.value = frame.at;
        editAgain(frame);
      }}
      empty="No frames sent yet. Sent frames can be edited and resent from here."
    />
  );
};

const commands = (): readonly Command[] =>
  (
    [
      ['send-now', 'Send frame or add TX task', () => void submit()],
      ['send-raw', 'Edit raw frame', setting(source, 'raw')],
      ['send-compose', 'Compose frame from database', setting(source, 'database')],
      ['send-task', 'Send frame as TX task', setting(mode, 'task')],
      [
        'send-advanced',
        'Advanced: any channel selector',
        () => setter(isAdvanced)(!isAdvanced.peek()),
      ],
    ] as const
  ).map(([id, title, change]) => ({
    ...{ id, group: 'Send', title },
    run: () => {
      change();
      goTo('send');
    },
  }));

/** Reads the message catalogs again after another client loaded or unloaded a database. */
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

/** Edits the frame of a link such as `#send?channel=can1&id=123&data=DEADBEEF`. */
const useLink = (): void => {
  useSignalEffect(() => {
    const query = pageQuery.value;
    const channel = query.get('channel');
    if (pageId.peek() !== 'send' || channel === null || !query.has('id')) return;
    const { extended, fd, brs, dlc, ...texts } = Object.fromEntries(query);
    const flags = { extended: extended === 'true', fd: fd === 'true', brs: brs === 'true' };
    const request = { ...texts, channel, ...flags, ...(dlc ? { dlc: Number(dlc) } : {}) };
    editAgain({ at: 0, request: request as MessageSendRequest, advanced: false, accepted: 0 });
  });
};

export const SendPage = () => {
  useResource(channels, 'send');
  useResource(databases, 'send');
  useResource(bench);
  useResource(openApi);
  useResource(catalogs);
  useFreshCatalogs();
  useLink();
  useEffect(() => offerCommands(commands), []);
  return (
    <div class="send-page">
      <div class="stack">
        <SendPanel />
        <SentPanel />
      </div>
      <div class="stack">
        <TasksPanel />
        {hasLinMaster() && <LinSchedulesPanel />}
        <RoutesPanel />
      </div>
    </div>
  );
};
