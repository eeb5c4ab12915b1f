import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodeRequest } from '../../modbus/pdu/encode-request.ts';
import type { ModbusRequest } from '../../modbus/pdu/requests.ts';
import { hexOf } from '../../modbus/pdu/testing/bytes-of.ts';
import type { Raw } from '../codecs/encode-linear.ts';
import type { ModbusResourceRow } from '../project/tables/modbus-resources.ts';
import { itemBytesOf, registerField } from './register-field.ts';
import { modifiedRequest, TaskWrites, type WriteStep } from './task-writes.ts';

type Fields = Partial<ModbusResourceRow>;

const written = (fields: Fields): ModbusResourceRow => ({
  id: 'r',
  endpoint: 'plc',
  table: 'holding',
  address: 0,
  access: 'write',
  ...fields,
});

/** Steps of a task for raw values in the order of its resources. */
const stepsFor = (resources: readonly ModbusResourceRow[], raws: readonly Raw[]): WriteStep[] => {
  const writes = new TaskWrites(resources);
  return writes.steps(bytesOf(writes, resources, raws));
};

const bytesOf = (
  writes: TaskWrites,
  resources: readonly ModbusResourceRow[],
  raws: readonly Raw[],
): Uint8Array => {
  const bytes = new Uint8Array(writes.length);
  resources.forEach((resource, index) => {
    const length = itemBytesOf(resource);
    const bitOffset = resource.bit_offset;
    const bits = length === 1 || bitOffset !== undefined ? 1 : 8 * length;
    const place = { kind: 'unsigned', bits, length, order: 'ABCD', bitOffset } as const;
    registerField(place, writes.placeOf(index)).write(bytes, 0, raws[index] ?? 0);
  });
  return bytes;
};

const pduOf = (request: ModbusRequest): string => {
  const into = new Uint8Array(253);
  return hexOf(into.subarray(0, encodeRequest(into, 0, request)));
};

/** A unit with these holding registers, and all others 0; it records the requests. */
class FakeUnit {
  readonly requests: string[] = [];
  readonly words = new Uint16Array(65_536);
  readonly coils = new Uint8Array(65_536);

  serve(steps: readonly WriteStep[]): this {
    for (const step of steps) {
      if (step.kind === 'write') {
        this.#write(step.request);
        continue;
      }
      const found = new Uint16Array(step.words.length).fill(0xdead);
      for (const { address, count, ...request } of step.reads) {
        this.requests.push(pduOf({ ...request, address, count }));
        found.set(this.words.subarray(address, address + count), address - step.address);
      }
      this.#write(modifiedRequest(step, found));
    }
    return this;
  }

  #write(request: ModbusRequest): void {
    this.requests.push(pduOf(request));
    switch (request.kind) {
      case 'write_register':
        this.words[request.address] = request.value;
        break;
      case 'write_registers':
        for (let i = 0; i < request.count; i++) {
          const at = request.dataAt + 2 * i;
          this.words[request.address + i] =
            256 * (request.data[at] ?? 0) + (request.data[at + 1] ?? 0);
        }
        break;
      case 'write_coil':
        this.coils[request.address] = request.on ? 1 : 0;
        break;
      case 'write_coils':
        for (let i = 0; i < request.count; i++) {
          const byte = request.data[request.dataAt + (i >> 3)] ?? 0;
          this.coils[request.address + i] = (byte >> (i & 7)) & 1;
        }
    }
  }
}

/** Requests to a unit for these resources and raw values. */
const requestsFor = (...resources: readonly (readonly [Fields, Raw])[]): string[] => {
  const rows = resources.map(([fields]) => written(fields));
  const raws = resources.map(([, raw]) => raw);
  return new FakeUnit().serve(stepsFor(rows, raws)).requests;
};

describe('the writes of a task', () => {
  it.each([
    ['a single register with 06', [[{ address: 1 }, 3]], ['0600010003']],
    ['a single coil with 05', [[{ table: 'coil', address: 0xac }, 1]], ['0500ACFF00']],
    ['a coil that is off', [[{ table: 'coil', address: 0xac }, 0]], ['0500AC0000']],
    [
      'touching registers with 16, in the order of addresses',
      [
        [{ address: 2 }, 0x0102],
        [{ address: 1 }, 0x000a],
      ],
      ['100001000204000A0102'],
    ],
    [
      'touching coils with 15',
      [
        [{ table: 'coil', address: 21 }, 1],
        [{ table: 'coil', address: 19 }, 1],
        [{ table: 'coil', address: 20 }, 0],
      ],
      ['0F001300030105'],
    ],
    [
      'one value of several registers with 16',
      [[{ address: 8, count: 4 }, 0x0123_4567_89ab_cdefn]],
      ['1000080004080123456789ABCDEF'],
    ],
    [
      'what does not touch with a request each',
      [
        [{ address: 6 }, 6],
        [{ address: 4 }, 4],
      ],
      ['0600040004', '0600060006'],
    ],
    [
      'tables in the order in which the task names them',
      [
        [{ address: 9 }, 1],
        [{ table: 'coil', address: 3 }, 1],
        [{ address: 2 }, 7],
      ],
      ['0600020007', '0600090001', '050003FF00'],
    ],
  ] as const satisfies [string, (readonly [Fields, Raw])[], string[]][])('writes %s', (...row) => {
    const [, resources, requests] = row;
    expect(requestsFor(...resources)).toEqual(requests);
  });

  it('reads a word before it changes bits of it', () => {
    const resources = [
      written({ address: 4, bit_offset: 15 }),
      written({ address: 4, bit_offset: 0 }),
      written({ address: 4, bit_offset: 2 }),
    ];
    const unit = new FakeUnit();
    unit.words[4] = 0x7ff4;
    expect(unit.serve(stepsFor(resources, [1, 1, 0])).requests).toEqual([
      '0300040001',
      '060004FFF1',
    ]);
  });

  it('tells which bits of which word become what', () => {
    const resources = [
      written({ address: 4, bit_offset: 15 }),
      written({ address: 5 }),
      written({ address: 4, bit_offset: 0 }),
    ];
    expect(stepsFor(resources, [0, 0x1234, 1])).toEqual([
      {
        kind: 'read_modify_write',
        reads: [{ kind: 'read_registers', function: 3, address: 4, count: 1 }],
        address: 4,
        masks: Uint16Array.of(0x8001, 0xffff),
        words: Uint16Array.of(0x0001, 0x1234),
      },
    ]);
  });

  it('reads words of bits alone, and writes them with their neighbours', () => {
    const resources = [
      written({ address: 10, bit_offset: 1 }),
      written({ address: 11, bit_offset: 3 }),
      written({ address: 12, count: 2 }),
      written({ address: 14, bit_offset: 0 }),
    ];
    const unit = new FakeUnit();
    unit.words.set([0x00f0, 0xffff, 0x1111, 0x2222, 0x8000], 10);
    expect(unit.serve(stepsFor(resources, [1, 0, 0xaabb_ccdd, 1])).requests).toEqual([
      '03000A0002',
      '03000E0001',
      '10000A00050A00F2FFF7AABBCCDD8001',
    ]);
  });

  it('writes 123 registers at most, and no value in two parts', () => {
    const resources = Array.from({ length: 40 }, (_, index) =>
      written({ address: 4 * index, count: 4 }),
    );
    const steps = stepsFor(
      resources,
      resources.map(() => 2n ** 64n - 1n),
    );
    const counts = steps.map((step) => step.kind === 'write' && step.request);
    expect(counts).toMatchObject([
      { address: 0, count: 120 },
      { address: 120, count: 40 },
    ]);
  });

  it('writes 1968 coils at most', () => {
    const resources = Array.from({ length: 1969 }, (_, address) =>
      written({ table: 'coil', address }),
    );
    const steps = stepsFor(
      resources,
      resources.map(() => 1),
    );
    expect(steps.map((step) => step.kind === 'write' && step.request)).toMatchObject([
      { address: 0, count: 1968 },
      { kind: 'write_coil', address: 1968 },
    ]);
  });

  it('can be used again with other raws', () => {
    const resources = [written({ address: 0, bit_offset: 1 }), written({ address: 1 })];
    const writes = new TaskWrites(resources);
    const first = writes.steps(bytesOf(writes, resources, [1, 7]));
    expect(writes.steps(bytesOf(writes, resources, [0, 8]))).toMatchObject([
      { words: Uint16Array.of(0, 8) },
    ]);
    expect(first).toMatchObject([{ words: Uint16Array.of(2, 7) }]);
  });

  it('leaves a unit with every raw in its place, and all other bits as they were', () => {
    /** Consecutive resources: this many free addresses, then a value or bits of a word. */
    const next = fc.record({
      gap: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(3) }),
      shape: fc.constantFrom('bits' as const, 1, 2, 3, 4),
      bits: fc.uniqueArray(fc.nat(15), { minLength: 1, maxLength: 16 }),
      pattern: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
      isCoil: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(next, { maxLength: 60 }), fc.nat(0xffff), (shapes, background) => {
        const resources: Fields[] = [];
        const raws: Raw[] = [];
        const words = new Uint16Array(65_536).fill(background);
        const coils = new Uint8Array(65_536);
        let address = 0;
        for (const { gap, shape, bits, pattern, isCoil } of shapes) {
          address += gap;
          if (isCoil) {
            resources.push({ table: 'coil', address });
            raws.push(Number(pattern & 1n));
            coils[address] = Number(pattern & 1n);
            address += 1;
          } else if (shape === 'bits') {
            for (const bit of bits) {
              const on = Number((pattern >> BigInt(bit)) & 1n);
              resources.push({ address, bit_offset: bit });
              raws.push(on);
              words[address] = ((words[address] ?? 0) & ~(1 << bit)) | (on << bit);
            }
            address += 1;
          } else {
            const count = shape;
            const raw = BigInt.asUintN(16 * count, pattern);
            resources.push({ address, count });
            raws.push(raw);
            for (let word = 0; word < count; word++) {
              words[address + word] = Number((raw >> BigInt(16 * (count - 1 - word))) & 0xffffn);
            }
            address += count;
          }
        }
        const unit = new FakeUnit();
        unit.words.fill(background);
        unit.serve(stepsFor(resources.map(written), raws));
        expect(Buffer.compare(Buffer.from(unit.words.buffer), Buffer.from(words.buffer))).toBe(0);
        expect(Buffer.compare(unit.coils, coils)).toBe(0);
      }),
      { seed: 64, numRuns: 200 },
    );
  });
});
