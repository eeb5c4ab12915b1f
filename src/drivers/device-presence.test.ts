import { beforeEach, describe, expect, it } from 'vitest';
import {
  DevicePresence,
  linUartPresence,
  type PresenceTable,
  slcanPresence,
  socketCanPresence,
} from './device-presence.ts';
import { eventStatus } from './event-status.ts';

type AnyTable = PresenceTable<string, string>;

const tables: readonly (readonly [string, AnyTable])[] = [
  ['lin-uart', linUartPresence as AnyTable],
  ['slcan', slcanPresence as AnyTable],
  ['socketcan', socketCanPresence as AnyTable],
];

const rowsOf = (table: AnyTable) =>
  Object.entries(table).flatMap(([state, row]) =>
    Object.entries(row).map(([input, step]) => {
      const [next, ...actions] = step as [string, ...string[]];
      return { state, input, next, actions };
    }),
  );

const absent = ['lost', 'returning', 'closed'];

describe.each(tables)('the transitions of a channel of %s', (_, table) => {
  const rows = rowsOf(table);

  it('lead to every state but the first', () => {
    const reached = new Set(rows.map(({ next }) => next));
    expect([...reached].sort()).toEqual(
      Object.keys(table)
        .filter((state) => state !== 'starting')
        .sort(),
    );
  });

  it('let it be closed in every state, for good and without a report', () => {
    for (const [state, row] of Object.entries(table)) {
      expect(row.close).toEqual(state === 'closed' ? undefined : ['closed']);
    }
    expect(table.closed).toEqual({});
  });

  it('report a loss exactly when the device goes, off the bus first', () => {
    for (const { state, next, actions } of rows) {
      const goes = !absent.includes(state) && next === 'lost';
      expect(actions.includes('reportLost')).toBe(goes);
      if (goes) expect(actions.slice(0, 2)).toEqual(['leave', 'reportLost']);
    }
  });

  it('report a return exactly when a lost device runs again', () => {
    for (const { state, next, actions } of rows) {
      const isBack = absent.includes(state) && !absent.includes(next);
      expect(actions.includes('reportReturned')).toBe(isBack);
    }
  });
});

describe.each([
  // Each input is followed by the resulting state.
  ['lin-uart', linUartPresence, 'ready present change changing ready present close closed', []],
  [
    'lin-uart',
    linUartPresence,
    'ready present change changing gone lost found returning failed lost found returning ready present',
    ['leave', 'lost', 'await', 'returned'],
  ],
  ['lin-uart', linUartPresence, 'gone lost gone lost close closed', ['leave', 'lost', 'await']],
  [
    'slcan',
    slcanPresence,
    'ready present unanswered outOfSync inSync present unanswered outOfSync change changingOutOfSync ready changingOutOfSync inSync changing ready present',
    [],
  ],
  [
    'slcan',
    slcanPresence,
    'ready present change changing unanswered changingOutOfSync gone lost found returning gone lost found returning failed lost found returning ready present',
    ['leave', 'lost', 'leave', 'leave', 'returned'],
  ],
  [
    'socketcan',
    socketCanPresence,
    'ready present change changing gone changing down disturbed restarted changing ready present',
    [],
  ],
  [
    'socketcan',
    socketCanPresence,
    'ready present change changing down disturbed ready lost found returning down returning ready present',
    ['leave', 'lost', 'returned'],
  ],
  [
    'socketcan',
    socketCanPresence,
    'ready present down lost found returning failed lost found returning ready present change changing broken lost',
    ['leave', 'lost', 'await', 'await', 'returned', 'leave', 'lost', 'await'],
  ],
  ['socketcan', socketCanPresence, 'ready present gone lost down lost', ['leave', 'lost', 'await']],
] as const)('a channel of %s', (_, table, story, expected) => {
  let did: string[];
  let presence: DevicePresence<string, string>;
  beforeEach(() => {
    did = [];
    presence = new DevicePresence(table as AnyTable, 'starting', {
      leave: () => did.push('leave'),
      report: (status) =>
        expect([eventStatus.device_lost, eventStatus.device_returned]).toContain(status),
      awaitReturn: () => did.push('await'),
      reporter: { sink: { lost: () => did.push('lost'), returned: () => did.push('returned') } },
    });
  });

  it(`goes through: ${story}`, () => {
    const words = story.split(' ');
    for (let i = 0; i < words.length; i += 2) {
      presence.take(words[i] as string);
      expect(presence.state).toBe(words[i + 1]);
      expect(presence.isThere).toBe(!absent.includes(presence.state));
    }
    expect(did).toEqual(expected);
  });
});

it('takes no further action in a channel that a report has closed', () => {
  const did: string[] = [];
  const presence = new DevicePresence(linUartPresence, 'starting', {
    leave: () => did.push('leave'),
    report: () => undefined,
    awaitReturn: () => did.push('await'),
    reporter: { sink: { lost: () => presence.take('close'), returned: () => undefined } },
  });
  presence.take('gone');
  expect(presence.isClosed).toBe(true);
  expect(did).toEqual(['leave']);
});
