import { describe, expect, it } from 'vitest';
import { bytesOfName, nameAt, nameFields, nameText, parseName } from './name.ts';

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

describe('NAMEs', () => {
  it.each([
    ['87D6525309010201', 1_234_567],
    ['F8AD4B5309010201', 765_432],
  ])('are read from the claim %s', (hex, identity) => {
    expect(nameFields(nameAt(bytes(hex), 0))).toEqual({
      identity,
      manufacturer: 666,
      ecu_instance: 1,
      function_instance: 1,
      function: 1,
      vehicle_system: 1,
      vehicle_system_instance: 1,
      industry_group: 0,
      arbitrary_address: false,
    });
  });

  it('compare as numbers', () => {
    const [one, other] = ['87D6525309010201', 'F8AD4B5309010201'].map((hex) =>
      nameAt(bytes(hex), 0),
    );
    expect((other ?? 0n) < (one ?? 0n)).toBe(true);
  });

  it('are written most significant digit first', () => {
    const name = parseName('010201095352D687', 'name');
    expect(nameText(name)).toBe('010201095352D687');
    expect(Buffer.from(bytesOfName(name)).toString('hex').toUpperCase()).toBe('87D6525309010201');
    expect(parseName('0x010201095352d687', 'name')).toBe(name);
  });

  it.each(['', '123', '010201095352D68', '010201095352D6877', '010201095352D68G', '0'.repeat(16)])(
    'are refused as %j',
    (text) => {
      expect(() => parseName(text, 'name')).toThrow(/^name /);
    },
  );
});
