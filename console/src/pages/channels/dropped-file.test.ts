import { describe, expect, it } from 'vitest';
import { placeOfDropped } from './dropped-file.ts';

/** Content by path. */
type Folder = Readonly<Record<string, string>>;

const bytesOf = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

const placeOf = (name: string, content: string, folder: Folder) =>
  placeOfDropped(
    new File([content], name),
    {
      files: Object.entries(folder).map(([file, text]) => ({
        file,
        bytes: bytesOf(text).length,
        modified_us: 0,
      })),
      isComplete: true,
    },
    async (file) => ({ bytes: bytesOf(folder[file] ?? '') }),
  );

describe('a dropped database file', () => {
  it.each(['car.dbc', 'databases/car.dbc'])(
    'is found in the project folder as %s',
    async (file) => {
      const folder = { 'other.dbc': 'text', 'my-car.dbc': 'text', [file]: 'text' };
      expect(await placeOf('car.dbc', 'text', folder)).toEqual({ file });
    },
  );

  it('must be in the project folder', async () => {
    expect(await placeOf('car.dbc', 'text', { 'my-car.dbc': 'text' })).toEqual({
      reason: expect.stringContaining('Copy it there first'),
    });
  });

  it('must have the content of the one there, not only its size', async () => {
    for (const other of ['longer text', 'next']) {
      expect(await placeOf('car.dbc', 'text', { 'old/car.dbc': other })).toEqual({
        reason: expect.stringContaining('old/car.dbc in the project folder differs'),
      });
    }
    const folder = { 'old/car.dbc': 'next', 'new/car.dbc': 'text' };
    expect(await placeOf('car.dbc', 'text', folder)).toEqual({ file: 'new/car.dbc' });
  });

  it('is not guessed if there are several', async () => {
    expect(await placeOf('car.dbc', 'text', { 'a/car.dbc': 'text', 'b/car.dbc': 'text' })).toEqual({
      reason: expect.stringContaining('a/car.dbc and b/car.dbc'),
    });
  });

  it('is a DBC or an LDF file', async () => {
    expect(await placeOf('car.arxml', 'text', { 'car.arxml': 'text' })).toEqual({
      reason: 'car.arxml is not a .dbc or .ldf file.',
    });
    expect(await placeOf('Door.LDF', 'text', { 'Door.LDF': 'text' })).toEqual({ file: 'Door.LDF' });
  });
});
