import { describe, expect, it } from 'vitest';
import { decodeText } from './encoding.ts';
import { encodeText } from './testing/encode-text.ts';

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const ascii = (text: string): number[] => [...text].map((character) => character.charCodeAt(0));

describe('the encoding of a file', () => {
  it('is UTF-8 whenever the bytes are that, with or without mark', () => {
    const text = '°C µ 温度';
    const encoded = new TextEncoder().encode(text);
    expect(decodeText(encoded)).toEqual({ text, encoding: 'utf-8' });
    expect(decodeText(bytes(0xef, 0xbb, 0xbf, ...encoded))).toEqual({ text, encoding: 'utf-8' });
  });

  it.each([
    ['°C', [0xb0, 0x43]],
    ['µm', [0xb5, 0x6d]],
    ['für Öl', [0x66, 0xfc, 0x72, 0x20, 0xd6, 0x6c]],
    ['€ – Ÿ', [0x80, 0x20, 0x96, 0x20, 0x9f]],
    [
      'größte Maßöffnung',
      [...ascii('gr'), 0xf6, 0xdf, ...ascii('te Ma'), 0xdf, 0xf6, ...ascii('ffnung')],
    ],
  ])('is windows-1252 for %s', (text, encoded) => {
    expect(decodeText(Uint8Array.from(encoded))).toEqual({ text, encoding: 'windows-1252' });
    expect(encodeText(text, 'windows-1252')).toEqual(Uint8Array.from(encoded));
  });

  it.each([
    ['℃', [0xa1, 0xe6]],
    ['电池', [0xb5, 0xe7, 0xb3, 0xd8]],
    ['"车速" km', [0x22, 0xb3, 0xb5, 0xcb, 0xd9, 0x22, 0x20, 0x6b, 0x6d]],
  ])('is GB18030 for %s', (text, encoded) => {
    expect(decodeText(Uint8Array.from(encoded))).toEqual({ text, encoding: 'gb18030' });
    expect(encodeText(text, 'gb18030')).toEqual(Uint8Array.from(encoded));
  });

  it('can be told by those who know it', () => {
    const encoded = bytes(0x89, 0xb7, 0x93, 0x78);
    expect(decodeText(encoded, 'shift_jis').text).toBe('温度');
    expect(decodeText(bytes(0xc3, 0xa4), 'windows-1252').text).toBe('Ã¤');
  });
});

describe('writing in an encoding', () => {
  it('falls back on UTF-8 for characters that it lacks', () => {
    expect(encodeText('温度', 'windows-1252')).toEqual(new TextEncoder().encode('温度'));
    expect(encodeText('温度😀', 'gb18030')).toEqual(new TextEncoder().encode('温度😀'));
  });

  it('falls back on UTF-8 where a reader would take it for another one', () => {
    expect(encodeText('Ã¤', 'windows-1252')).toEqual(new TextEncoder().encode('Ã¤'));
  });
});
