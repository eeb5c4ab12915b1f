import { describe, expect, it } from 'vitest';
import { frameFromRequest } from '../../../../src/frame/frame-request.ts';
import type { FrameRequest } from '../../../../src/frame/request-fields.ts';
import {
  bytesIn,
  emptyFrame,
  frameBody,
  frameFields,
  frameProblems,
  idDigits,
  kindsOn,
  typesOn,
  withId,
  withWidth,
} from './frame-draft.ts';

describe('bytesIn', () => {
  it.each([
    ['', 0],
    ['DEADBEEF', 4],
    ['de ad-be:ef', 4],
    ['0102 03', 3],
    [' 01 ', 1],
    ['1', null],
    ['1 2', null],
    ['XY', null],
    ['0x12', null],
  ])('counts in %j %s bytes', (text, count) => {
    expect(bytesIn(text)).toBe(count);
  });
});

describe('frameProblems', () => {
  const fieldsOf = (
    body: Readonly<Record<string, unknown>>,
    bus: 'can' | 'canfd' | 'lin' = 'canfd',
  ) => frameProblems(body, bus).map(({ field }) => field);

  it.each([
    { type: 'data', id: 0x7ff, data: '' },
    { type: 'data', id: 0x1fffffff, extended: true, data: '0102030405060708' },
    { type: 'data', id: 1, data: '0102030405060708', dlc: 15 },
    { type: 'data', id: 1, fd: true, data: '00'.repeat(12), dlc: 9 },
    { type: 'remote', id: 1, dlc: 4 },
    { type: 'sync-break' },
    { type: 'master-read', id: 0x3c },
    { type: 'master-write', id: 1, data: '01' },
  ])('has nothing against %j', (body) => {
    expect(frameProblems(body, null)).toEqual([]);
  });

  it.each([
    [{ type: 'data', data: '01' }, 'id'],
    [{ type: 'data', id: 0x800, extended: false }, 'id'],
    [{ type: 'data', id: '20000000', extended: true }, 'id'],
    [{ type: 'master-read', id: 0x3f }, 'id'],
    [{ type: 'data', id: 1, data: 'ABC' }, 'data'],
    [{ type: 'data', id: 1, data: '00'.repeat(9) }, 'data'],
    [{ type: 'data', id: 1, fd: true, data: '00'.repeat(9) }, 'data'],
    [{ type: 'data', id: 1, fd: true, data: '00'.repeat(65) }, 'data'],
    [{ type: 'master-write', id: 1 }, 'data'],
    [{ type: 'master-write', id: 0x3c, data: '01' }, 'data'],
    [{ type: 'data', id: 1, data: '0102', dlc: 3 }, 'dlc'],
    [{ type: 'data', id: 1, fd: true, data: '00'.repeat(12), dlc: 12 }, 'dlc'],
  ])('refuses %j at %s', (body, field) => {
    expect(fieldsOf(body)).toEqual([field]);
  });

  it('knows that identifiers of LIN are short whatever the type', () => {
    expect(fieldsOf({ type: 'data', id: 0x100 }, 'lin')).toEqual(['id']);
  });

  it('says how far to pad', () => {
    const [problem] = frameProblems({ type: 'data', id: 1, fd: true, data: '00'.repeat(21) }, null);
    expect(problem?.message).toBe('CAN FD has no frames of 21 bytes: pad to 24');
  });

  const refusedBy = (call: () => unknown): string | null => {
    try {
      call();
      return null;
    } catch (thrown) {
      return String((thrown as { details?: { field?: unknown } }).details?.field);
    }
  };

  const lengths = Array.from({ length: 67 }, (_, length) => '00'.repeat(length));

  /** Bodies that the form can produce and the contract does not reject on its own. */
  const bodies = (bus: 'canfd' | 'lin'): readonly FrameRequest[] =>
    bus === 'lin'
      ? [0, 0x3b, 0x3c, 0x3d, 0x3e, 0x3f].flatMap((id) => [
          { type: 'master-read', id },
          ...lengths.map((data) => ({ type: 'master-write', id, data }) as const),
        ])
      : [0x7ff, 0x800, 0x1fff_ffff].flatMap((id) =>
          [true, false].flatMap((extended) =>
            [true, false].flatMap((fd) =>
              [undefined, 0, 8, 9, 15].flatMap((dlc) =>
                lengths.map((data) => ({
                  ...{ type: 'data', id, extended, fd, data },
                  ...(dlc === undefined ? {} : { dlc }),
                })),
              ),
            ),
          ),
        );

  it.each(['canfd', 'lin'] as const)('refuses on %s what the service refuses', (bus) => {
    for (const body of bodies(bus)) {
      const field = refusedBy(() => frameFromRequest(body, bus));
      const fields = fieldsOf({ ...body }, bus);
      if (field === null) expect(fields, JSON.stringify(body)).toEqual([]);
      else expect(fields, JSON.stringify(body)).toContain(field);
    }
  });
});

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
    // Ambiguous so far.
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
