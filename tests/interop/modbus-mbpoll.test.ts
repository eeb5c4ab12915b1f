import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  connectClient,
  discreteAt,
  inputAt,
  patiently,
  portOf,
  serveFromDaemon,
  serveHere,
  setUpWire,
  useDaemon,
} from '../support/modbus-rig.ts';
import { hasPeer } from '../support/peers.ts';
import { hasMbpoll, runMbpoll as run, valuesIn, written } from './support/mbpoll.ts';
import { holdingValues } from './support/unit-client.ts';

const hasWire = hasMbpoll && hasPeer('/usr/bin/socat', 'socat');

const exercise = async (...link: readonly string[]): Promise<void> => {
  expect(written(await run('-t', '4', '-r', '101', ...link, '7'))).toBe(1);
  expect(written(await run('-t', '4', '-r', '102', ...link, '1', '65535', '32768'))).toBe(3);
  const read = await run('-t', '4', '-r', '101', '-c', '4', '-1', ...link);
  expect(valuesIn(read)).toEqual({ 101: '7', 102: '1', 103: '65535', 104: '32768' });
  expect(written(await run('-t', '0', '-r', '11', ...link, '1', '0', '1', '1'))).toBe(4);
  const coils = await run('-t', '0', '-r', '11', '-c', '5', '-1', ...link);
  expect(valuesIn(coils)).toEqual({ 11: '1', 12: '0', 13: '1', 14: '1', 15: '0' });
  expect(Object.keys(valuesIn(await run('-t', '4', '-c', '125', '-1', ...link)))).toHaveLength(125);
};

describe.runIf(hasMbpoll)('mbpoll over TCP', () => {
  const bench = useDaemon();
  const linkTo = (endpoint: string): string[] => [
    ...['-m', 'tcp', '-p', String(portOf(endpoint)), '127.0.0.1'],
  ];

  it('reads and writes a server of the daemon', async () => {
    const endpoint = await serveFromDaemon(bench(), 'tcp:127.0.0.1:0');
    await exercise(...linkTo(endpoint));
    expect(
      await bench().json(
        ...['modbus', 'read', `--endpoint=${endpoint}`, '--unit=1', '--reference=40101'],
        ...['--count=4', patiently],
      ),
    ).toMatchObject({ values: ['7', '1', '65535', '32768'] });
  });

  it('reads inputs', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const link = linkTo(endpoint);
    const registers = await run('-t', '3', '-r', '10', '-c', '3', '-1', ...link);
    expect(valuesIn(registers)).toEqual({
      10: String(inputAt(9)),
      11: String(inputAt(10)),
      12: String(inputAt(11)),
    });
    const bits = await run('-t', '1', '-r', '1', '-c', '4', '-1', ...link);
    expect(Object.values(valuesIn(bits))).toEqual([0, 1, 2, 3].map((at) => String(discreteAt(at))));
  });

  it('reads what a map has put into every table, and meets its faults', async () => {
    writeFileSync(
      join(bench().project, 'pump.map.json'),
      JSON.stringify({
        units: [
          {
            unit: 1,
            coil: [{ address: 4, values: [true, 0, '1'] }],
            discrete: [{ reference: '10011', values: [1, false] }],
            input: [{ address: '0x10', type: 'f32', order: 'CDAB', values: [-0.15625] }],
            holding: [{ address: 0, count: 2, access: 'read', values: ['0xBEEF'] }],
          },
          { unit: 2, holding: [{ address: 0, count: 1 }], faults: [{ exception: 'device_busy' }] },
        ],
      }),
    );
    const link = linkTo(await serveFromDaemon(bench(), 'tcp:127.0.0.1:0', '--map=pump.map.json'));
    const read = async (...items: readonly string[]) =>
      valuesIn(await run(...items, '-1', ...link));
    expect(await read('-t', '0', '-r', '5', '-c', '3')).toEqual({ 5: '1', 6: '0', 7: '1' });
    expect(await read('-t', '1', '-r', '11', '-c', '2')).toEqual({ 11: '1', 12: '0' });
    expect(await read('-t', '3:float', '-r', '17')).toEqual({ 17: '-0.15625' });
    expect(await read('-t', '4', '-r', '1', '-c', '2')).toEqual({ 1: '48879', 2: '0' });
    const beyond = await run('-t', '4', '-r', '1', '-c', '3', '-1', ...link);
    expect(beyond.output).toContain('Illegal data address');
    expect((await run('-t', '4', '-r', '1', ...link, '5')).output).toContain(
      'Illegal data address',
    );
    const busy = await run('-a', '2', '-t', '4', '-r', '1', '-1', ...link);
    expect(busy.output).toContain('Slave device or server is busy');
  });

  it('is told of addresses that are not there', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const { code, output } = await run(
      '-t',
      '4',
      '-r',
      '3000',
      '-c',
      '2',
      '-1',
      ...linkTo(endpoint),
    );
    expect(code).not.toBe(0);
    expect(output).toContain('Illegal data address');
  });

  it('makes the same 32-bit values of our registers as we of its', async () => {
    const { endpoint } = await serveHere('tcp:127.0.0.1:0');
    const link = linkTo(endpoint);
    const client = await connectClient(endpoint);
    for (const [flags, order] of [[['-B'], 'ABCD'] as const, [[], 'CDAB'] as const]) {
      const [integers, floats] = [
        holdingValues(client, 's32', order),
        holdingValues(client, 'f32', order),
      ];
      await integers.write(100, '-559038737');
      const whole = await run('-t', '4:int', ...flags, '-r', '101', '-1', ...link);
      expect(valuesIn(whole)).toEqual({ 101: '-559038737' });
      await floats.write(100, '-0.15625');
      const float = await run('-t', '4:float', ...flags, '-r', '101', '-1', ...link);
      expect(valuesIn(float)).toEqual({ 101: '-0.15625' });
      await run('-t', '4:int', ...flags, '-r', '201', ...link, '--', '-2', '305419896');
      expect(await integers.read(200, 2)).toEqual(['-2', '305419896']);
      await run('-t', '4:float', ...flags, '-r', '201', ...link, '1234.5');
      expect(await floats.read(200, 1)).toEqual(['1234.5']);
    }
  });
});

describe.runIf(hasWire)('mbpoll over RTU', () => {
  const bench = useDaemon();

  it('reads and writes a server of the daemon', async () => {
    const wire = await setUpWire();
    await serveFromDaemon(bench(), `rtu:${wire.one}:9600,8N2`);
    await exercise('-m', 'rtu', '-b', '9600', '-P', 'none', '-s', '2', wire.other);
  });

  it('is told of addresses that are not there', async () => {
    const wire = await setUpWire();
    await serveHere(`rtu:${wire.one}`);
    const { code, output } = await run('-m', 'rtu', '-r', '3000', '-c', '2', '-1', wire.other);
    expect(code).not.toBe(0);
    expect(output).toContain('Illegal data address');
  });
});
