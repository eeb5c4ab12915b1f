import fc from 'fast-check';
import { describe, expect, it as itAlways } from 'vitest';
import { product } from '../../base/product.ts';
import { cases, itOnce as it } from '../../base/testing/long.ts';
import { decodeResponse } from '../pdu/decode-response.ts';
import { deviceIdentity } from '../pdu/device-identity.ts';
import { encodeRequest } from '../pdu/encode-request.ts';
import { identifyRequest } from '../pdu/make-request.ts';
import { arbitraryRequest } from '../pdu/testing/arbitrary-requests.ts';
import { bytesOf, hexOf } from '../pdu/testing/bytes-of.ts';
import type { RegisterMap } from './register-map.ts';
import { HandlerBench } from './testing/handler-bench.ts';
import {
  isZero,
  readBits,
  readRegisters,
  readValues,
  writeBits,
  writeRegisters,
  writeValues,
} from './testing/held-data.ts';

const filled = (): HandlerBench => {
  const bench = new HandlerBench();
  const { model } = bench;
  writeBits(model, 'coil', 0x13, [true, false, true, true, false, false, true, true, true]);
  writeBits(model, 'discrete', 0xc4, [false, true]);
  writeRegisters(model, 'holding', 0x6b, Uint16Array.of(0x022b, 0x0000, 0x0064));
  writeRegisters(model, 'input', 8, Uint16Array.of(0x000a));
  return bench;
};

/** A PDU from hex digits and spaces. */
const plain = (hex: string): string => hex.replaceAll(' ', '');

describe('RequestHandler, reading', () => {
  it.each([
    ['01 0013 0009', '01 02 CD01'],
    ['01 0014 0003', '01 01 06'],
    ['02 00C4 0002', '02 01 02'],
    ['03 006B 0003', '03 06 022B 0000 0064'],
    ['04 0008 0001', '04 02 000A'],
  ])('answers %s', (request, answer) => {
    expect(filled().ask(request)).toBe(plain(answer));
  });

  it('serves the most that a request may ask for', () => {
    const { ask } = boundTo(filled());
    expect(ask('01 0000 07D0')).toHaveLength(2 * (2 + 250));
    expect(ask('02 0000 07D0')).toHaveLength(2 * (2 + 250));
    expect(ask('03 0000 007D')).toHaveLength(2 * (2 + 250));
    expect(ask('04 FF83 007D')).toHaveLength(2 * (2 + 250));
  });

  it('reads across pages', () => {
    const bench = new HandlerBench();
    writeRegisters(bench.model, 'holding', 1022, Uint16Array.of(1, 2, 3, 4));
    expect(bench.ask('03 03FE 0004')).toBe(plain('03 08 0001 0002 0003 0004'));
  });
});

const boundTo = (bench: HandlerBench) => ({ ask: (hex: string) => bench.ask(hex) });

describe('RequestHandler, writing', () => {
  it('writes a coil', () => {
    const bench = new HandlerBench();
    expect(bench.ask('05 00AC FF00')).toBe('0500ACFF00');
    expect(readBits(bench.model, 'coil', 0xab, 3)).toEqual([false, true, false]);
    expect(bench.ask('05 00AC 0000')).toBe('0500AC0000');
    expect(readBits(bench.model, 'coil', 0xac, 1)).toEqual([false]);
  });

  it('writes a register', () => {
    const bench = new HandlerBench();
    expect(bench.ask('06 FFFF 0003')).toBe('06FFFF0003');
    expect(readRegisters(bench.model, 'holding', 65_535, 1)).toEqual(Uint16Array.of(3));
  });

  it('writes coils and neither more nor fewer than it is told to', () => {
    const bench = new HandlerBench();
    expect(bench.ask('0F 0013 000A 02 CDFF')).toBe('0F0013000A');
    const coils = readBits(bench.model, 'coil', 0x12, 12).map(Number).join('');
    expect(coils).toBe('010110011110');
    expect(bench.written).toEqual([
      { table: 'coil', function: 15, address: 0x13, count: 10, bits: Uint8Array.of(0xcd, 0x03) },
    ]);
  });

  it('writes registers', () => {
    const bench = new HandlerBench();
    expect(bench.ask('10 0001 0002 04 000A 0102')).toBe('1000010002');
    expect(readRegisters(bench.model, 'holding', 1, 2)).toEqual(Uint16Array.of(0x0a, 0x0102));
  });

  it('masks a register', () => {
    const bench = new HandlerBench();
    writeRegisters(bench.model, 'holding', 4, Uint16Array.of(0x12));
    expect(bench.ask('16 0004 00F2 0025')).toBe('16000400F20025');
    expect(readRegisters(bench.model, 'holding', 4, 1)).toEqual(Uint16Array.of(0x17));
    expect(bench.written).toEqual([
      { table: 'holding', function: 22, address: 4, count: 1, registers: Uint16Array.of(0x17) },
    ]);
  });

  it('writes before it reads where a request does both', () => {
    const bench = new HandlerBench();
    writeRegisters(bench.model, 'holding', 3, Uint16Array.of(1, 2, 3));
    expect(bench.ask('17 0003 0003 0004 0001 02 00FF')).toBe(plain('17 06 0001 00FF 0003'));
  });
});

describe('RequestHandler, refusing', () => {
  it.each([
    // Unsupported functions, and an empty PDU.
    ['07', '87 01'],
    ['08 0000 0000', '88 01'],
    ['11', '91 01'],
    ['83 0000 0001', '83 01'],
    ['00', '80 01'],
    ['2B 0D 00', 'AB 01'],
    // Counts and lengths are checked before addresses.
    ['01 FFFF 0000', '81 03'],
    ['01 FFFF 07D1', '81 03'],
    ['02 FFFF 07D1', '82 03'],
    ['03 FFFF 0000', '83 03'],
    ['03 FFFF 007E', '83 03'],
    ['04 FFFF 007E', '84 03'],
    ['03 0000', '83 03'],
    ['03 0000 0001 00', '83 03'],
    ['05 FFFF 0001', '85 03'],
    ['05 FFFF FF01', '85 03'],
    ['06 0000', '86 03'],
    ['0F FFFF 0000 00', '8F 03'],
    ['0F 0000 0009 01 FF', '8F 03'],
    ['0F 0000 0008 01 FF FF', '8F 03'],
    ['10 FFFF 0001 01 FF', '90 03'],
    ['10 FFFF 0002 04 00FF', '90 03'],
    ['16 0000 0000', '96 03'],
    ['17 0000 007E 0000 0001 02 0000', '97 03'],
    ['17 0000 0001 0000 0001 04 0000', '97 03'],
    ['2B 0E 05 00', 'AB 03'],
    // Addresses.
    ['01 FFFF 0002', '81 02'],
    ['03 FFFF 0002', '83 02'],
    ['0F FFFF 0002 01 03', '8F 02'],
    ['10 FFFF 0002 04 0001 0002', '90 02'],
    ['17 FFFF 0002 0000 0001 02 0007', '97 02'],
    ['17 0000 0001 FFFF 0002 04 0007 0007', '97 02'],
    ['2B 0E 04 77', 'AB 02'],
  ])('answers %s with an exception and changes nothing', (request, answer) => {
    const bench = new HandlerBench();
    expect(bench.ask(request)).toBe(plain(answer));
    expect(isZero(bench.model)).toBe(true);
    expect(bench.written).toEqual([]);
    const code = String(Number.parseInt(answer.slice(-2), 16));
    expect(bench.counters.record().exceptions).toEqual({ [code]: 1 });
  });

  it('refuses more than the most that a request may write', () => {
    const bench = new HandlerBench();
    const write = (code: string, count: number, bytes: number): string =>
      bench.ask(
        `${code} 0000 ${count.toString(16).padStart(4, '0')} ${(bytes & 0xff)
          .toString(16)
          .padStart(2, '0')} ${'11'.repeat(bytes)}`,
      );
    expect(write('0F', 1968, 246)).toBe('0F000007B0');
    expect(write('0F', 1969, 247)).toBe('8F03');
    expect(write('10', 123, 246)).toBe('100000007B');
    expect(write('10', 124, 248)).toBe('9003');
    expect(write('17 0000 0001', 121, 242)).toBe('17021111');
    expect(write('17 0000 0001', 122, 244)).toBe('9703');
  });

  it('refuses functions that are switched off', () => {
    const bench = new HandlerBench({ functions: new Set([3]) });
    expect(bench.ask('03 0000 0001')).toBe('03020000');
    expect(bench.ask('06 0000 0001')).toBe('8601');
    expect(bench.written).toEqual([]);
  });

  describe('with a map', () => {
    const bench = () =>
      new HandlerBench({
        map: [
          { table: 'holding', address: 10, count: 4 },
          { table: 'holding', address: 14, count: 2, writable: false },
          { table: 'coil', address: 8, count: 8 },
          { table: 'discrete', address: 0, count: 1 },
          { table: 'input', address: 0, count: 1 },
        ],
      });

    it.each([
      '03 000A 0006',
      '06 000D 0001',
      '10 000A 0004 08 0001 0002 0003 0004',
      '16 000A FFFF 0000',
      '17 000E 0002 000C 0002 04 0001 0002',
      '01 0008 0008',
      '05 000F FF00',
      '0F 0008 0008 01 FF',
      '02 0000 0001',
      '04 0000 0001',
    ])('serves %s', (request) => {
      expect(bench().ask(request).slice(0, 2)).toBe(request.slice(0, 2));
    });

    it.each([
      '03 0009 0002',
      '03 000A 0007',
      '03 FFFF 0001',
      '06 000E 0001',
      '06 0009 0001',
      '10 000D 0002 04 0001 0002',
      '16 000E FFFF 0000',
      '17 000E 0003 000C 0002 04 0001 0002',
      '17 000E 0002 000D 0002 04 0001 0002',
      '01 0007 0001',
      '05 0010 FF00',
      '0F 0008 0009 02 FFFF',
      '02 0001 0001',
      '04 0000 0002',
    ])('refuses %s by its address and changes nothing', (request) => {
      const refusing = bench();
      expect(refusing.ask(request).slice(2)).toBe('02');
      expect(isZero(refusing.model)).toBe(true);
      expect(refusing.written).toEqual([]);
    });
  });
});

describe('RequestHandler, asking its owner', () => {
  const writes: readonly [string, string, string][] = [
    ['05 0001 FF00', '85', 'coil'],
    ['06 0001 0007', '86', 'holding'],
    ['0F 0001 0003 01 05', '8F', 'coil'],
    ['10 0001 0004 08 0001 0002 0003 0004', '90', 'holding'],
    ['16 0001 0000 00FF', '96', 'holding'],
    ['17 0000 0005 0001 0002 04 0001 0002', '97', 'holding'],
  ];

  it.each(writes)('changes nothing when a check refuses %s', (request, code, table) => {
    const checked: string[] = [];
    const bench = new HandlerBench({
      check: (write) => {
        checked.push(write.table);
        return 3;
      },
    });
    expect(bench.ask(request)).toBe(`${code}03`);
    expect(checked).toEqual([table]);
    expect(isZero(bench.model)).toBe(true);
    expect(bench.written).toEqual([]);
    expect(bench.counters.refusedWrites).toBe(1);
  });

  it.each([
    ['a value that no coil has', '05 0001 1234', 3],
    ['no registers', '10 0001 0000 00', 3],
    ['items beyond the last', '10 FFFF 0002 04 0001 0002', 2],
    ['what cannot be written', '06 0009 0001', 2],
    ['what cannot be read in the same go', '17 0009 0001 0000 0001 02 0005', 2],
    ['a function that is not there', '16 0000 0000 00FF', 1],
  ])('counts a write of %s as refused', (_, request, exception) => {
    const map: RegisterMap = [{ table: 'holding', address: 0, count: 4 }];
    const functions = new Set([5, 6, 16, 23]);
    const bench = new HandlerBench({ map, functions });
    bench.ask(request);
    expect(bench.counters.record()).toMatchObject({
      refused_writes: 1,
      exceptions: { [exception]: 1 },
    });
  });

  it('counts no read as a refused write', () => {
    const bench = new HandlerBench();
    bench.ask('03 0000 0000');
    expect(bench.counters.record()).toMatchObject({ refused_writes: 0, exceptions: { 3: 1 } });
  });

  it('shows a check the whole of a 64-bit value while the old one is still there', () => {
    const seen: unknown[] = [];
    const bench = new HandlerBench({
      check: (write) => {
        seen.push(write, readValues(bench.model, 'holding', 1, 1, 'u64', 'ABCD'));
        return undefined;
      },
    });
    writeValues(bench.model, 'holding', 1, ['5'], 'u64', 'ABCD');
    bench.ask('10 0001 0004 08 0001 0002 0003 0004');
    const registers = Uint16Array.of(1, 2, 3, 4);
    expect(seen).toEqual([
      { table: 'holding', function: 16, address: 1, count: 4, registers },
      ['5'],
    ]);
    expect(bench.written).toEqual([seen[0]]);
    expect(readRegisters(bench.model, 'holding', 1, 4)).toEqual(registers);
  });

  it('answers whatever exception a check chooses', () => {
    expect(new HandlerBench({ check: () => 6 }).ask('06 0000 0001')).toBe('8606');
  });

  it('does not bother the check with writes that are refused anyhow', () => {
    let checks = 0;
    const bench = new HandlerBench({
      map: [{ table: 'holding', address: 0, count: 1 }],
      check: () => {
        checks += 1;
        return undefined;
      },
    });
    bench.ask('06 0001 0001');
    bench.ask('17 0001 0001 0000 0001 02 0001');
    bench.ask('10 0000 0001 03 0001 00');
    expect(checks).toBe(0);
  });

  it('answers a check that throws as a device failure and changes nothing', () => {
    const defect = new TypeError('defect');
    const bench = new HandlerBench({
      check: () => {
        throw defect;
      },
    });
    expect(bench.ask('06 0000 0001')).toBe('8604');
    expect(isZero(bench.model)).toBe(true);
    expect(bench.defects).toEqual([defect]);
  });

  it('answers a write that is done although the listener throws', () => {
    const defect = new TypeError('defect');
    const bench = new HandlerBench({
      hooks: {
        written: () => {
          throw defect;
        },
      },
    });
    expect(bench.ask('06 0000 0001')).toBe('0600000001');
    expect(bench.defects).toEqual([defect]);
  });

  it('tells of writes once they are to be read', () => {
    const seen: Uint16Array[] = [];
    const bench = new HandlerBench({
      hooks: { written: () => void seen.push(readRegisters(bench.model, 'holding', 0, 1)) },
    });
    bench.ask('06 0000 0009');
    expect(seen).toEqual([Uint16Array.of(9)]);
  });
});

describe('RequestHandler, identifying itself', () => {
  const identity = (bench: HandlerBench, code: 1 | 2 | 3 | 4, objectId = 0) => {
    const request = identifyRequest(code, objectId);
    const pdu = new Uint8Array(4);
    encodeRequest(pdu, 0, request);
    const answer = bytesOf(bench.ask(hexOf(pdu)));
    return decodeResponse(request, answer, 0, answer.length);
  };
  const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('latin1');

  it('tells what product it is', () => {
    const answer = identity(new HandlerBench(), 1);
    if (answer.kind !== 'identity') throw new TypeError(answer.kind);
    const objects = answer.objects.map(({ id, value }) => [id, textOf(value)]);
    expect(objects).toEqual([
      [0, product.name],
      [1, 'busbar-modbus-server'],
      [2, product.version],
    ]);
  });

  it('tells the identity that it is given', () => {
    const value = Uint8Array.of(0x58);
    const bench = new HandlerBench({ identity: deviceIdentity([{ id: 0x80, value }]) });
    expect(identity(bench, 4, 0x80)).toMatchObject({ objects: [{ id: 0x80, value }] });
  });
});

describe('RequestHandler, whatever comes', () => {
  itAlways('gives every request of a client an answer that its client understands', () => {
    const bench = new HandlerBench();
    fc.assert(
      fc.property(arbitraryRequest, (request) => {
        const pdu = new Uint8Array(253);
        const length = encodeRequest(pdu, 0, request);
        const answer = bytesOf(bench.ask(hexOf(pdu.subarray(0, length))));
        expect(decodeResponse(request, answer, 0, answer.length).kind).not.toBe('invalid');
      }),
      { seed: 1, numRuns: cases(300, 1000) },
    );
  });

  itAlways('answers any bytes within the length of a PDU, and counts them', () => {
    const bench = new HandlerBench();
    const runs = cases(300, 1000);
    const code = fc.oneof(fc.constantFrom(1, 2, 3, 4, 5, 6, 15, 16, 22, 23, 43), fc.nat(255));
    fc.assert(
      fc.property(code, fc.uint8Array({ maxLength: 252 }), (first, rest) => {
        const answer = bench.ask(hexOf(Uint8Array.of(first, ...rest)));
        expect(answer.length / 2).toBeGreaterThanOrEqual(2);
        expect(answer.length / 2).toBeLessThanOrEqual(253);
        expect(Number.parseInt(answer.slice(0, 2), 16) & 0x7f).toBe(first & 0x7f);
      }),
      { seed: 1, numRuns: runs },
    );
    expect(bench.counters.record().requests).toBe(runs);
  });

  it('counts requests by their function', () => {
    const bench = new HandlerBench();
    for (const request of ['03 0000 0001', '03 FFFF 0002', '06 0000 0001']) bench.ask(request);
    expect(bench.counters.record()).toMatchObject({
      requests: 3,
      requests_by_function: { 3: 2, 6: 1 },
      exceptions: { 2: 1 },
    });
  });
});

describe('an owner that is not ready', () => {
  it('has every request answered as busy, and nothing written', () => {
    let isReady = false;
    const bench = new HandlerBench({ hooks: { isReady: () => isReady } });
    const requests = [
      '03 0000 0001',
      '06 0000 0009',
      '17 0000 0001 0000 0001 02 0007',
      '01 0000 0001',
    ];
    expect(requests.map((hex) => bench.ask(hex))).toEqual(['8306', '8606', '9706', '8106']);
    // A malformed request is rejected as such.
    expect(bench.ask('63')).toBe('E301');
    isReady = true;
    expect(bench.ask('03 0000 0001')).toBe('03020000');
  });
});
