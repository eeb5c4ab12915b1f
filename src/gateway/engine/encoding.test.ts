import { describe, expect, it } from 'vitest';
import { EngineRig } from './testing/engine-rig.ts';
import { protecting, type Rows, relayProject, together } from './testing/relay-project.ts';
import { rule } from './testing/rules.ts';

const ms = 1000;

const started = (changes: Rows): EngineRig => new EngineRig(relayProject(changes)).start();

const bindingOf = (rig: EngineRig) => {
  const [binding] = rig.signal('shown').bindings;
  return { raw: binding?.raw, valid: binding?.valid, error: binding?.error?.code ?? null };
};

/** Software provides the sent signal. */
const settable = (fields: object, codec: object, binding: object = {}): Rows => ({
  signals: [{ id: 'shown', producer: 'software', ...fields }],
  mappings: [{ id: 'show', outputs: ['unused'] }],
  codecs: [
    { id: 'wire', kind: 'linear', raw: 'unsigned', bit_length: 8, byte_order: 'intel', ...codec },
  ],
  bindings: [{ id: 'shown.tx', codec: 'wire', ...binding }],
});

const sets = (rig: EngineRig, value: string): string | undefined => {
  rig.set('shown', value);
  rig.runUntil(rig.nowUs + 20 * ms);
  return rig.sent().at(-1);
};

/** A project needs the output of its mapping. */
const withUnused = (changes: Rows): Rows =>
  together({ signals: [{ id: 'unused', type: 'uint64', producer: 'derived' }] }, changes);

describe('a value that cannot be encoded', () => {
  it(
    rule('encoding failure', 'sends the raw for invalid values, without touching the signal'),
    () => {
      const rig = started(
        withUnused(settable({}, { raw_max: '100', invalid_raw: '255' }, { validity_bit: 8 })),
      );
      expect(sets(rig, '55')).toBe('3701');
      expect(sets(rig, '101')).toBe('ff00');
      expect(bindingOf(rig)).toEqual({ raw: '255', valid: false, error: 'out_of_range' });
      expect(rig.signal('shown')).toMatchObject({
        value: '101',
        valid: true,
        quality: 'good',
        error: null,
      });
      expect(rig.task('Cluster')).toMatchObject({ failed: 0, error: null });
    },
  );

  it(
    rule(
      'encoding failure',
      'sends the last raw that could be sent where there is none for invalid values',
    ),
    () => {
      const rig = started(
        withUnused(
          settable({}, { special: [{ raw: '200', state: 'error' }] }, { validity_bit: 8 }),
        ),
      );
      expect(sets(rig, '55')).toBe('3701');
      expect(sets(rig, '256')).toBe('3700');
      expect(bindingOf(rig)).toEqual({ raw: '55', valid: false, error: 'out_of_range' });
      expect(sets(rig, '200')).toBe('3700');
      expect(bindingOf(rig)).toEqual({ raw: '55', valid: false, error: 'reserved_code' });
    },
  );

  it(rule('encoding recovery', 'has its error until one comes that can be'), () => {
    const rig = started(withUnused(settable({}, { raw_max: '100' })));
    sets(rig, '101');
    expect(bindingOf(rig).error).toBe('out_of_range');
    expect(sets(rig, '56')).toBe('3800');
    expect(bindingOf(rig)).toEqual({ raw: '56', valid: true, error: null });
  });

  it(rule('exact wire', 'is a whole number that a float on the wire does not hold'), () => {
    const rig = started(
      together(withUnused(settable({}, { raw: 'float32', bit_length: undefined })), {
        messages: [{ id: 'Cluster', length: 4 }],
      }),
    );
    expect(sets(rig, '16777216')).toBe('0000804b');
    expect(sets(rig, '16777217')).toBe('0000804b');
    expect(bindingOf(rig)).toEqual({ raw: '16777216', valid: false, error: 'inexact' });
  });
});

describe('a signal that is not valid', () => {
  it(rule('invalid on the wire', 'goes out as the raw for invalid values'), () => {
    const rig = started({ codecs: [{ id: 'u8', invalid_raw: '255' }] });
    expect(rig.sent()).toEqual(['ff00']);
    rig.observe('Engine', '05 00', 10 * ms);
    rig.runUntil(320 * ms);
    expect(rig.sent().slice(1)).toEqual([...Array(15).fill('0500'), 'ff00']);
  });

  it(
    rule(
      'invalid on the wire',
      'goes out as its initial value until there was a valid one, and then as the last',
    ),
    () => {
      const rig = started({
        signals: [{ id: 'shown', initial: '7' }],
        messages: [{ id: 'Cluster', fill: 170 }],
      });
      rig.runUntil(20 * ms);
      rig.observe('Engine', '05 00', 30 * ms);
      rig.runUntil(340 * ms);
      expect(rig.signal('shown').quality).toBe('input_invalid');
      expect([rig.sent()[1], rig.sent()[2], rig.sent().at(-1)]).toEqual(['07aa', '05aa', '05aa']);
      expect(bindingOf(rig)).toEqual({ raw: '5', valid: false, error: null });
    },
  );

  it(rule('invalid on the wire', 'goes out as 0 where nothing else is known'), () => {
    const rig = started({});
    expect(rig.sent()).toEqual(['0000']);
    expect(bindingOf(rig)).toEqual({ raw: '0', valid: false, error: null });
  });

  it(rule('validity bit', 'clears its validity bit on the wire'), () => {
    const rig = started({ bindings: [{ id: 'shown.tx', validity_bit: 15 }] });
    rig.observe('Engine', '05 00', 10 * ms);
    rig.runUntil(320 * ms);
    expect([rig.sent()[0], rig.sent()[1], rig.sent().at(-1)]).toEqual(['0000', '0580', '0500']);
  });

  it(
    rule('cadence without sources', 'lets protected frames go on, each with the next counter'),
    () => {
      const rig = started(protecting);
      rig.observe('Engine', '05 00', 0);
      rig.disconnect('in');
      rig.runUntil(80 * ms);
      expect(rig.sent()).toEqual(['000000', '050104', '050207', '050306', '050401']);
      expect(rig.frames.map(({ atUs }) => atUs / ms)).toEqual([0, 20, 40, 60, 80]);
    },
  );
});
