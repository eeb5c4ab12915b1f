import { describe, expect, it } from 'vitest';
import { definedIn, identifiersOf, readDid } from './identifiers.ts';

const entry = {
  channel: 'powertrain',
  dids: {
    f190: { name: 'vin', length: 17, codec: 'ascii' },
    '0100': { codec: { kind: 'linear', raw: 'unsigned' } },
    '0200': {},
  },
} as const;

describe('identifiers of an ECU', () => {
  it('are those of the bench file with what is known of their values', () => {
    expect(definedIn(entry as never).map(({ did, name, form }) => [did, name, form])).toEqual([
      ['F190', 'vin', 'ascii, 17 B'],
      ['0100', null, 'number'],
      ['0200', null, 'hex'],
    ]);
    expect(definedIn({ channel: 'powertrain', dids: 'engine.json' })).toEqual([]);
    expect(definedIn(undefined)).toEqual([]);
  });

  it('are followed by those that the user added, each listed once', () => {
    const listed = identifiersOf(definedIn(entry as never), ['F190', 'F18C'], () => 'serial');
    expect(listed.map(({ did, isAdded }) => [did, isAdded])).toEqual([
      ['F190', false],
      ['0100', false],
      ['0200', false],
      ['F18C', true],
    ]);
    expect(listed.at(-1)?.name).toBe('serial');
  });

  it.each([
    ['f190', 'F190'],
    ['0x1', '0001'],
    [' vin ', 'vin'],
    ['F1900', 'F1900'],
    ['1F1900', null],
    ['', null],
    ['a b', null],
  ])('are typed as hex digits or a name: %j is %j', (text, did) => {
    expect(readDid(text)).toBe(did);
  });
});
