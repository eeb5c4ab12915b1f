import { describe, expect, it } from 'vitest';
import { HandlerBench } from '../../modbus/server/testing/handler-bench.ts';
import { ServerImage } from '../modbus/server-image.ts';
import { plantResources, writtenRaws } from '../modbus/testing/server-resources.ts';

/** A server that exposes an image, and nothing else. */
const serve = () => {
  const resources = plantResources();
  const image = new ServerImage(resources);
  const bytes = new Uint8Array(image.length);
  const bench = new HandlerBench({ map: image.map, check: (write) => image.check(write) });
  const inputs = () => bench.written.flatMap((write) => writtenRaws(image, resources, write));
  const put = (index: number, ...items: readonly number[]): void => {
    bytes.set(items, resources[index]?.at);
    image.put(bench.model, index, bytes);
  };
  return { bench, inputs, put };
};

/** Consecutive requests and their responses. */
const exchanges = [
  // The memory is initially zero.
  ['04 0000 0002', '04 04 00000000'],
  ['03 000A 0006', '03 0C 000000000000000000000000'],
  // Undeclared.
  ['04 0000 0004', '84 02'],
  ['03 0000 0001', '83 02'],
  ['01 0000 0004', '81 02'],
  ['02 0007 0002', '82 02'],
  ['06 0000 0001', '86 02'],
  ['05 0002 FF00', '85 02'],
  // Served.
  ['06 0016 0001', '86 02'],
  ['05 0005 FF00', '85 02'],
  ['0F 0003 0003 01 07', '8F 02'],
  // A partial write, or an invalid raw value: nothing is written.
  ['06 000B 0001', '86 03'],
  ['06 000A 0065', '86 03'],
  ['10 000A 0005 0A 0065 0000000000000001', '90 03'],
  ['10 000A 0002 04 0001 0002', '90 03'],
  ['03 000A 0006', '03 0C 000000000000000000000000'],
  // Taken.
  ['06 000A 0037', '06 000A 0037'],
  ['10 000B 0004 08 0000000000000102', '10 000B 0004'],
  ['03 000A 0005', '03 0A 00370000000000000102'],
  ['0F 0003 0002 01 03', '0F 0003 0002'],
  ['01 0003 0003', '01 01 03'],
  // Bits of a word: mask writes, and combined reads and writes.
  ['16 000F FDFF 0200', '16 000F FDFF 0200'],
  ['03 000F 0001', '03 02 0200'],
  ['17 000F 0001 000F 0001 02 0001', '17 02 0001'],
  // A mask write to half a value, or a combined read of a missing register.
  ['16 000B 0000 0000', '96 03'],
  ['17 0000 0001 000A 0001 02 0001', '97 02'],
  ['17 000A 0001 000A 0001 02 0065', '97 03'],
  ['03 000A 0001', '03 02 0037'],
] as const;

describe('a server with the image of an endpoint', () => {
  it('answers requests one behind the other', () => {
    const { bench } = serve();
    const answers = exchanges.map(([request]) => [request, bench.ask(request)]);
    expect(answers).toEqual(
      exchanges.map(([request, answer]) => [request, answer.replaceAll(' ', '')]),
    );
    expect(bench.defects).toEqual([]);
  });

  it('tells what was written, and of refused writes nothing', () => {
    const { bench, inputs } = serve();
    for (const [request] of exchanges) bench.ask(request);
    expect(inputs()).toEqual([
      [0, 0x37],
      [1, 0x102],
      [6, 1],
      [7, 1],
      [2, 0],
      [3, 1],
      [2, 1],
      [3, 0],
    ]);
  });

  it('shows what is served, bit by bit where words hold bits', () => {
    const { bench, put } = serve();
    put(8, 0x12, 0x34, 0x56, 0x78);
    put(9, 0x00, 0x10);
    put(10, 1);
    put(2, 0x00, 0x01);
    put(3, 0x02, 0x00);
    put(2, 0x00, 0x00);
    expect(bench.ask('04 0000 0003')).toBe('0406123456780010');
    expect(bench.ask('02 0007 0001')).toBe('020101');
    expect(bench.ask('03 000F 0001')).toBe('03020200');
  });
});
