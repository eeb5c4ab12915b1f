import { describe, expect, it } from 'vitest';
import { readDbc } from '../database/dbc/read-dbc.ts';
import { compileDecoder } from '../signal/compile-decoder.ts';
import { SampleText } from '../signal/sample-text.ts';
import { demoProject } from './demo-project.ts';
import { FrameEncoder } from './frame-layout.ts';
import { vehicleDatabase } from './vehicle-database.ts';
import { canFrames } from './vehicle-frames.ts';
import { VehicleModel } from './vehicle-model.ts';

const { database, diagnostics } = readDbc(new TextEncoder().encode(vehicleDatabase()));

type Rows = readonly Readonly<Record<string, string | number>>[];
const project: { messages: Rows; bindings: Rows; codecs: Rows } = JSON.parse(demoProject());
const sentByGateway = project.messages.filter(({ direction }) => direction === 'tx');

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

  it.each(sentByGateway)('describes $id as the gateway sends it', (sent) => {
    const message = database.messages.find(({ id, extended }) => id === sent.can_id && !extended);
    expect(message).toMatchObject({ name: sent.id, length: sent.length });
    expect(message?.cycleTimeMs || undefined).toBe(sent.period_ms);
    for (const binding of project.bindings.filter(({ message }) => message === sent.id)) {
      const codec = project.codecs.find(({ id }) => id === binding.codec);
      expect(message?.signals).toContainEqual(
        expect.objectContaining({
          name: binding.signal,
          startBit: binding.start_bit,
          length: codec?.bit_length ?? 1,
          factor: String(codec?.factor ?? 1),
          offset: String(codec?.offset ?? 0),
        }),
      );
    }
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
