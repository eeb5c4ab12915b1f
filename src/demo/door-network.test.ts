import { describe, expect, it } from 'vitest';
import { readLdf } from '../database/ldf/read-ldf.ts';
import { compileDecoder } from '../signal/compile-decoder.ts';
import { SampleText } from '../signal/sample-text.ts';
import { doorNetwork } from './door-network.ts';
import { FrameEncoder } from './frame-layout.ts';
import { lightSwitch, rainSensor, wiperCommand } from './vehicle-frames.ts';
import { VehicleModel } from './vehicle-model.ts';

const { database, diagnostics } = readLdf(new TextEncoder().encode(doorNetwork()));

describe('the LIN network of the vehicle', () => {
  it('has nothing that a strict tool would complain about', () => {
    expect(diagnostics).toEqual([]);
  });

  it.each([wiperCommand, lightSwitch, rainSensor])('describes $name as it is sent', (layout) => {
    const message = database.messages.find(({ name }) => name === layout.name);
    if (!message) throw new RangeError(layout.name);
    expect(message).toMatchObject({ id: layout.id, length: layout.length });
    const encoder = new FrameEncoder(layout);
    const state = new VehicleModel().advance(60_000_000, 0);
    encoder.encode(state);
    const { signals, decode, newValues } = compileDecoder(message);
    const values = newValues();
    const { data } = encoder;
    decode(new DataView(data.buffer), 0, data.length, values);
    const text = new SampleText(signals);
    for (const { name, of, factor } of layout.signals) {
      const index = signals.findIndex((signal) => signal.name === name);
      const { raw, label, value } = text.textOf(values, index) ?? {};
      if (label === null) expect(Math.abs(Number(value) - of(state))).toBeLessThanOrEqual(factor);
      else expect(Number(raw)).toBe(of(state));
    }
  });
});
