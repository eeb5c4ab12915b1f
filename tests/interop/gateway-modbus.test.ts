import { describe, expect, it } from 'vitest';
import {
  type Rows,
  relayProject,
  together,
} from '../../src/gateway/engine/testing/relay-project.ts';
import { peers, shareGatewayBench, tcpNetwork } from '../scenario/support/gateway-bench.ts';
import { findFreePort } from '../scenario/support/ports.ts';
import type { Answered } from '../scenario/support/transmit-bench.ts';
import { inputAt, patiently, portOf, setUpWire } from '../support/modbus-rig.ts';
import { hasPeer } from '../support/peers.ts';
import { eventually } from '../support/workbench.ts';
import { hasLibmodbus, useLibmodbus } from './support/libmodbus-peer.ts';
import { hasMbpoll, runMbpoll, valuesIn } from './support/mbpoll.ts';
import { hasPymodbus, pymodbus } from './support/pymodbus-peer.ts';
import { exceptionOf } from './support/unit-exercise.ts';

const available = hasLibmodbus && hasMbpoll && hasPymodbus;
const hasWire = available && hasPeer('/usr/bin/socat', 'socat');

const codecs = [
  { id: 'u16', kind: 'linear', raw: 'unsigned', bit_length: 16 },
  { id: 'u64', kind: 'linear', raw: 'unsigned', bit_length: 64, word_order: 'ABCD' },
  { id: 's64', kind: 'linear', raw: 'signed', bit_length: 64, word_order: 'CDAB' },
  { id: 'percent', kind: 'linear', raw: 'unsigned', bit_length: 16, raw_max: '100' },
  { id: 'bit', kind: 'linear', raw: 'bool' },
  { id: 'can64', kind: 'linear', raw: 'unsigned', bit_length: 64, byte_order: 'motorola' },
  { id: 'cans64', kind: 'linear', raw: 'signed', bit_length: 64, byte_order: 'motorola' },
  { id: 'canbit', kind: 'linear', raw: 'bool', byte_order: 'intel' },
];

const inFrame = (signal: string, direction: string, message: string, codec: string, bit = 0) => ({
  id: `${signal}.${message}`,
  signal,
  direction,
  message,
  codec,
  start_bit: bit,
});

const inUnit = (signal: string, direction: string, resource: string, codec: string) => ({
  id: `${signal}.${resource}`,
  signal,
  direction,
  resource,
  codec,
});

const resource = (id: string, endpoint: string, table: string, address: number, more: object) => ({
  id,
  endpoint,
  table,
  address,
  ...more,
});

/** Frames for an instance: `speed` and two bits, and a 64-bit counter. */
const fromCan: Rows = {
  codecs,
  signals: [
    { id: 'door', type: 'bool', producer: 'input' },
    { id: 'lamp', type: 'bool', producer: 'input' },
    { id: 'odo', type: 'uint64', producer: 'input' },
  ],
  messages: [
    { id: 'Engine', stale_after_ms: 0 },
    {
      id: 'Odo',
      endpoint: 'in',
      direction: 'rx',
      can_id: 0x101,
      length: 8,
      stale_after_ms: 0,
    },
  ],
  bindings: [
    inFrame('door', 'rx', 'Engine', 'canbit', 8),
    inFrame('lamp', 'rx', 'Engine', 'canbit', 9),
    inFrame('odo', 'rx', 'Odo', 'can64', 7),
  ],
};

/** Frames sent by an instance, on change. */
const sending = (id: string, canId: number, length: number): Rows => ({
  messages: [{ id, endpoint: 'out', direction: 'tx', can_id: canId, length }],
  tx_tasks: [{ id, message: id, policy: 'on_change' }],
});

const bench = shareGatewayBench();

/** Data of the frames with an identifier since an event. */
const framesOf = async (canId: number, after: number): Promise<string[]> =>
  (await bench.receivedSoFar(peers.out, after))
    .filter(({ id }) => id === canId)
    .map(({ data }) => data);

const untilFrame = (canId: number, after: number, data: string): Promise<void> =>
  eventually(async () => (await framesOf(canId, after)).at(-1) === data);

describe.runIf(available)('a server of an instance', () => {
  const libmodbus = useLibmodbus();

  const serve = { access: 'serve' };
  const external = { access: 'external' };
  const setpoints = 0x210;
  const totals = 0x211;
  const toTables = [
    fromCan,
    sending('Setpoints', setpoints, 2),
    sending('Total', totals, 8),
    {
      endpoints: [{ id: 'panel', kind: 'modbus', role: 'server', network: 'panel', node: 1 }],
      signals: [
        { id: 'setpoint', type: 'uint64', producer: 'input', initial: '0' },
        { id: 'total', type: 'int64', producer: 'input' },
        { id: 'horn', type: 'bool', producer: 'input', initial: '0' },
        { id: 'wiper', type: 'bool', producer: 'input', initial: '0' },
      ],
      modbus_resources: [
        resource('s.speed', 'panel', 'input', 0, serve),
        resource('s.door', 'panel', 'input', 1, { ...serve, bit_offset: 4 }),
        resource('s.lamp', 'panel', 'input', 1, { ...serve, bit_offset: 15 }),
        resource('s.odo', 'panel', 'input', 2, { ...serve, count: 4 }),
        resource('s.mirror', 'panel', 'holding', 0, serve),
        resource('s.discrete', 'panel', 'discrete', 7, serve),
        resource('e.setpoint', 'panel', 'holding', 10, external),
        resource('e.total', 'panel', 'holding', 11, { ...external, count: 4 }),
        resource('e.horn', 'panel', 'holding', 16, { ...external, bit_offset: 0 }),
        resource('e.wiper', 'panel', 'holding', 16, { ...external, bit_offset: 15 }),
      ],
      bindings: [
        inUnit('speed', 'tx', 's.speed', 'u16'),
        inUnit('door', 'tx', 's.door', 'bit'),
        inUnit('lamp', 'tx', 's.lamp', 'bit'),
        inUnit('odo', 'tx', 's.odo', 'u64'),
        inUnit('speed', 'tx', 's.mirror', 'u16'),
        inUnit('door', 'tx', 's.discrete', 'bit'),
        inUnit('setpoint', 'rx', 'e.setpoint', 'percent'),
        inUnit('total', 'rx', 'e.total', 's64'),
        inUnit('horn', 'rx', 'e.horn', 'bit'),
        inUnit('wiper', 'rx', 'e.wiper', 'bit'),
        inFrame('setpoint', 'tx', 'Setpoints', 'u8'),
        inFrame('horn', 'tx', 'Setpoints', 'canbit', 8),
        inFrame('wiper', 'tx', 'Setpoints', 'canbit', 9),
        inFrame('total', 'tx', 'Total', 'cans64', 7),
      ],
    },
  ];

  /** Starts the server; returns the newest event before that. */
  const serveOn = async (network: object): Promise<number> => {
    bench.useNetworks({ panel: network });
    const after = await bench.newest();
    await bench.runProject('panel', relayProject(together(...toTables)));
    return after;
  };

  const setUp = async () => {
    const port = await findFreePort();
    return { port, after: await serveOn(tcpNetwork(port)) };
  };

  it('shows frames to libmodbus and mbpoll while pymodbus writes setpoints to CAN', async () => {
    const { port, after } = await setUp();
    const reader = await libmodbus('tcp').client(port);
    const writer = await pymodbus('tcp').client(port);
    await bench.feed('2A 03');
    await bench.feed('FE DC BA 98 76 54 32 10', 0x101);
    const shown = [0x2a, 0x8010, 0xfedc, 0xba98, 0x7654, 0x3210];
    await eventually(async () => String(await reader.read(4, 0, 6)) === String(shown));
    expect(await reader.read(2, 7, 1)).toEqual([1]);
    expect(await reader.read(3, 0, 1)).toEqual([0x2a]);

    const writes = async () => {
      for (let setpoint = 1; setpoint <= 50; setpoint++) await writer.write(6, 10, [setpoint]);
    };
    const reads = async () => {
      for (let count = 0; count < 50; count++) expect(await reader.read(4, 0, 6)).toEqual(shown);
    };
    const link = ['-m', 'tcp', '-p', String(port), '127.0.0.1'];
    const [, , polled] = await Promise.all([
      writes(),
      reads(),
      runMbpoll('-t', '3', '-r', '1', '-c', '6', '-1', ...link),
    ]);
    expect(Object.values(valuesIn(polled))).toEqual(shown.map(String));
    await untilFrame(setpoints, after, '3200');
    const sent = (await framesOf(setpoints, after)).map((data) => Number.parseInt(data, 16));
    expect(sent).toEqual([...new Set(sent)].sort((one, other) => one - other));

    await writer.put('s64', 'CDAB', 11, '-1234567890123456789');
    await untilFrame(totals, after, 'EEDDEF0B82167EEB');
    await reader.write(6, 16, [0x8000]);
    await untilFrame(setpoints, after, '3202');
    await writer.mask(16, 0xfffe, 0x0001);
    await untilFrame(setpoints, after, '3203');
    expect(await bench.untilConsistent('panel', ({ pending }) => pending === 0)).toMatchObject({
      health: 'ok',
      failed: 0,
    });
    await bench.clear('panel');
  });

  it('refuses what is out of range, in part or not declared, and nothing is on CAN', async () => {
    const { port, after } = await setUp();
    const writer = await pymodbus('tcp').client(port);
    const reader = await libmodbus('tcp').client(port);
    await writer.write(16, 10, [100, 0, 0, 0, 0]);
    await untilFrame(setpoints, after, '6400');
    await untilFrame(totals, after, '0000000000000000');
    const before = [await framesOf(setpoints, after), await framesOf(totals, after)];
    for (const client of [writer, reader]) {
      for (const [address, items] of [
        [10, [101]],
        [10, [50, 1]],
        [11, [1, 2, 3]],
        [10, [101, 1, 2, 3, 4]],
      ] as const) {
        expect(await exceptionOf(client.write(16, address, items))).toBe(3);
      }
      for (const address of [0, 9, 15, 17]) {
        expect(await exceptionOf(client.write(6, address, [1]))).toBe(2);
        expect(await exceptionOf(client.write(5, address, [1]))).toBe(2);
      }
      expect(await exceptionOf(client.write(16, 14, [1, 2, 3]))).toBe(2);
      expect(await exceptionOf(client.read(3, 10, 6))).toBe(2);
      expect(await client.read(3, 10, 5)).toEqual([100, 0, 0, 0, 0]);
    }
    // Any accepted write would precede this one.
    await writer.write(6, 10, [99]);
    await untilFrame(setpoints, after, '6300');
    const [values = [], counts = []] = before;
    expect(await framesOf(setpoints, after)).toEqual([...values, '6300']);
    expect(await framesOf(totals, after)).toEqual(counts);
    await bench.clear('panel');
  });

  it.runIf(hasWire).each(['rtu', 'ascii'])('is there for pymodbus over %s', async (kind) => {
    const wire = await setUpWire();
    const after = await serveOn({ serial: { port: wire.one, framing: kind } });
    const client = await pymodbus(kind).client(wire.other);
    await bench.feed('2A 03');
    await eventually(async () => String(await client.read(4, 0, 2)) === String([0x2a, 0x8010]));
    await client.write(6, 10, [77]);
    await untilFrame(setpoints, after, '4D00');
    await client.put('s64', 'CDAB', 11, '-2');
    await untilFrame(totals, after, 'FFFFFFFFFFFFFFFE');
    expect(await exceptionOf(client.write(6, 10, [101]))).toBe(3);
    expect(await exceptionOf(client.write(6, 9, [1]))).toBe(2);
    await bench.clear('panel');
  });
});

describe.runIf(hasWire)('an instance that polls and writes a server of', () => {
  const libmodbus = useLibmodbus();
  const levels = 0x220;
  const energies = 0x221;

  const poll = { access: 'poll', poll_ms: 20, stale_after_ms: 0 };
  const write = { access: 'write' };
  const withUnit = [
    fromCan,
    sending('Level', levels, 1),
    sending('Energy', energies, 8),
    {
      endpoints: [
        {
          id: 'unit',
          kind: 'modbus',
          role: 'client',
          network: 'line',
          node: 1,
          timeout_ms: 60_000,
        },
      ],
      signals: [
        { id: 'open', type: 'bool', producer: 'input' },
        { id: 'energy', type: 'uint64', producer: 'input' },
      ],
      modbus_resources: [
        resource('p.open', 'unit', 'discrete', 3, poll),
        resource('p.energy', 'unit', 'input', 1, { ...poll, count: 4 }),
        resource('w.speed', 'unit', 'holding', 1, write),
        resource('w.odo', 'unit', 'holding', 2, { ...write, count: 4 }),
        resource('w.coil', 'unit', 'coil', 9, write),
        resource('w.door', 'unit', 'holding', 30, { ...write, bit_offset: 1 }),
        resource('w.lamp', 'unit', 'holding', 30, { ...write, bit_offset: 14 }),
      ],
      bindings: [
        inUnit('open', 'rx', 'p.open', 'bit'),
        inUnit('energy', 'rx', 'p.energy', 'u64'),
        inUnit('speed', 'tx', 'w.speed', 'u16'),
        inUnit('odo', 'tx', 'w.odo', 'u64'),
        inUnit('door', 'tx', 'w.coil', 'bit'),
        inUnit('door', 'tx', 'w.door', 'bit'),
        inUnit('lamp', 'tx', 'w.lamp', 'bit'),
        inFrame('open', 'tx', 'Level', 'canbit'),
        inFrame('energy', 'tx', 'Energy', 'can64', 7),
      ],
      tx_tasks: [
        { id: 'Values', resources: ['w.speed', 'w.odo'], policy: 'on_change' },
        { id: 'Bits', resources: ['w.coil', 'w.door', 'w.lamp'], policy: 'on_change' },
      ],
    },
  ];
  const servers: Record<string, (kind: string, device?: string) => Promise<string>> = {
    libmodbus: (kind, device) => libmodbus(kind).server(device),
    pymodbus: (kind, device) => pymodbus(kind).server(device),
  };

  it.each([
    ['pymodbus', 'tcp'],
    ['libmodbus', 'tcp'],
    ['pymodbus', 'rtu'],
    ['libmodbus', 'rtu'],
    ['pymodbus', 'ascii'],
  ])('%s over %s hands values on, and keeps the other bits of words', async (peer, kind) => {
    const wire = kind === 'tcp' ? undefined : await setUpWire();
    const served = (await servers[peer]?.(kind, wire?.other)) ?? '';
    bench.useNetworks({
      line: wire ? { serial: { port: wire.one, framing: kind } } : tcpNetwork(portOf(served)),
    });
    const unit = ['--network=line', '--unit=1', patiently];
    const call = (verb: string, ...args: string[]) =>
      bench.json<Answered>('modbus', verb, ...unit, '--table=holding', ...args);
    await call('write', '--address=30', '--value=21845');
    const after = await bench.newest();
    await bench.runProject('client', relayProject(together(...withUnit)));
    const energy = [1, 2, 3, 4].map((address) => inputAt(address).toString(16).padStart(4, '0'));
    await untilFrame(energies, after, energy.join('').toUpperCase());
    await untilFrame(levels, after, '01');
    await bench.feed('2A 03');
    await bench.feed('FE DC BA 98 76 54 32 10', 0x101);
    await bench.untilConsistent(
      'client',
      ({ tasks, pending }) =>
        tasks.every(({ id, sent }: Answered) => sent > 0 || id === 'Cluster') && pending === 0,
    );
    await eventually(async () => {
      const { registers } = await call('read', '--address=1', '--count=5');
      return String(registers) === String([0x2a, 0xfedc, 0xba98, 0x7654, 0x3210]);
    });
    await eventually(async () => {
      const { registers } = await call('read', '--address=30');
      return registers[0] === (0x5555 | 0x4002);
    });
    expect(
      await bench.json('modbus', 'read', ...unit, '--table=coil', '--address=9'),
    ).toMatchObject({ values: ['true'] });
    await bench.feed('2A 01');
    await eventually(async () => {
      const { registers } = await call('read', '--address=30');
      return registers[0] === ((0x5555 | 0x0002) & ~0x4000);
    });
    expect(await bench.signal('client', 'energy')).toMatchObject({
      value: BigInt(`0x${energy.join('')}`).toString(),
      quality: 'good',
    });
    expect(await bench.untilConsistent('client', ({ pending }) => pending === 0)).toMatchObject({
      health: 'ok',
      failed: 0,
    });
    await bench.clear('client');
  });
});
