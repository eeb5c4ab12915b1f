import { execFileSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BusbarError } from '../base/errors/busbar-error.ts';
import { FileSandbox } from '../base/files/testing/file-sandbox.ts';
import type { Bench } from './bench-record.ts';
import { benchFileName, globalBenchDirectory, loadBench } from './load-bench.ts';

let files: FileSandbox;
beforeEach(() => {
  files = new FileSandbox();
});
afterEach(() => files.dispose());

const load = (): Bench =>
  loadBench({ project: files.project, global: join(files.path, 'global', 'busbar') });

const writeProject = (content: unknown): string =>
  files.write(
    `project/${benchFileName}`,
    typeof content === 'string' || content instanceof Uint8Array
      ? content
      : JSON.stringify(content),
  );

interface Refusal {
  readonly code: string;
  readonly details: { readonly path: string; readonly problems: Record<string, string>[] };
}

const refusal = (): Refusal => {
  try {
    load();
  } catch (thrown) {
    return BusbarError.from(thrown).toRecord() as unknown as Refusal;
  }
  throw new RangeError('the bench was taken');
};

const fieldsAtFault = (): string[] => refusal().details.problems.map(({ field }) => `${field}`);

describe('loadBench', () => {
  it('has the virtual bench where there is no file and no directory', () => {
    expect(load()).toEqual({
      source: 'built-in',
      path: null,
      project_id: 'virtual-bench',
      devices: [{ driver: 'virtual', address: 'SIM00001', ports: {} }],
      networks: {},
      databases: {},
      ecus: {},
      recorders: {},
      firmware_index: null,
      dashboard: null,
    });
  });

  it('takes a dashboard, and names the field of one that cannot be', () => {
    const tile = {
      title: 'Speed',
      channel: 'body',
      database: 'car',
      message: 'Engine',
      signals: ['Speed'],
    };
    const dashboard = { title: 'Rig 7', tiles: [tile] };
    writeProject({ dashboard });
    expect(load().dashboard).toEqual(dashboard);
    writeProject({ dashboard: { tiles: [{ ...tile, signals: [] }] } });
    expect(fieldsAtFault()).toEqual(['dashboard.tiles[0].signals']);
    writeProject({ dashboard: { links: [{ title: 'Away', page: '//elsewhere' }] } });
    expect(fieldsAtFault()).toEqual(['dashboard.links[0].page']);
  });

  it('looks in the project first and then in the global place', () => {
    const global = files.write(`global/busbar/${benchFileName}`, '{"project_id":"mine"}');
    expect(load()).toMatchObject({ source: 'global', path: global, project_id: 'mine' });
    const project = writeProject({ project_id: 'here' });
    expect(load()).toMatchObject({ source: 'project', path: project, project_id: 'here' });
  });

  it('passes by a directory that is a file', () => {
    const notDirectory = files.write('plain', '');
    expect(loadBench({ project: notDirectory, global: notDirectory }).source).toBe('built-in');
  });

  it('takes an empty object for a bench with nothing on it', () => {
    const path = writeProject({});
    expect(load()).toEqual({
      source: 'project',
      path,
      project_id: null,
      devices: [],
      networks: {},
      databases: {},
      ecus: {},
      recorders: {},
      firmware_index: null,
      dashboard: null,
    });
  });

  it('reads every form of a network, and fills in what a serial line leaves out', () => {
    writeProject({
      devices: [
        { driver: 'virtual', address: 'SIM00001', ports: { 0: 'engine', 5: 'lin-door' } },
        { driver: 'slcan', address: '/dev/ttyACM0' },
      ],
      networks: {
        powertrain: 'SIM00001/0',
        spare: null,
        body: { channel: 'sim-0000-0001/4' },
        chassis: { channel: 'SIM00001/1', restart_ms: 100 },
        later: { channel: null },
        plc: { tcp: { host: 'plc.local', port: 502 } },
        converter: {
          tcp: {
            host: '10.0.0.9',
            port: 4001,
            framing: 'rtu',
            gap_ms: 2000,
            probe: false,
            units: { 3: { late_ms: 5000 } },
          },
        },
        meter: { serial: { port: '/dev/ttyUSB0', framing: 'rtu' } },
        old: { serial: { port: '/dev/ttyUSB1', framing: 'ascii', stop_bits: 2, baud_rate: 9600 } },
        slow: {
          serial: {
            port: '/dev/ttyUSB2',
            framing: 'rtu',
            gap_ms: 800,
            late_ms: 3000,
            units: { 7: { probe: false } },
          },
        },
      },
      firmware_index: 'firmware.json',
    });
    expect(load()).toMatchObject({
      devices: [
        { driver: 'virtual', address: 'SIM00001', ports: { 0: 'engine', 5: 'lin-door' } },
        { driver: 'slcan', address: '/dev/ttyACM0', ports: {} },
      ],
      networks: {
        powertrain: { channel: 'SIM00001/0' },
        spare: { channel: null },
        body: { channel: 'sim-0000-0001/4' },
        chassis: { channel: 'SIM00001/1', restart_ms: 100 },
        later: { channel: null },
        plc: { tcp: { host: 'plc.local', port: 502 } },
        converter: {
          tcp: { framing: 'rtu', gap_ms: 2000, probe: false, units: { 3: { late_ms: 5000 } } },
        },
        meter: {
          serial: {
            port: '/dev/ttyUSB0',
            framing: 'rtu',
            baud_rate: 19_200,
            data_bits: 8,
            parity: 'even',
            stop_bits: 1,
          },
        },
        old: {
          serial: {
            port: '/dev/ttyUSB1',
            framing: 'ascii',
            baud_rate: 9600,
            data_bits: 7,
            parity: 'even',
            stop_bits: 2,
          },
        },
        slow: { serial: { gap_ms: 800, late_ms: 3000, units: { 7: { probe: false } } } },
      },
      firmware_index: 'firmware.json',
    });
  });

  it('keeps a network with a name that objects have already', () => {
    writeProject('{"networks":{"__proto__":"SIM00001/0","constructor":null}}');
    const { networks } = load();
    expect(Object.keys(networks)).toEqual(['__proto__', 'constructor']);
  });

  it('tells drivers that there are not, and addresses that their driver cannot read', () => {
    writeProject({
      devices: [
        { driver: 'lin-uart', address: '/dev/ttyUSB0,break=baud' },
        { driver: 'lin-uart', address: 'ttyUSB0' },
        { driver: 'lin-uart', address: '/dev/ttyUSB0,speed=1' },
        { driver: 'toString', address: 'x' },
      ],
    });
    expect(fieldsAtFault()).toEqual([
      'devices[3].driver',
      'devices[1].address',
      'devices[2].address',
    ]);
  });

  it('tells which addresses are no slcan adapters', () => {
    writeProject({
      devices: [
        { driver: 'slcan', address: '/dev/ttyACM0' },
        { driver: 'slcan', address: 'ttyACM0' },
        { driver: 'slcan', address: '/dev/ttyUSB0,baud=1' },
      ],
    });
    expect(fieldsAtFault()).toEqual(['devices[1].address', 'devices[2].address']);
  });

  it.each<[string, object]>([
    ['F190.length', { F190: { length: 0 } }],
    ['F190.codec', { F190: { codec: 'utf8' } }],
    ['F190.kind', { F190: { name: 'vin', kind: 'ascii' } }],
    ['f190', { F190: {}, f190: {} }],
    ['XYZ', { XYZ: {} }],
  ])('names the entry of a data identifier at fault: %s', (field, dids) => {
    const ids = { request_id: '7E0', response_id: '7E8' };
    writeProject({ ecus: { engine: { channel: 'engine', ...ids, dids } } });
    expect(fieldsAtFault()).toEqual([`ecus.engine.dids.${field}`]);
  });

  it('tells all problems at once, each with its field', () => {
    const path = writeProject({
      project_id: 7,
      surplus: 1,
      devices: [
        { driver: '', extra: true },
        { driver: 'virtual', address: 'A', ports: { 0: 'engine', 1: 'engine', '01': 'x', 2: '7' } },
        { driver: 'virtual', address: 'B', ports: { 0: 'engine', x: 'a/b' } },
        { driver: 'virtual', address: 'C', ports: { 0: 3 } },
      ],
      networks: {
        engine: 'A/0',
        12: null,
        'two words': null,
        word: 'engine',
        slot: '0',
        number: 5,
        list: [],
        empty: {},
        both: { channel: 'A/0', tcp: { host: 'h', port: 1 } },
        bus: { channel: 'A/x' },
        restarts: { channel: 'A/0', restart_ms: -1 },
        plc: { tcp: { host: '', port: 70_000, unit: 1 } },
        converter: { tcp: { host: 'h', port: 1, framing: 'ascii' } },
        numbered: { tcp: { host: 'h', port: 1, late_ms: 5, units: {} } },
        unnumbered: { tcp: { host: 'h', port: 1, framing: 'rtu', units: { 0: {} } } },
        line: { serial: { port: 'p', framing: 'tcp', parity: 'mark', data_bits: 9 } },
        late: {
          serial: {
            port: 'p',
            framing: 'rtu',
            gap_ms: 0,
            late_ms: '1',
            units: { 0: {}, 248: {}, 5: { probe: 'no', gap_ms: 5 } },
          },
        },
      },
      databases: {},
      ecus: {},
      firmware_index: null,
    });
    const { code, details } = refusal();
    expect(code).toBe('invalid_bench');
    expect(details.path).toBe(path);
    expect(details.problems.map(({ field }) => field).sort()).toEqual(
      [
        'project_id',
        'surplus',
        'devices[0].driver',
        'devices[0].address',
        'devices[0].extra',
        'devices[1].ports.1',
        'devices[1].ports.01',
        'devices[1].ports.2',
        'devices[2].ports.0',
        'devices[2].ports.x',
        'devices[2].ports.x',
        'devices[3].ports.0',
        'networks.restarts.restart_ms',
        'networks.engine',
        'networks.12',
        'networks["two words"]',
        'networks.word',
        'networks.slot',
        'networks.number',
        'networks.list',
        'networks.empty',
        'networks.both.tcp',
        'networks.bus.channel',
        'networks.plc.tcp.host',
        'networks.plc.tcp.port',
        'networks.plc.tcp.unit',
        'networks.converter.tcp.framing',
        'networks.numbered.tcp.late_ms',
        'networks.numbered.tcp.units',
        'networks.unnumbered.tcp.units.0',
        'networks.line.serial.framing',
        'networks.line.serial.parity',
        'networks.line.serial.data_bits',
        'networks.late.serial.gap_ms',
        'networks.late.serial.late_ms',
        'networks.late.serial.units.5.probe',
        'networks.late.serial.units.5.gap_ms',
        'networks.late.serial.units.0',
        'networks.late.serial.units.248',
        'firmware_index',
      ].sort(),
    );
    for (const { field, message } of details.problems) {
      expect(message?.startsWith(`${field} `)).toBe(true);
    }
  });

  it('names the recorder and the field of a wrong type, and at most 16 are possible', () => {
    const good = { file: 'night-{n}.asc', channels: ['SIM00001/0', 'engine'] };
    writeProject({
      recorders: {
        good,
        logging: good,
        'two words': good,
        none: {},
        extra: { ...good, state: 'idle' },
        typed: { ...good, split: { max_seconds: '60' }, channels: '0' },
        empty: { ...good, channels: [] },
      },
    });
    expect(fieldsAtFault().sort()).toEqual([
      'recorders.empty.channels',
      'recorders.extra.state',
      'recorders.logging',
      'recorders.none.file',
      'recorders.typed.channels',
      'recorders.typed.split.max_seconds',
      'recorders["two words"]',
    ]);
    const wrong = { file: 'a.txt', channels: ['a/b'], trigger: { start: 'frame' } };
    writeProject({ recorders: { good, wrong } });
    expect(load().recorders).toEqual({ good, wrong });
    const many = Array.from({ length: 17 }, (_, index) => [`r${index}`, good]);
    writeProject({ recorders: Object.fromEntries(many.slice(1)) });
    expect(Object.keys(load().recorders)).toHaveLength(16);
    writeProject({ recorders: Object.fromEntries(many) });
    expect(fieldsAtFault()).toEqual(['recorders']);
  });

  it('says what a problem is in words', () => {
    writeProject({ networks: { a: { serial: { port: 'p', framing: 'x' } } }, nope: 1 });
    expect(refusal().details.problems).toEqual([
      { field: 'nope', message: 'nope is not a known field' },
      {
        field: 'networks.a.serial.framing',
        message: 'networks.a.serial.framing must be one of rtu, ascii',
      },
    ]);
  });

  it('does not let a hostile file fill the answer', () => {
    writeProject({ networks: Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [i, 1])) });
    expect(refusal().details.problems).toHaveLength(200);
  });

  it.each([
    ['a list', '[]', ''],
    ['a duplicate key', '{"networks":{"a":null,"a":null}}', 'networks.a'],
    ['a comment', '{} // bench', ''],
    ['nothing', '', ''],
    ['a number beyond all integers', '{"project_id":99999999999999999999}', 'project_id'],
  ])('refuses %s', (_, content, field) => {
    writeProject(content);
    expect(fieldsAtFault()).toEqual([field]);
  });

  it('refuses bytes that are not UTF-8', () => {
    writeProject(new Uint8Array([0x7b, 0xff, 0x7d]));
    expect(refusal()).toMatchObject({ code: 'invalid_bench', details: { problems: [{}] } });
  });

  it('takes a file of 1 MiB and none that is larger', () => {
    const mebibyte = 1024 * 1024;
    writeProject('{}'.padEnd(mebibyte));
    expect(load().source).toBe('project');
    writeProject('{}'.padEnd(mebibyte + 1));
    expect(refusal().details.problems).toEqual([
      { field: '', message: 'The file is larger than 1 MiB' },
    ]);
  });

  it('refuses a directory of that name instead of looking elsewhere', () => {
    files.directory(`project/${benchFileName}`);
    expect(refusal().code).toBe('invalid_bench');
  });

  it('does not wait at a pipe of that name', () => {
    execFileSync('mkfifo', [join(files.project, benchFileName)]);
    expect(refusal().details.problems).toEqual([
      { field: '', message: 'The file is not a regular file' },
    ]);
  });

  it.skipIf(process.getuid?.() === 0)('refuses a file that it may not read', () => {
    chmodSync(writeProject({}), 0);
    expect(refusal().details.problems).toEqual([
      { field: '', message: 'The file cannot be read (EACCES)' },
    ]);
  });

  it('refuses a link that leads to itself', () => {
    files.link(`project/${benchFileName}`, benchFileName);
    expect(refusal().details.problems).toEqual([
      { field: '', message: 'The file cannot be read (ELOOP)' },
    ]);
  });
});

describe('globalBenchDirectory', () => {
  it.each([
    [{ XDG_CONFIG_HOME: '/etc/xdg', HOME: '/home/a' }, '/etc/xdg/busbar'],
    [{ XDG_CONFIG_HOME: '', HOME: '/home/a' }, '/home/a/.config/busbar'],
    [{ XDG_CONFIG_HOME: 'relative', HOME: '/home/a' }, '/home/a/.config/busbar'],
    [{ HOME: '/home/a' }, '/home/a/.config/busbar'],
    [{}, join(homedir(), '.config/busbar')],
  ])('is, for %j, %s', (env, directory) => {
    expect(globalBenchDirectory(env)).toBe(directory);
  });
});
