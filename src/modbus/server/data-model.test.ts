import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DataModel } from './data-model.ts';
import {
  readBits,
  readRegisters,
  readValues,
  writeBits,
  writeRegisters,
  writeValues,
} from './testing/held-data.ts';

describe('DataModel', () => {
  it('holds zeros until something is written', () => {
    const model = new DataModel();
    expect(readBits(model, 'coil', 65_530, 6)).toEqual(new Array(6).fill(false));
    expect(readRegisters(model, 'input', 0, 3)).toEqual(Uint16Array.of(0, 0, 0));
  });

  it('keeps tables, and models, apart', () => {
    const model = new DataModel();
    const other = new DataModel();
    writeBits(model, 'coil', 7, [true]);
    writeRegisters(model, 'holding', 7, Uint16Array.of(9));
    expect(readBits(model, 'discrete', 7, 1)).toEqual([false]);
    expect(readRegisters(model, 'input', 7, 1)).toEqual(Uint16Array.of(0));
    expect(readBits(other, 'coil', 7, 1)).toEqual([false]);
    expect(readRegisters(other, 'holding', 7, 1)).toEqual(Uint16Array.of(0));
  });

  it('reads registers back, whatever pages they cross', () => {
    const place = fc.oneof(fc.nat(0xffff), fc.integer({ min: 1015, max: 1034 }));
    fc.assert(
      fc.property(place, fc.uint16Array({ minLength: 1, maxLength: 3000 }), (address, written) => {
        const model = new DataModel();
        const registers = written.subarray(0, 65_536 - address);
        writeRegisters(model, 'input', address, registers);
        expect(readRegisters(model, 'input', address, registers.length)).toEqual(registers);
        const before = Math.max(0, address - 1);
        expect(readRegisters(model, 'input', before, address - before)).toEqual(
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
          writeBits(model, 'coil', address, new Array(bits.length + 2).fill(around));
          writeBits(model, 'coil', address + 1, bits);
          expect(readBits(model, 'coil', address, bits.length + 2)).toEqual([
            around,
            ...bits,
            around,
          ]);
        },
      ),
      { seed: 1, numRuns: 100 },
    );
  });

  it('reads and writes values of every width to the last digit', () => {
    const model = new DataModel();
    const values = ['18446744073709551615', '9007199254740993'];
    writeValues(model, 'holding', 1022, values, 'u64', 'DCBA');
    expect(readValues(model, 'holding', 1022, 2, 'u64', 'DCBA')).toEqual(values);
    writeValues(model, 'input', 0, ['-1.5'], 'f32', 'CDAB');
    expect(readRegisters(model, 'input', 0, 2)).toEqual(Uint16Array.of(0, 0xbfc0));
  });
});
