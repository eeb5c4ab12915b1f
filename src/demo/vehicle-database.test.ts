import { describe, expect, it } from 'vitest';
import { readDbc } from '../database/dbc/read-dbc.ts';
import { compileDecoder } from '../signal/compile-decoder.ts';
import { SampleText } from '../signal/sample-text.ts';
import { FrameEncoder } from './frame-layout.ts';
import { vehicleDatabase } from './vehicle-database.ts';
import { canFrames } from './vehicle-frames.ts';
import { VehicleModel } from './vehicle-model.ts';

const { database, diagnostics } = readDbc(new TextEncoder().encode(vehicleDatabase()));

describe('the database of the vehicle', () => {
  it('has nothing that a strict tool would complain about', () => {
    expect(diagnostics).toEqual([]);
  });

  it.each(canFrames)('describes $name as it is sent', (frame) => {
    const message = database.messages.find(({ name }) => name === frame.name);
    expect(message).toMatchObject({
      id: frame.id,
      extended: frame.extended ?? false,
      fd: frame.fd ?? false,
      brs: frame.fd ?? false,
      length: frame.length,
      cycleTimeMs: frame.periodUs / 1000,
    });
    expect(message?.signals.map(({ name }) => name)).toEqual([
      'AliveCounter',
      ...frame.signals.map(({ name }) => name),
    ]);
  });

  it.each(canFrames)('decodes what $name carries', (frame) => {
    const message = database.messages.find(({ name }) => name === frame.name);
    if (!message) throw new Error('no message');
    const state = new VehicleModel().advance(60_000_000);
    const encoder = new FrameEncoder(frame);
    encoder.encode(state);
    const decoder = compileDecoder(message);
    const values = decoder.newValues();
    const { buffer, byteOffset, byteLength } = encoder.data;
    decoder.decode(new DataView(buffer, byteOffset, byteLength), 0, byteLength, values);
    const texts = new SampleText(decoder.signals);
    for (const [index, { factor, of }] of frame.signals.entries()) {
      const decoded = Number(texts.textOf(values, index + 1)?.value);
      expect(Math.abs(decoded - of(state))).toBeLessThanOrEqual(factor / 2 + 1e-9);
    }
  });
});
