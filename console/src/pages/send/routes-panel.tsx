import { hexDigits } from '../../../../src/frame/hex-bytes.ts';
import { call } from '../../api/client.ts';
import type { Route } from '../../api/schema.ts';
import { formatCount } from '../../format/figures.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { ErrorNotice } from '../../ui/notice.tsx';
import { Panel } from '../../ui/panel.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { freshness, useResource } from '../../ui/use-resource.ts';
import { channelName, outcomeColumns, removeColumn, useRemoval } from './listed-columns.tsx';
import { RouteForm } from './route-form.tsx';
import { routes } from './transmit-resources.ts';

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

/** Frames that are passed on from one channel to another. */
export const RoutesPanel = () => {
  const { data, error } = useResource(routes, 'send');
  const { failure, remove } = useRemoval(
    ({ route_id }: Route) => call('route.remove', { params: { route_id } }),
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
        count={list.length}
        rowAt={(index) => list[index] as Route}
        keyOf={({ route_id }) => route_id}
        rowAttributes={({ route_id }) => ({ 'data-route': route_id })}
        empty="No frames are passed on. Choose two channels and an identifier above."
        testId="routes-table"
      />
    </Panel>
  );
};
