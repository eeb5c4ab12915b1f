import { describe, expect, it } from 'vitest';
import {
  emptyFrame,
  frameBody,
  frameFields,
  idDigits,
  kindsOn,
  typesOn,
  withId,
  withWidth,
} from './frame-draft.ts';

const can = { bus: 'can', lin: null } as const;
const lin = (role: 'master' | 'slave') =>
  ({ bus: 'lin', lin: { role, version: '2.2', checksum: 'enhanced' } }) as const;
const types = ['data', 'remote', 'master-write', 'master-read', 'sync-break'];

describe('typesOn', () => {
  it('keeps the types that a bus has', () => {
    expect(typesOn(can, types)).toEqual(['data', 'remote']);
    expect(typesOn(lin('master'), types)).toEqual(['master-write', 'master-read', 'sync-break']);
    expect(typesOn(null, types)).toEqual(types);
  });

  it('has none that a LIN slave could send', () => {
    expect(typesOn(lin('slave'), types)).toEqual([]);
  });
});

describe('kindsOn', () => {
  it('keeps the kinds that a channel can run', () => {
    const kinds = ['cyclic', 'lin_response'];
    expect(kindsOn(can, kinds)).toEqual(['cyclic']);
    expect(kindsOn(lin('master'), kinds)).toEqual(kinds);
    expect(kindsOn(lin('slave'), kinds)).toEqual(['lin_response']);
    expect(kindsOn(null, kinds)).toEqual(kinds);
  });
});

describe('frameFields', () => {
  it.each([
    ['data', false, 'can', ['id', 'extended', 'dlc', 'data']],
    ['data', false, 'canfd', ['id', 'extended', 'fd', 'dlc', 'data']],
    ['data', true, 'canfd', ['id', 'extended', 'fd', 'brs', 'esi', 'dlc', 'data']],
    ['data', true, null, ['id', 'extended', 'fd', 'brs', 'esi', 'dlc', 'data']],
    ['remote', true, 'canfd', ['id', 'extended', 'dlc']],
    ['master-write', false, 'lin', ['id', 'data', 'checksum']],
    ['master-read', false, 'lin', ['id', 'dlc', 'checksum']],
    ['sync-break', false, 'lin', []],
  ] as const)('shows for %s with fd %s on %s the fields %j', (type, fd, bus, fields) => {
    expect(frameFields({ type, fd }, bus)).toEqual(fields);
  });
});

describe('frameBody', () => {
  it('holds what can be seen and is not empty, in the types of the contract', () => {
    const draft = { ...emptyFrame, id: '1FF', data: ' DE AD ', dlc: '', brs: true };
    expect(frameBody(draft, ['id', 'extended', 'dlc', 'data', 'checksum'])).toEqual({
      id: 0x1ff,
      extended: false,
      data: 'DE AD',
    });
  });

  it('leaves what is no number for the contract to refuse', () => {
    const draft = { ...emptyFrame, id: 'engine', dlc: 'eight' };
    expect(frameBody(draft, ['id', 'dlc'])).toEqual({ id: 'engine', dlc: 'eight' });
  });
});

describe('withId', () => {
  it.each([
    ['7DF', true, false],
    ['18FF', false, true],
    ['00000123', false, true],
    // Not yet one or the other.
    ['0123', false, false],
    ['0123', true, true],
    ['', true, true],
    ['engine', false, false],
  ])('gives %j after extended %s the width %s', (id, before, extended) => {
    expect(withId(id, before)).toEqual({ id, extended });
  });
});

describe('withWidth', () => {
  it('writes the identifier in the digits of the width', () => {
    expect(withWidth('123', true)).toEqual({ id: '00000123', extended: true });
    expect(withWidth('00000123', false)).toEqual({ id: '123', extended: false });
    expect(withWidth('18FF50E5', false)).toEqual({ id: '18FF50E5', extended: false });
    expect(withWidth('', true)).toEqual({ id: '', extended: true });
  });
});

describe('idDigits', () => {
  it('is as wide as identifiers of the bus are written', () => {
    expect([idDigits('lin', false), idDigits('can', false), idDigits('canfd', true)]).toEqual([
      2, 3, 8,
    ]);
  });
});
