import type { ModbusSession, ModbusUnit } from '../../api/client.ts';
import { counted, formatMicroseconds } from '../../format/figures.ts';
import { liveness } from '../../live/use-live.ts';
import { ListPanel } from '../../ui/list-panel.tsx';
import { StateMark, states } from '../../ui/state-mark.tsx';
import { type Column, column, numbers } from '../../ui/table-columns.ts';
import { rateText, report, sessionKey, status } from './modbus-state.ts';
import { ailingGroups, shownUnits, type UnitGroup } from './units.ts';

const trip = ({ round_trip_us }: ModbusSession, key: 'p50' | 'p99' | 'max'): string =>
  round_trip_us.count === 0 ? '–' : formatMicroseconds(round_trip_us[key]);

const columns: readonly Column<ModbusSession>[] = [
  column('endpoint', 'Endpoint', 160, ({ endpoint }) => endpoint, {
    least: 130,
    grows: true,
    mono: true,
  }),
  states('state', 'State', 88, ({ state }) => state),
  numbers('requests', 'Requests', 72, ({ requests }) => requests),
  numbers('rate', 'Req/s', 44, ({ endpoint }) => rateText(sessionKey(endpoint)), { spare: 0 }),
  numbers('exceptions', 'Exceptions', 80, ({ exceptions }) => exceptions, { spare: 1 }),
  numbers('timeouts', 'Timeouts', 74, ({ timeouts }) => timeouts, { spare: -3 }),
  numbers('failures', 'Failures', 64, ({ failures }) => failures, { spare: 2 }),
  numbers('reconnects', 'Reconnects', 84, ({ reconnects }) => reconnects, { spare: 3 }),
  numbers('p50', 'p50', 66, (session) => trip(session, 'p50')),
  numbers('p99', 'p99', 66, (session) => trip(session, 'p99'), { spare: -2 }),
  numbers('max', 'Max', 66, (session) => trip(session, 'max'), { spare: 4 }),
  column('error', 'Last error', 130, ({ last_error }) => last_error?.message ?? '', {
    grows: true,
    spare: -1,
  }),
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

export const SessionsPanel = () => {
  const { sessions = [], units = [] } = status.value ?? {};
  const groups = ailingGroups(units);
  const ailing = groups.reduce((sum, group) => sum + group.units.length, 0);
  return (
    <ListPanel<ModbusSession>
      name="modbus-sessions"
      title="Sessions"
      label="Modbus sessions"
      class="sessions"
      freshness={liveness(report)}
      header={
        <span class="quiet">
          {units.length > 0 && `${counted(units.length, 'unit')}, ${ailing} unhealthy`}
        </span>
      }
      columns={columns}
      rows={sessions}
      keyOf={({ endpoint }) => endpoint}
      rowAttributes={({ endpoint }) => ({ 'data-session': endpoint })}
      empty={
        status.value
          ? 'No requests yet. Send one below, or start a gateway instance that polls units.'
          : 'Loading…'
      }
      footer={
        groups.length > 0 && (
          <ul class="units" data-testid="modbus-units">
            {groups.map((group) => (
              <Group key={`${group.endpoint} ${group.state}`} {...group} />
            ))}
          </ul>
        )
      }
    />
  );
};
