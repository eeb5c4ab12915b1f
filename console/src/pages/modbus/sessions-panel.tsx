import type { ModbusSession, ModbusUnit } from '../../api/client.ts';
import { counted, formatCount, formatMicroseconds, formatRate } from '../../format/figures.ts';
import { liveness } from '../../live/use-live.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { StateMark } from '../../ui/state-mark.tsx';
import type { Column } from '../../ui/table-columns.ts';
import { rates, report, status } from './modbus-state.ts';
import { sessionKey } from './request-rates.ts';
import { ailingGroups, shownUnits, type UnitGroup } from './units.ts';

const trip = ({ round_trip_us }: ModbusSession, key: 'p50' | 'p99' | 'max'): string =>
  round_trip_us.count === 0 ? '–' : formatMicroseconds(round_trip_us[key]);

const rateOf = ({ endpoint }: ModbusSession): string => {
  const rate = rates.value.get(sessionKey(endpoint));
  return rate === undefined ? '–' : formatRate(rate);
};

const count = (
  id: 'requests' | 'exceptions' | 'timeouts' | 'failures' | 'reconnects',
  title: string,
  width: number,
  spare?: number,
): Column<ModbusSession> => ({
  id,
  title,
  width,
  align: 'end',
  ...(spare === undefined ? {} : { spare }),
  text: (session) => formatCount(session[id]),
});

const columns: readonly Column<ModbusSession>[] = [
  {
    id: 'endpoint',
    title: 'Endpoint',
    width: 160,
    least: 130,
    grows: true,
    mono: true,
    text: ({ endpoint }) => endpoint,
  },
  {
    id: 'state',
    title: 'State',
    width: 88,
    text: ({ state }) => state,
    render: ({ state }) => <StateMark state={state} />,
  },
  count('requests', 'Requests', 72),
  { id: 'rate', title: 'Req/s', width: 44, spare: -1, align: 'end', text: rateOf },
  count('exceptions', 'Exceptions', 80, 1),
  count('timeouts', 'Timeouts', 74, -3),
  count('failures', 'Failures', 64, 2),
  count('reconnects', 'Reconnects', 84, 3),
  { id: 'p50', title: 'p50', width: 66, align: 'end', text: (session) => trip(session, 'p50') },
  {
    id: 'p99',
    title: 'p99',
    width: 66,
    spare: -2,
    align: 'end',
    text: (session) => trip(session, 'p99'),
  },
  {
    id: 'max',
    title: 'Max',
    width: 66,
    align: 'end',
    spare: 4,
    text: (session) => trip(session, 'max'),
  },
  {
    id: 'error',
    title: 'Last error',
    width: 130,
    grows: true,
    spare: 0,
    text: ({ last_error }) => last_error?.message ?? '',
  },
];

const remarksOn = ({ misses, retry_in_ms }: ModbusUnit): string =>
  [
    ...(misses > 0 ? [`${counted(misses, 'consecutive timeout')}`] : []),
    ...(retry_in_ms === null ? [] : [`next retry in ${retry_in_ms} ms`]),
  ].join(', ');

const Group = ({ endpoint, state, units }: UnitGroup) => {
  const [first, ...others] = units;
  return (
    <li>
      <code>{endpoint}</code> unit{others.length > 0 && 's'}{' '}
      {shownUnits(units.map(({ unit }) => unit))} <StateMark state={state} />{' '}
      {first && others.length === 0 && remarksOn(first)}
    </li>
  );
};

/** Links to units elsewhere, as commands, polls and gateway instances use them. */
export const SessionsPanel = () => {
  const { sessions = [], units = [] } = status.value ?? {};
  const groups = ailingGroups(units);
  const ailing = groups.reduce((sum, group) => sum + group.units.length, 0);
  return (
    <Panel
      title="Sessions"
      testId="modbus-sessions"
      class="sessions"
      freshness={liveness(report)}
      header={
        <span class="quiet">
          {units.length > 0 && `${counted(units.length, 'unit')}, ${ailing} unhealthy`}
        </span>
      }
    >
      <DataTable<ModbusSession>
        id="modbus-sessions"
        label="Modbus sessions"
        testId="modbus-session-table"
        columns={columns}
        rows={sessions}
        keyOf={({ endpoint }) => endpoint}
        rowAttributes={({ endpoint }) => ({ 'data-session': endpoint })}
        empty={
          status.value
            ? 'No requests yet. Send one below, or start a gateway instance that polls units.'
            : 'Loading…'
        }
      />
      {groups.length > 0 && (
        <ul class="units" data-testid="modbus-units">
          {groups.map((group) => (
            <Group key={`${group.endpoint} ${group.state}`} {...group} />
          ))}
        </ul>
      )}
    </Panel>
  );
};
