import { type AsciiText, asciiText, putInteger } from '../../frame/ascii-writer.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import type { TraceBatch } from '../trace-batch.ts';

const blank = 0x20;
const point = 0x2e;
const zero = 0x30;
const digitA = 0x41 - 10;
const secondsWidth = 4;
const usPerSecond = 1e6;

/** Packs four characters into one number, so that one store writes them. */
const words = (count: number, textOf: (value: number) => string): Uint32Array =>
  Uint32Array.from({ length: count }, (_, value) =>
    [...textOf(value)].reduce((word, character) => (word << 8) | character.charCodeAt(0), 0),
  );

/** A blank and a byte, and a blank that the next byte overwrites. */
const spacedBytes = words(256, (value) => ` ${value.toString(16).toUpperCase().padStart(2, '0')} `);
/** Three digits of the microseconds, and a blank that the other three overwrite. */
const halves = words(1000, (value) => `${String(value).padStart(3, '0')} `);

export const directed = (before: string, after: string): readonly AsciiText[] =>
  ['Rx', 'Rx', 'Tx'].map((direction) => asciiText(`${before}${direction}${after}`));

export const putBlanks = (view: DataView, at: number, count: number): number => {
  for (let i = 0; i < count; i++) view.setUint8(at + i, blank);
  return at + Math.max(count, 0);
};

export const putTime = (view: DataView, at: number, timeUs: number): number => {
  const seconds = Math.floor(timeUs / usPerSecond);
  const fraction = timeUs - seconds * usPerSecond;
  const upper = (fraction / 1000) | 0;
  let width = 1;
  for (let limit = 10; width < secondsWidth && seconds >= limit; limit *= 10) width++;
  const end = putInteger(view, putBlanks(view, at, secondsWidth - width), seconds);
  view.setUint8(end, point);
  view.setUint32(end + 1, halves[upper] as number);
  view.setUint32(end + 4, halves[fraction - upper * 1000] as number);
  return end + 8;
};

export const hexWidth = (value: number): number => (35 - Math.clz32(value | 1)) >> 2;

export const hexDigit = (value: number): number => (value < 10 ? zero : digitA) + value;

export const putHexNumber = (view: DataView, at: number, value: number): number => {
  const end = at + hexWidth(value);
  for (let place = end - 1, rest = value; place >= at; place--, rest >>>= 4) {
    view.setUint8(place, hexDigit(rest & 15));
  }
  return end;
};

export const putData = (view: DataView, at: number, batch: TraceBatch, row: number): number => {
  const { payload } = batch;
  const from = row * maxFdLength;
  const end = from + (batch.length[row] as number);
  let to = at;
  for (let i = from; i < end; i++) {
    view.setUint32(to, spacedBytes[payload[i] as number] as number);
    to += 3;
  }
  return to;
};
