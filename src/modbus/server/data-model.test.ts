import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DataModel } from './data-model.ts';

const refusal = (field: string, reason: string) =>
  expect.objectContaining({
    code: 'invalid_argument',
    details: expect.objectContaining({ field, reason }),
  });

describe('DataModel', () => {
  it('holds zeros and takes no memory until something is written', () => {
    const model = new DataModel();
    expect(model.readBits('coil', 65_530, 6)).toEqual(new Array(6).fill(false));
    expect(model.readRegisters('input', 0, 3)).toEqual(Uint16Array.of(0, 0, 0));
    expect(model.heldBytes).toBe(0);
  });

  it('takes memory for what is written, not for the whole table', () => {
    const model = new DataModel();
    model.writeRegisters('holding', 40_000, Uint16Array.of(1));
    expect(model.heldBytes).toBe(2048);
    model.writeBits('discrete', 5, [true]);
    expect(model.heldBytes).toBe(2048 + 8192);
  });

  it('keeps tables, and models, apart', () => {
    const model = new DataModel();
    const other = new DataModel();
    model.writeBits('coil', 7, [true]);
    model.writeRegisters('holding', 7, Uint16Array.of(9));
    expect(model.readBits('discrete', 7, 1)).toEqual([false]);
    expect(model.readRegisters('input', 7, 1)).toEqual(Uint16Array.of(0));
    expect(other.readBits('coil', 7, 1)).toEqual([false]);
    expect(other.readRegisters('holding', 7, 1)).toEqual(Uint16Array.of(0));
  });

  it('reads registers back, whatever pages they cross', () => {
    const place = fc.oneof(fc.nat(0xffff), fc.integer({ min: 1015, max: 1034 }));
    fc.assert(
      fc.property(place, fc.uint16Array({ minLength: 1, maxLength: 3000 }), (address, written) => {
        const model = new DataModel();
        const registers = written.subarray(0, 65_536 - address);
        model.writeRegisters('input', address, registers);
        expect(model.readRegisters('input', address, registers.length)).toEqual(registers);
        const before = Math.max(0, address - 1);
        expect(model.readRegisters('input', before, address - before)).toEqual(
          new Uint16Array(address - before),
        );
      }),
      { seed: 1, numRuns: 60 },
    );
  });

  it('reads bits back and leaves their neighbours alone', () => {
    fc.assert(
      fc.property(
        fc.nat(65_000),
        fc.array(fc.boolean(), { minLength: 1, maxLength: 300 }),
        fc.boolean(),
        (address, bits, around) => {
          const model = new DataModel();
          model.writeBits('coil', address, new Array(bits.length + 2).fill(around));
          model.writeBits('coil', address + 1, bits);
          expect(model.readBits('coil', address, bits.length + 2)).toEqual([
            around,
            ...bits,
            around,
          ]);
        },
      ),
      { seed: 1, numRuns: 100 },
    );
  });

  it('reads into the memory that the caller brings', () => {
    const model = new DataModel();
    model.writeRegisters('holding', 3, Uint16Array.of(5, 6));
    const into = new Uint16Array(4);
    expect(model.readRegisters('holding', 3, 2, into)).toBe(into);
    expect(into).toEqual(Uint16Array.of(5, 6, 0, 0));
  });

  it('changes single bits of a register', () => {
    const model = new DataModel();
    model.writeRegisters('input', 1, Uint16Array.of(0xff00));
    model.changeBits('input', 1, 0x8001, 0x7fff);
    expect(model.readRegisters('input', 1, 1)).toEqual(Uint16Array.of(0x7f01));
  });

  it('reads and writes values of every width to the last digit', () => {
    const model = new DataModel();
    const values = ['18446744073709551615', '9007199254740993'];
    model.writeValues('holding', 1022, values, 'u64', 'DCBA');
    expect(model.readValues('holding', 1022, 2, 'u64', 'DCBA')).toEqual(values);
    model.writeValues('input', 0, ['-1.5'], 'f32', 'CDAB');
    expect(model.readRegisters('input', 0, 2)).toEqual(Uint16Array.of(0, 0xbfc0));
  });

  it('writes no value where one of them is none of its type', () => {
    const model = new DataModel();
    expect(() => model.writeValues('holding', 0, ['1', '70000'], 'u16', 'ABCD')).toThrow(
      refusal('value', 'range'),
    );
    expect(model.heldBytes).toBe(0);
  });

  it.each([-1, 65_536, 1.5, Number.NaN])('refuses the address %d', (address) => {
    const model = new DataModel();
    expect(() => model.readBits('coil', address, 1)).toThrow(refusal('address', 'range'));
    expect(() => model.changeBits('input', address, 1, 1)).toThrow(refusal('address', 'range'));
  });

  it('refuses what passes the end of the table and changes nothing', () => {
    const model = new DataModel();
    const registers = Uint16Array.of(1, 2);
    expect(() => model.writeRegisters('holding', 65_535, registers)).toThrow(
      refusal('count', 'range'),
    );
    expect(() => model.writeBits('coil', 65_535, [true, true])).toThrow(refusal('count', 'range'));
    expect(model.heldBytes).toBe(0);
  });

  it('refuses what the map leaves out, also to its owner', () => {
    const model = new DataModel([{ table: 'input', address: 10, count: 4 }]);
    model.writeValues('input', 10, ['1'], 'u64', 'ABCD');
    expect(() => model.writeValues('input', 11, ['1'], 'u64', 'ABCD')).toThrow(
      refusal('address', 'unmapped'),
    );
    expect(() => model.readRegisters('holding', 10, 1)).toThrow(refusal('address', 'unmapped'));
  });
});
