import { describe, expect, it } from 'vitest';
import { Slots } from '../values/slots.ts';
import { status, valueLayout } from './abi.ts';
import { NativeProcessor } from './instance-plugins.ts';
import type { NativeInstance } from './native-instance.ts';
import type { NativeFunction } from './native-library.ts';

const marker = { enter: () => undefined, leave: () => undefined };
const instance = { pointer: 0n } as NativeInstance;
const shape = { inputs: [], outputs: ['uint64', 'uint64'], taskLengths: [] } as const;

/** A processor that writes this many bytes of its output values, and reports success. */
const processorOf = (write: (outputs: Uint8Array) => void): NativeProcessor => {
  const process = (_pointer: unknown, _round: unknown, _inputs: unknown, outputs: Uint8Array) => {
    write(outputs);
    return status.ok;
  };
  const processor = new NativeProcessor(instance, process as NativeFunction, marker, shape);
  const before = new Slots(1);
  for (const index of shape.outputs.keys()) processor.putOutput(index, before, 0, true);
  return processor;
};

describe('the outputs of a processor', () => {
  const setValid = (index: number, valid: number) =>
    processorOf((outputs) => {
      outputs[valueLayout.size * index + valueLayout.valid] = valid;
    });

  it('may be said to be not valid, one by one', () => {
    const processor = setValid(1, 0);
    expect(processor.run(0, 16)).toBe(true);
    expect([processor.isOutputValid(0), processor.isOutputValid(1)]).toEqual([true, false]);
  });

  it('need no value where they are not valid', () => {
    const processor = processorOf((outputs) => {
      outputs.fill(0xff);
      for (const at of [0, valueLayout.size]) outputs[at + valueLayout.valid] = 0;
    });
    expect(processor.run(0, 16)).toBe(true);
  });

  it.each([2, 0x80, 0xff])('fail together where one is neither valid nor not: %i', (valid) => {
    for (const index of [0, 1]) expect(setValid(index, valid).run(0, 16)).toBe(false);
  });
});
