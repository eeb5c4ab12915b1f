import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Compile } from 'typebox/schema';
import { describe, expect, it } from 'vitest';
import { diagnosticsFiles } from '../../scripts/reference/diagnostics-files.ts';
import { readEcuModel } from '../../src/diagnostics/ecu-model.ts';
import { EcuServer } from '../../src/diagnostics/ecu-server.ts';
import { FlashPlan } from '../../src/diagnostics/flash-plan.ts';
import { readFlashSequence } from '../../src/diagnostics/flash-sequence.ts';
import { repository } from '../support/workbench.ts';

const example = (name: string): Uint8Array => readFileSync(join(repository, 'examples', name));
const files = diagnosticsFiles();

describe('what is published about files for diagnostics', () => {
  it.each(Object.entries(files))(
    '%s is committed as it is rendered; npm run generate writes it',
    (path, text) => {
      expect(readFileSync(join(repository, path), 'utf8')).toBe(text);
    },
  );

  it.each([
    ['ecu', 'ecu.json'],
    ['flash-sequence', 'flash-sequence.json'],
  ])('the schema %s accepts its example', (name, file) => {
    const schema = JSON.parse(files[`schemas/${name}.schema.json`] ?? '');
    const content = JSON.parse(Buffer.from(example(file)).toString());
    expect(Compile(schema).Check(content)).toBe(true);
    expect(Compile(schema).Check({ ...content, unknown: 1 })).toBe(false);
  });
});

it('The example of a sequence flashes the example of an ECU', () => {
  const model = readEcuModel(example('ecu.json'));
  const server = new EcuServer({ model, readSignal: () => null });
  const data = Uint8Array.from({ length: 10_000 }, (_, index) => index % 251);
  const image = { segments: [{ address: 0x08000000, data }], size: data.length, start: null };
  const plan = new FlashPlan(readFlashSequence(example('flash-sequence.json')), image);
  const answered = (request: Uint8Array): Uint8Array | null => {
    server.request(request, false, 0);
    for (;;) {
      const response = server.takeResponse();
      if (response !== null && response.payload[2] !== 0x78) return response.payload;
      if (response === null) server.expire(server.deadlineUs);
    }
  };
  let outcome: Uint8Array | null = null;
  for (let action = plan.next(); action !== null; action = plan.next(outcome)) {
    if (action.kind === 'request') outcome = answered(action.request);
    else outcome = action.kind === 'key' ? Uint8Array.of(0xca, 0xfe, 0xba, 0xbe) : null;
  }
  expect(plan.progress).toMatchObject({ bytes: data.length, totalBytes: data.length });
  expect(server.memory?.subarray(0, data.length)).toEqual(data);
});
