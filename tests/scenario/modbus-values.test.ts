import { describe, expect, it } from 'vitest';
import { valueTypes } from '../../src/modbus/pdu/value-types.ts';
import { wordOrders } from '../../src/modbus/pdu/word-order.ts';
import { patiently, serveFromDaemon, useDaemon } from '../support/modbus-rig.ts';
import { writeBench } from './support/bench-files.ts';

/** A value of each type, and its registers in the order ABCD. */
const samples = {
  u16: ['4660', [0x1234]],
  s16: ['-2', [0xfffe]],
  u32: ['16909060', [0x0102, 0x0304]],
  s32: ['-2', [0xffff, 0xfffe]],
  u64: ['72623859790382856', [0x0102, 0x0304, 0x0506, 0x0708]],
  s64: ['-9223372036854775808', [0x8000, 0, 0, 0]],
  f32: ['123456', [0x47f1, 0x2000]],
  f64: ['-0.1', [0xbfb9, 0x9999, 0x9999, 0x999a]],
} as const;

const numericTypes = valueTypes.filter((type) => type !== 'bool');

const swapped = (register: number): number => ((register & 0xff) << 8) | (register >> 8);

const inOrder = (registers: readonly number[], order: string): number[] => {
  const words = order === 'CDAB' || order === 'DCBA' ? registers.toReversed() : registers;
  return order === 'BADC' || order === 'DCBA' ? words.map(swapped) : [...words];
};

describe('modbus read and write', () => {
  const bench = useDaemon();
  const linkTo = async () => {
    const endpoint = await serveFromDaemon(bench(), 'tcp:127.0.0.1:0');
    return {
      endpoint,
      // CLI processes would take longer than everything else; only the last tests use some.
      call: (verb: string, ...args: string[]) =>
        bench().json('modbus', verb, `--endpoint=${endpoint}`, '--unit=1', patiently, ...args),
    };
  };

  it.each(wordOrders)('carry every type in the order %s', async (order) => {
    const { call, endpoint } = await linkTo();
    for (const type of numericTypes) {
      const [value, registers] = samples[type];
      const items = ['--table=holding', '--address=100', `--type=${type}`, `--order=${order}`];
      const record = {
        network: null,
        endpoint,
        unit: 1,
        table: 'holding',
        address: 100,
        reference: '40101',
        type,
        order,
        values: [value],
        registers: inOrder(registers, order),
        attempts: 1,
      };
      const written = await call('write', ...items, `--value=${value}`);
      expect(written).toEqual({ ...record, rounded: [] });
      expect(await call('read', ...items)).toEqual(record);
    }
  });

  it('carry bools in registers, which have no order', async () => {
    const { call } = await linkTo();
    const items = ['--table=holding', '--address=100', '--type=bool'];
    const record = { type: 'bool', values: ['true', 'false'], registers: [1, 0] };
    expect(await call('write', ...items, '--value=true', '--value=0')).toMatchObject(record);
    expect(await call('read', ...items, '--count=2')).toMatchObject(record);
  });

  it('tell items by address and by reference, and show both', async () => {
    const { call } = await linkTo();
    await call('write', '--reference=40008', '--value=1', '--value=2', '--value=3');
    const rows: [args: string[], found: object][] = [
      [['--table=holding', '--address=8'], { address: 8, reference: '40009', values: ['2'] }],
      [['--table=holding', '--address=0x0008'], { address: 8, values: ['2'] }],
      [['--reference=40009'], { table: 'holding', address: 8, values: ['2'] }],
      [['--reference=400009'], { address: 8, reference: '40009', values: ['2'] }],
      [['--table=holding', '--reference=40010'], { address: 9, values: ['3'] }],
      [['--table=input', '--address=8'], { reference: '30009', values: ['0'] }],
      [['--reference=10001'], { table: 'discrete', type: 'bool', values: ['false'] }],
      [['--reference=00001', '--count=2'], { table: 'coil', values: ['false', 'false'] }],
      [['--table=holding', '--address=9999'], { reference: '410000', values: ['0'] }],
      [['--reference=465536'], { address: 65_535, reference: '465536' }],
    ];
    for (const [args, found] of rows) expect(await call('read', ...args)).toMatchObject(found);
  });

  it('carry as much as one request can, and count values rather than registers', async () => {
    const { call } = await linkTo();
    const values = Array.from({ length: 123 }, (_, at) => String(500 * at));
    await call('write', '--reference=40001', ...values.map((value) => `--value=${value}`));
    const max = await call('read', '--reference=40001', '--count=125');
    expect(max).toMatchObject({ values: [...values, '0', '0'] });
    const wide = await call('read', '--reference=40001', '--type=f64', '--count=31');
    expect(wide.values).toHaveLength(31);
    expect(wide.registers).toHaveLength(124);
    const coils = await call('read', '--reference=00001', '--count=2000');
    expect(coils.values).toHaveLength(2000);
  });

  it('write coils, one or several, and with the function for several when asked', async () => {
    const { call } = await linkTo();
    await call('write', '--reference=00011', '--value=true');
    await call('write', '--reference=00012', '--value=1', '--multiple');
    await call('write', '--reference=00013', '--value=0', '--value=true', '--value=false');
    await call('write', '--reference=40001', '--value=7');
    await call('write', '--reference=40002', '--value=8', '--multiple');
    expect(await call('read', '--reference=00011', '--count=5')).toMatchObject({
      values: ['true', 'true', 'false', 'true', 'false'],
      registers: [1, 1, 0, 1, 0],
    });
    const { servers } = await bench().json<{ servers: object[] }>('modbus', 'status');
    expect(servers).toMatchObject([
      { requests_by_function: { 1: 1, 5: 1, 6: 1, 15: 2, 16: 1 }, exceptions: {} },
    ]);
  });

  it('change single bits of a register and leave the others alone', async () => {
    const { call } = await linkTo();
    await call('write', '--reference=40005', '--value=240');
    const bits = ['--bit=0=1', '--bit=15=true', '--bit=4=0', '--bit=5=false'];
    expect(await call('write', '--reference=40005', ...bits)).toMatchObject({
      table: 'holding',
      address: 4,
      values: [String(0x80c1)],
      registers: [0x80c1],
    });
    expect(await call('read', '--reference=40005')).toMatchObject({ registers: [0x80c1] });
  });

  it('find a network of the bench that the caller chose', async () => {
    const { call, endpoint } = await linkTo();
    const port = Number(endpoint.slice(endpoint.lastIndexOf(':') + 1));
    writeBench(bench().project, { networks: { plc: { tcp: { host: 'localhost', port } } } });
    await call('write', '--reference=40001', '--value=99');
    expect(
      await bench().json(
        ...['modbus', 'read', '--network=plc', '--unit=1', '--reference=40001'],
        patiently,
      ),
    ).toMatchObject({ address: 0, values: ['99'] });
    writeBench(bench().project, { networks: {} });
  });

  it('print text, one line of JSON, and CSV', async () => {
    const { call, endpoint } = await linkTo();
    await call('write', '--reference=40001', '--value=5', '--value=6');
    const print = (format: string) =>
      bench().ask([
        ...['modbus', 'read', `--endpoint=${endpoint}`, '--unit=1', '--reference=40001'],
        ...['--count=2', `--format=${format}`, patiently],
      ]);
    const text = (await print('text')).stdout;
    expect(text).toMatch(/^table +holding$/m);
    const lines = text.split('\n').map((row) => row.trim().split(/ {2,}/));
    expect(lines).toEqual(
      expect.arrayContaining([
        ['address', 'reference', 'value', 'hex'],
        ['0', '40001', '5', '0x0005'],
        ['1', '40002', '6', '0x0006'],
      ]),
    );
    const line = (await print('jsonl')).stdout;
    expect(line.trimEnd()).not.toContain('\n');
    expect(JSON.parse(line)).toMatchObject({ values: ['5', '6'], registers: [5, 6] });
    const csv = (await print('csv')).stdout.trimEnd().split(/\r?\n/);
    expect(csv).toEqual(
      expect.arrayContaining(['path,value', 'address,0', 'reference,40001', 'values[1],6']),
    );
  });
});
