import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { askJson } from '../support/http.ts';
import { patiently, portOf, useDaemon } from '../support/modbus-rig.ts';

/** A meter with input values, and units that return exceptions, are silent, or are slow. */
const map = {
  name: 'A meter, and units that misbehave',
  units: [
    {
      unit: 1,
      name: 'flow meter',
      input: [{ reference: '30001', type: 'f32', order: 'CDAB', values: [12.5, -0.25] }],
      discrete: [{ address: 0, values: [true, false, 1] }],
      holding: [
        { address: 0, count: 4, values: ['0xBEEF'] },
        { address: 100, count: 2, access: 'read', values: [7] },
      ],
    },
    { unit: '0x11', holding: [{ address: 0, count: 1 }], faults: [{ exception: 'device_busy' }] },
    {
      unit: 18,
      holding: [{ address: 0, count: 2 }],
      faults: [{ functions: [6], silent: true }],
    },
  ],
};

interface Served {
  readonly address: string;
  readonly units: readonly number[];
  readonly requests: number;
  readonly faults: Readonly<Record<string, number>>;
}

const spaced = (hex: string): string => hex.replace(/..(?=.)/g, '$& ');

describe('a server with a map', () => {
  const bench = useDaemon();
  let endpoint = '';

  const serve = (file: string, content: unknown): Promise<Served> => {
    writeFileSync(join(bench().project, file), JSON.stringify(content));
    return bench().json('modbus', 'serve', '--endpoint=rtu-tcp:127.0.0.1:0', `--map=${file}`);
  };

  const at = (unit: number | string, reference: string | number): string[] => [
    ...[`--endpoint=${endpoint}`, `--unit=${unit}`, `--reference=${reference}`],
  ];

  const counts = async (): Promise<Served> => {
    const { servers } = await bench().json<{ servers: Served[] }>('modbus', 'status');
    return servers.find(({ address }) => address === endpoint) as Served;
  };

  beforeAll(async () => {
    const served = await serve('meter.map.json', map);
    expect(served).toMatchObject({ units: [1, 17, 18], map: 'meter.map.json', unit: null });
    endpoint = served.address;
  });

  afterAll(async () => {
    const stopped = await bench().json(
      ...['modbus', 'stop', `--endpoint=rtu-tcp:localhost:${portOf(endpoint)}`],
    );
    expect(stopped).toMatchObject({ state: 'stopped', address: endpoint });
  });

  it('has what the map says, and nothing else', async () => {
    const float = ['--type=f32', '--order=CDAB', '--count=2', patiently];
    const meter = await bench().json('modbus', 'read', ...at(1, 30001), ...float);
    expect(meter).toMatchObject({ values: ['12.5', '-0.25'] });
    const inputs = await bench().json('modbus', 'read', ...at(1, 10001), '--count=3', patiently);
    expect(inputs).toMatchObject({ values: ['true', 'false', 'true'] });
    for (const refused of [
      ['read', ...at(1, 40005)],
      ['write', ...at(1, 40101), '--value=1'],
    ]) {
      expect(await bench().failure('modbus', ...refused, patiently)).toMatchObject({
        code: 'modbus_exception',
        details: { unit: 1, exception: 2, name: 'illegal_data_address', attempts: 1 },
      });
    }
  });

  it('shows values, hex and raw bytes to people, one line an address', async () => {
    const { stdout, stderr } = await bench().ask([
      ...['modbus', 'read', ...at('0x1', 40001), '--count=0x2', '--show=hex', '--trace', patiently],
    ]);
    const rows = stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.split(/ {2,}/));
    expect(rows.slice(-2)).toEqual([
      ['0x0000', '40001', '0xBEEF', '0xBEEF'],
      ['0x0001', '40002', '0x0000', '0x0000'],
    ]);
    const [sent, ...received] = stderr
      .trimEnd()
      .split('\n')
      .map((line) => line.split('  '));
    expect(sent?.slice(1)).toEqual(['tx', '01 03 00 00 00 02 C4 0B']);
    expect(received.map(([, , bytes]) => bytes).join(' ')).toBe('01 03 04 BE EF 00 00 EF EE');
  });

  it('is scanned from the command line and over HTTP, a line or a record for each unit', async () => {
    const { code, stdout, stderr } = await bench().ask([
      ...['modbus', 'scan', `--endpoint=${endpoint}`, '--units=1,17-18', patiently],
    ]);
    expect([code, stderr]).toEqual([0, '3 of 3 units answered, 0 timed out\n']);
    expect(stdout.replace(/\d+\.\d ms/g, '… ms').split('\n')).toEqual([
      '  1  answering  … ms',
      ' 17  exception 06 (device busy)  … ms',
      ' 18  answering  … ms',
      '',
    ]);
    const { port } = await bench().startWeb();
    const json = { endpoint, units: '17', timeout_ms: 30_000 };
    const answer = await askJson({ port, path: '/api/v1/modbus/scan', json });
    expect(answer.json()).toMatchObject({
      units: [{ unit: 17, state: 'exception', exception: { code: 6, name: 'device_busy' } }],
      silent: [],
    });
  });

  it('meets as many attempts as its caller makes, and tells what it did on purpose', async () => {
    const before = await counts();
    const write = ['modbus', 'write', ...at(18, 40002), '--value=0x1F', '--timeout-ms=1000'];
    // Without probes, every attempt is the write itself.
    const attempts = ['--retries=2', '--probe=false', '--late-ms=1', '--trace'];
    const { code, details } = await bench().failure(...write, ...attempts);
    expect([code, details.attempts]).toEqual(['modbus_timeout', 3]);
    const sent = (details.trace as { data: string }[]).map(({ data }) => spaced(data));
    expect(sent).toEqual(new Array(3).fill('12 06 00 01 00 1F 9B 61'));
    const { faults } = await counts();
    expect(faults).toEqual({ ...before.faults, silent: (before.faults.silent ?? 0) + 3 });
    const read = await bench().json('modbus', 'read', ...at(18, 40002), patiently);
    expect(read).toMatchObject({ values: ['0'] });
  });

  it('makes a poll fail that it never answers with values', async () => {
    const poll = ['modbus', 'poll', ...at(17, 40001), '--period-ms=10', '--polls=2', patiently];
    const { code, stdout, stderr } = await bench().ask(poll);
    expect(code).toBe(1);
    expect(stdout.match(/modbus_exception: .* exception 06 \(device busy\)/g)).toHaveLength(2);
    expect(stderr).toContain('no poll succeeded');
  });

  it('is refused where the map is wrong, with all that is, or is none of the project', async () => {
    const wrong = {
      units: [
        { unit: 0, holding: [{ address: 0, values: [70_000] }] },
        {
          unit: 2,
          holding: [
            { address: 0, count: 2 },
            { address: 1, count: 1 },
          ],
        },
        { unit: 2, faults: [{ exception: 'none' }, { silent: true, delay_ms: 5 }] },
      ],
    };
    writeFileSync(join(bench().project, 'wrong.map.json'), JSON.stringify(wrong));
    const serving = ['modbus', 'serve', '--endpoint=rtu-tcp:127.0.0.1:0'];
    const { code, details } = await bench().failure(...serving, '--map=wrong.map.json');
    expect([code, details.field]).toEqual(['invalid_modbus_map', 'map']);
    expect((details.problems as { field: string }[]).map(({ field }) => field).sort()).toEqual([
      'units[0].holding[0].values[0]',
      'units[0].unit',
      'units[1].holding[1]',
      'units[2].faults[0].exception',
      'units[2].faults[1].silent',
      'units[2].unit',
    ]);
    expect(await bench().failure(...serving, '--map=../home/daemon.json')).toMatchObject({
      code: 'path_outside_project',
      details: { field: 'map' },
    });
    expect(await bench().failure(...serving, '--map=none.map.json')).toMatchObject({
      code: 'file_not_found',
    });
    const { servers } = await bench().json<{ servers: Served[] }>('modbus', 'status');
    expect(servers.map(({ address }) => address)).toEqual([endpoint]);
  });
});
