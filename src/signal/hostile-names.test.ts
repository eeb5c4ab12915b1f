import { describe, expect, it } from 'vitest';
import { compileDecoder, compilePhysicalDecoder } from './compile-decoder.ts';
import { compileEncoder } from './compile-encoder.ts';
import { aMessage, aSignal, viewOf, when } from './testing/models.ts';

const attack = 'globalThis.taken = true';
const names = [
  `'; ${attack}; '`,
  `"; ${attack}; "`,
  `\`; ${attack}; \``,
  `\n${attack}\n`,
  `\u2028${attack}`,
  `*/ ${attack}; /*`,
  `\${${attack}}`,
  `}); ${attack}; ({`,
  '__proto__',
  'constructor',
];

describe('texts of a database', () => {
  it.each(names)('never become part of generated code: %j', (name) => {
    const signals = [
      aSignal({
        name,
        unit: name,
        comment: name,
        isSwitch: true,
        values: [{ raw: 1n, text: name }],
      }),
      aSignal({ name: `${name}2`, startBit: 8, multiplexing: when(name, 1) }),
    ];
    const message = { ...aMessage(signals), name, comment: name };
    const { decode, newValues } = compileDecoder(message);
    const values = newValues();
    const payload = Uint8Array.of(1, 42);
    decode(viewOf(payload), 0, 2, values);
    expect([values.get(0), values.get(1)]).toEqual([1, 42]);
    compilePhysicalDecoder(message).decode(
      viewOf(payload),
      0,
      2,
      new Float64Array(2),
      new Uint32Array(1),
    );
    compileEncoder(message).encode(values, viewOf(payload), 0, 2);
    expect(globalThis).not.toHaveProperty('taken');
  });
});
