import { describe, expect, it } from 'vitest';
import type { DatabaseSignal } from '../api/client.ts';
import { decodeMessage } from './decode-message.ts';
import { aMessage, aSignal, bytesOf, when } from './testing/models.ts';

const decoded = (signals: readonly DatabaseSignal[], hex: string) =>
  decodeMessage(aMessage(signals), bytesOf(hex));

const only = (given: Partial<DatabaseSignal>, hex: string) => decoded([aSignal(given)], hex)[0];

describe('decodeMessage', () => {
  const worked = [
    aSignal({ name: 'L', start_bit: 4, length: 12, kind: 'signed' }),
    aSignal({ name: 'B', start_bit: 23, length: 12, byte_order: 'motorola' }),
    aSignal({ name: 'C', start_bit: 33, length: 10, byte_order: 'motorola', kind: 'signed' }),
    aSignal({ name: 'F', start_bit: 48, length: 16, factor: '0.5', offset: '-10' }),
  ];

  it.each([
    ['0123456789ABCDEF', ['560', '1110', '427', '61389'], '30684.5'],
    ['FFEEDDCCBBAA9988', ['-273', '3548', '-86', '34969'], '17474.5'],
    ['00F07F80FF0155AA', ['-256', '2040', '-255', '43605'], '21792.5'],
  ])('reads %s as other tools do', (hex, raws, physical) => {
    const signals = decoded(worked, hex);
    expect(signals.map(({ raw }) => raw)).toEqual(raws);
    expect(signals[3]?.value).toBe(physical);
  });

  it('keeps every digit of 64 bits', () => {
    const wide = { length: 64, factor: '0.1' };
    expect(only(wide, 'FFFFFFFFFFFFFFFF')?.value).toBe('1844674407370955161.5');
    expect(only({ ...wide, kind: 'signed' }, '0000000000000080')?.raw).toBe('-9223372036854775808');
  });

  it.each([
    ['03', '0.1', '0', '0.3'],
    ['07', '-1', '7', '0'],
    ['02', '5e-1', '0', '1'],
    ['02', '1e3', '1E+2', '2100'],
    ['FF', '0.00390625', '-0.5', '0.49609375'],
  ])('scales %s by %s and %s without an error of rounding', (hex, factor, offset, value) => {
    expect(only({ factor, offset }, hex)?.value).toBe(value);
  });

  it('reads floats to their shortest text, and scaled ones to their last digit', () => {
    const float32 = { kind: 'float32', length: 32 } as const;
    expect(only(float32, 'CDCCCC3D')).toMatchObject({ raw: '0.1', value: '0.1' });
    expect(only({ ...float32, factor: '2' }, '0000C03F')?.value).toBe('3');
    expect(only({ ...float32, factor: '10' }, 'CDCCCC3D')?.value).toBe(
      '1.00000001490116119384765625',
    );
    expect(only(float32, '0000C07F')).toMatchObject({ raw: 'NaN', value: null });
    const float64 = { kind: 'float64', length: 64, byte_order: 'motorola', start_bit: 7 } as const;
    expect(only(float64, '3FB999999999999A')?.value).toBe('0.1');
  });

  it('names values, also where the database wrote their sign another way', () => {
    const values = [
      { raw: '1', text: 'on' },
      { raw: '255', text: 'invalid' },
    ];
    expect(only({ values }, '01')?.label).toBe('on');
    expect(only({ values, kind: 'signed' }, 'FF')?.label).toBe('invalid');
    expect(only({ values }, '02')?.label).toBeNull();
    expect(only({ values: [{ raw: '-1', text: 'invalid' }] }, 'FF')?.label).toBe('invalid');
    expect(only({ values: [{ raw: '256', text: 'none' }] }, '00')?.label).toBeNull();
  });

  it('says which signals a short frame lacks', () => {
    const signals = [aSignal({ name: 'Here' }), aSignal({ name: 'Gone', start_bit: 8 })];
    expect(decoded(signals, '01').map(({ state }) => state)).toEqual(['present', 'short']);
  });

  it('follows multiplexers, also one below another', () => {
    const signals = [
      aSignal({ name: 'Service', is_switch: true }),
      aSignal({ name: 'Mode', start_bit: 8, multiplexing: when('Service', [1, 3], [9, 9]) }),
      aSignal({ name: 'Torque', start_bit: 16, multiplexing: when('Mode', [100, 200]) }),
      aSignal({ name: 'Orphan', multiplexing: when('Nobody', [0, 255]) }),
    ];
    const present = (hex: string): string[] =>
      decoded(signals, hex)
        .filter(({ state }) => state === 'present')
        .map(({ signal }) => signal.name);
    expect(present('02 96 07')).toEqual(['Service', 'Mode', 'Torque']);
    expect(present('09 63 07')).toEqual(['Service', 'Mode']);
    expect(present('04 96 07')).toEqual(['Service']);
  });

  it('does not hang on multiplexers that lead back to themselves', () => {
    const signals = [
      aSignal({ name: 'A', multiplexing: when('B', [0, 255]) }),
      aSignal({ name: 'B', multiplexing: when('A', [0, 255]) }),
    ];
    expect(decoded(signals, '0000').map(({ state }) => state)).toEqual(['inactive', 'inactive']);
  });
});
