import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, hexOf, joined } from '../pdu/testing/bytes-of.ts';
import { AsciiFraming } from './ascii-framing.ts';
import { defaultGapUs } from './serial-framing.ts';
import { arbitraryRequest, arbitraryResponse } from './testing/arbitrary-pdus.ts';
import { frameVectors } from './testing/frame-vectors.ts';
import { asRecorded, FramingRecorder } from './testing/framing-recorder.ts';
import { describeFraming } from './testing/framing-suite.ts';

const gapUs = defaultGapUs.ascii;

const charactersOf = (text: string): Uint8Array =>
  Uint8Array.from(text, (character) => character.charCodeAt(0));

const isLower = (byte: number): boolean => byte >= 0x61 && byte <= 0x66;

describeFraming('Modbus ASCII', {
  create: (receiver) => new AsciiFraming(receiver, { side: 'client', gapUs }),
  vectors: frameVectors,
  wire: ({ unit, pdu, lrc }) => {
    const digits = unit.toString(16).toUpperCase().padStart(2, '0') + pdu.replaceAll(' ', '');
    return charactersOf(`:${digits}${lrc}\r\n`);
  },
  pdus: fc.oneof(arbitraryRequest, arbitraryResponse),
  noise: fc.uint8Array({ maxLength: 30 }).map((bytes) => bytes.filter((byte) => byte !== 0x3a)),
  oversize: charactersOf(`:${'5'.repeat(600)}`),
  hasChecksum: true,
  resynchronises: true,
  maxPauseUs: gapUs,
  normalized: (bytes) => bytes.map((byte) => (isLower(byte) ? byte - 0x20 : byte)),
});

const recorderFor = (side: 'client' | 'server' = 'client'): FramingRecorder =>
  new FramingRecorder((receiver) => new AsciiFraming(receiver, { side, gapUs }));

describe('AsciiFraming', () => {
  const refusal = { unit: 1, pdu: bytesOf('83 02') };

  it('accepts lower-case digits', () => {
    const recorder = recorderFor();
    recorder.hear(charactersOf(':1103006b00037e\r\n'), charactersOf(':1103006B00037e\r\n'));
    expect(recorder.frames).toHaveLength(2);
  });

  it('begins anew at a colon', () => {
    const recorder = recorderFor();
    recorder.hear(
      charactersOf(':0183'),
      charactersOf(':0183027A\r'),
      charactersOf(':0183027A\r\n'),
    );
    expect(recorder.frames).toEqual([asRecorded(refusal)]);
    expect(recorder.problems).toEqual([
      { kind: 'incomplete', discarded: 5, fatal: false },
      { kind: 'incomplete', discarded: 10, fatal: false },
    ]);
  });

  it.each([
    ['a wrong LRC', ':0183027B\r\n', 'bad_checksum'],
    ['half a byte', ':0183027A0\r\n', 'bad_length'],
    ['nothing at all', ':\r\n', 'bad_length'],
    ['a unit without a function', ':01FF\r\n', 'bad_length'],
  ])('reports a frame with %s at its end', (_, text, kind) => {
    const recorder = recorderFor();
    recorder.hear(charactersOf(text));
    expect(recorder.problems).toEqual([{ kind, discarded: text.length, fatal: false }]);
    expect(recorder.frames).toEqual([]);
  });

  it.each([
    ['a letter that is no digit', ':0183G27A\r\n'],
    ['a space', ':01 83027A\r\n'],
    ['a line feed alone', ':0183027A\n'],
    ['a digit behind the carriage return', ':0183027A\r0\n'],
    ['the eighth bit set', ':0183027\u00c1\r\n'],
  ])('reports a frame with %s once, with all that follows', (_, text) => {
    const recorder = recorderFor();
    recorder.hear(charactersOf(text), recorder.encoded(refusal));
    expect(recorder.problems).toEqual([
      { kind: 'bad_character', discarded: text.length, fatal: false },
    ]);
    expect(recorder.frames).toEqual([asRecorded(refusal)]);
  });

  it('takes 513 characters and refuses one byte more', () => {
    const recorder = recorderFor();
    const pdu = new Uint8Array(253).fill(0x41);
    const bytes = recorder.encoded({ unit: 1, pdu });
    expect(bytes).toHaveLength(513);
    recorder.hear(bytes);
    expect(recorder.frames).toEqual([asRecorded({ unit: 1, pdu })]);
    recorder.hear(joined(charactersOf(':00'), bytes.subarray(1)));
    recorder.passSilence();
    expect(recorder.problems).toEqual([{ kind: 'too_long', discarded: 515, fatal: false }]);
    expect(recorder.frames).toHaveLength(1);
  });

  it('waits a second for the next character, counted from the last one', () => {
    const recorder = recorderFor();
    for (const character of recorder.encoded(refusal)) {
      recorder.pass(gapUs - 1);
      recorder.hear(Uint8Array.of(character));
    }
    expect(recorder.frames).toEqual([asRecorded(refusal)]);
  });

  it('tells damage at the end of the line, with its characters and what it would be', () => {
    const recorder = recorderFor();
    recorder.hear(charactersOf(':018302FF\r\n:01830?7A\r\n0183027A\r\n'));
    expect(recorder.problemKinds).toEqual(['bad_checksum', 'bad_character', 'garbage']);
    expect(recorder.damages).toMatchObject([
      { claim: { unit: 1, function: 0x83, pduLength: 2 } },
      { claim: { unit: 1, function: 0x83 } },
      { bytes: hexOf(charactersOf('0183027A\r\n')), claim: undefined },
    ]);
    recorder.hear(recorder.encoded(refusal));
    expect(recorder.frames).toEqual([asRecorded(refusal)]);
  });

  it('hides the echo of a request, and takes the copy of a write for the answer', () => {
    const read = { unit: 1, pdu: bytesOf('03 0000 0002') };
    const write = { unit: 1, pdu: bytesOf('06 0001 0003') };
    const recorder = recorderFor();
    recorder.hear(recorder.send(write));
    expect(recorder.frames).toEqual([asRecorded(write)]);
    recorder.hear(recorder.send(read));
    const echo = recorder.send(write);
    recorder.hear(echo);
    expect(recorder.frames).toHaveLength(1);
    recorder.hear(echo);
    expect(recorder.frames).toHaveLength(2);
  });
});
