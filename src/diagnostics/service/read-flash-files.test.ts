import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { readFlashFiles } from './read-flash-files.ts';

const root = mkdtempSync(join(tmpdir(), 'flash-files-'));
afterAll(() => rmSync(root, { recursive: true }));

const files: Readonly<Record<string, string>> = {
  'app.hex': ':0100000011EE\n:00000001FF\n',
  'bad.hex': ':0100000011EF\n:00000001FF\n',
  'empty.hex': ':00000001FF\n',
  'empty.s19': 'S9030000FC\n',
  'steps.json': '{ "name": "app", "steps": [{ "step": "download" }] }',
  'bad.json': '{ "name": "app",\n  "steps": [}',
};
for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);

const read = (file: string, sequence: string) =>
  readFlashFiles(root, { ecu: 'engine', file, sequence });

it('reads the image and the steps of a flash job', () => {
  expect(read('app.hex', 'steps.json')).toMatchObject({
    image: { size: 1 },
    sequence: { name: 'app' },
  });
});

it.each([
  ['bad.hex', 'steps.json', { field: 'file', path: 'bad.hex', line: 1, column: 12 }],
  ['app.hex', 'bad.json', { field: 'sequence', path: 'bad.json', line: 2, column: 13 }],
])('names the file, the line and the column of a mistake in %s or %s', (file, steps, details) => {
  expect(() => read(file, steps)).toThrow(
    expect.objectContaining({
      code: 'invalid_diagnostics_file',
      message: expect.stringContaining(`${details.path}: `),
      details: expect.objectContaining(details),
    }),
  );
});

it.each(['empty.hex', 'empty.s19'])('refuses %s, which has no bytes', (file) => {
  expect(() => read(file, 'steps.json')).toThrow(
    expect.objectContaining({
      code: 'invalid_diagnostics_file',
      message: `${file}: The image is empty`,
      details: expect.objectContaining({ field: 'file', path: file }),
    }),
  );
});
