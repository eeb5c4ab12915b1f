import { describe, expect, it } from 'vitest';
import { placeOfDropped } from './dropped-file.ts';

const list = (...files: readonly (readonly [file: string, bytes: number])[]) => ({
  files: files.map(([file, bytes]) => ({ file, bytes, modified_us: 0 })),
  isComplete: true,
});

const dropped = { name: 'car.dbc', size: 10 };

describe('a dropped database file', () => {
  it.each(['car.dbc', 'databases/car.dbc'])('is found in the project folder as %s', (file) => {
    expect(
      placeOfDropped(dropped, list(['other.dbc', 10], ['my-car.dbc', 10], [file, 10])),
    ).toEqual({
      file,
    });
  });

  it('must be in the project folder', () => {
    expect(placeOfDropped(dropped, list(['my-car.dbc', 10]))).toEqual({
      reason: expect.stringContaining('Copy it there first'),
    });
  });

  it('must be the same as the one there', () => {
    expect(placeOfDropped(dropped, list(['old/car.dbc', 11]))).toEqual({
      reason: expect.stringContaining('old/car.dbc in the project folder differs'),
    });
    expect(placeOfDropped(dropped, list(['old/car.dbc', 11], ['new/car.dbc', 10]))).toEqual({
      file: 'new/car.dbc',
    });
  });

  it('is not guessed if there are several', () => {
    expect(placeOfDropped(dropped, list(['a/car.dbc', 10], ['b/car.dbc', 10]))).toEqual({
      reason: expect.stringContaining('a/car.dbc and b/car.dbc'),
    });
  });

  it('is a DBC or an LDF file', () => {
    expect(placeOfDropped({ name: 'car.arxml', size: 1 }, list(['car.arxml', 1]))).toEqual({
      reason: 'car.arxml is not a .dbc or .ldf file.',
    });
    expect(placeOfDropped({ name: 'Door.LDF', size: 1 }, list(['Door.LDF', 1]))).toEqual({
      file: 'Door.LDF',
    });
  });
});
