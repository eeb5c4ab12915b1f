import { describe, expect, it } from 'vitest';
import type { SerialSettings } from './serial-settings.ts';
import { refusedSetting, termiosFor } from './termios.ts';

const settings: SerialSettings = { baudRate: 19_200, dataBits: 8, parity: 'even', stopBits: 1 };
const strict = { ignoresFormat: false };

/** The termios words of a device, with some changed. */
const answered = (changes: Readonly<Record<number, number>>): Uint8Array => {
  const bytes = termiosFor(settings);
  const words = new Uint32Array(bytes.buffer);
  for (const [index, word] of Object.entries(changes)) words[Number(index)] = word;
  return bytes;
};

describe('refusedSetting', () => {
  it.each([
    settings,
    { baudRate: 123_456, dataBits: 7, parity: 'odd', stopBits: 2 },
    { baudRate: 9600, dataBits: 8, parity: 'none', stopBits: 2 },
  ] as const)('is content with a device that does as told: %j', (reported) => {
    expect(refusedSetting(termiosFor(reported), reported, strict)).toBeUndefined();
  });

  it('minds every part of the data format', () => {
    const others: Partial<SerialSettings>[] = [
      { dataBits: 7 },
      { parity: 'odd' },
      { parity: 'none' },
      { stopBits: 2 },
    ];
    for (const other of others) {
      const bytes = termiosFor({ ...settings, ...other });
      expect(refusedSetting(bytes, settings, strict)).toBe('data_format');
      expect(refusedSetting(bytes, settings, { ignoresFormat: true })).toBeUndefined();
    }
  });

  it('puts up with a baud rate that is nearly right', () => {
    const about = (baudRate: number) =>
      refusedSetting(termiosFor({ ...settings, baudRate }), settings, strict);
    expect(about(19_100)).toBeUndefined();
    expect(about(9600)).toBe('baud_rate');
  });

  it.each([
    ['translates line ends', { 0: 0x100 }],
    ['stops at XOFF', { 0: 0x400 }],
    ['changes what it sends', { 1: 0x1 }],
    ['collects lines', { 3: 0x2 }],
    ['echoes', { 3: 0x8 }],
  ])('refuses a line that %s', (_, changes) => {
    expect(refusedSetting(answered(changes), settings, { ignoresFormat: true })).toBe('raw_mode');
  });
});

describe('a line whose errors are marked', () => {
  it('neither ignores breaks nor takes them for zeros, with or without parity', () => {
    for (const parity of ['none', 'even'] as const) {
      const reported = { ...settings, parity };
      const marking = termiosFor(reported, { areMarked: true });
      // INPCK and PARMRK, without IGNBRK and BRKINT.
      expect(new Uint32Array(marking.buffer)[0]).toBe(0x10 | 0x8);
      expect(refusedSetting(marking, reported, strict)).toBeUndefined();
    }
  });
});
