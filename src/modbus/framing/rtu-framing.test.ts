import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOf, joined } from '../pdu/testing/bytes-of.ts';
import { RtuFraming, type RtuOptions } from './rtu-framing.ts';
import { rtuSilenceUs, streamSilenceUs } from './serial-framing.ts';
import { arbitraryRequest, arbitraryResponse } from './testing/arbitrary-pdus.ts';
import { frameVectors } from './testing/frame-vectors.ts';
import type { FramingSubject } from './testing/framing-bench.ts';
import { asRecorded, FramingRecorder } from './testing/framing-recorder.ts';
import { describeFraming } from './testing/framing-suite.ts';

const silenceUs = rtuSilenceUs(9600);
const gapUs = 50_000;

const recorderFor = (side: RtuOptions['side']): FramingRecorder =>
  new FramingRecorder((receiver) => new RtuFraming(receiver, { side, silenceUs, gapUs }));

const common: Omit<FramingSubject, 'create' | 'vectors' | 'pdus'> = {
  wire: ({ unit, pdu, crc }) => joined(Uint8Array.of(unit), bytesOf(pdu), bytesOf(crc)),
  noise: fc.uint8Array({ minLength: 0, maxLength: 12 }),
  // A function without a length field, and no silence.
  oversize: new Uint8Array(300).fill(0x55),
  hasChecksum: true,
  resynchronises: true,
  maxPauseUs: gapUs,
};

describeFraming('Modbus RTU at a client', {
  ...common,
  create: (receiver) => new RtuFraming(receiver, { side: 'client', silenceUs, gapUs }),
  vectors: frameVectors.filter(({ side }) => side === 'response'),
  pdus: arbitraryResponse,
});

describeFraming('Modbus RTU at a server', {
  ...common,
  create: (receiver) => new RtuFraming(receiver, { side: 'server', silenceUs, gapUs }),
  vectors: frameVectors.filter(({ side }) => side === 'request'),
  pdus: arbitraryRequest,
});

/** On a TCP connection, silence means almost nothing; the end of a chunk may end a frame. */
const stream = {
  silenceUs: streamSilenceUs,
  gapUs: streamSilenceUs,
  endsWithChunk: true,
} as const;

describeFraming('Modbus RTU over a connection, at a client', {
  ...common,
  create: (receiver) => new RtuFraming(receiver, { side: 'client', ...stream }),
  vectors: frameVectors.filter(({ side }) => side === 'response'),
  pdus: arbitraryResponse,
  maxPauseUs: streamSilenceUs,
});

describeFraming('Modbus RTU over a connection, at a server', {
  ...common,
  create: (receiver) => new RtuFraming(receiver, { side: 'server', ...stream }),
  vectors: frameVectors.filter(({ side }) => side === 'request'),
  pdus: arbitraryRequest,
  maxPauseUs: streamSilenceUs,
});

const read = { unit: 0x11, pdu: bytesOf('03 006B 0003') };
const registers = { unit: 0x11, pdu: bytesOf('03 06 022B 0000 0064') };
const write = { unit: 0x11, pdu: bytesOf('06 0001 0003') };
const refusal = { unit: 0x11, pdu: bytesOf('83 02') };

describe('RtuFraming', () => {
  it('takes a function that does not tell its length with what arrived, on a connection', () => {
    const unknown = { unit: 0x11, pdu: bytesOf('63 010203') };
    const recorder = new FramingRecorder(
      (receiver) => new RtuFraming(receiver, { side: 'server', ...stream }),
    );
    const bytes = recorder.encoded(unknown);
    recorder.hear(bytes);
    expect(recorder.frames).toEqual([asRecorded(unknown)]);
    recorder.hear(bytes.subarray(0, 4));
    recorder.hear(bytes.subarray(4));
    recorder.hear(recorder.encoded(read));
    expect(recorder.frames).toEqual([unknown, unknown, read].map(asRecorded));
    recorder.passSilence();
    expect(recorder.problems).toEqual([]);
  });

  it.each([
    ['a zero', '00'],
    ['a byte that no unit has', 'FF'],
    ['a byte that looks like a unit and a function', '01'],
    ['some bytes', '00 FF 11'],
  ])('finds a frame behind a glitch: %s', (_, glitch) => {
    for (const [side, frame] of [
      ['client', registers],
      ['server', read],
    ] as const) {
      const recorder = recorderFor(side);
      recorder.hear(bytesOf(glitch), recorder.encoded(frame));
      recorder.passSilence();
      expect(recorder.frames).toEqual([asRecorded(frame)]);
      expect(recorder.discarded).toBe(bytesOf(glitch).length);
    }
  });

  it('needs no silence to find a response behind a zero, as no device is unit 0', () => {
    const recorder = recorderFor('client');
    recorder.hear(bytesOf('00'), recorder.encoded(registers));
    expect(recorder.frames).toEqual([asRecorded(registers)]);
    expect(recorder.problems).toEqual([{ kind: 'garbage', discarded: 1, fatal: false }]);
  });

  it('tells a frame with a wrong CRC from garbage', () => {
    const recorder = recorderFor('client');
    recorder.hear(bytesOf('11 83 02 0000'));
    recorder.passSilence();
    recorder.hear(bytesOf('FF FE'));
    recorder.passSilence();
    // A function without a length field.
    recorder.hear(bytesOf('11 44 01 02 03'));
    recorder.passSilence();
    expect(recorder.problems).toEqual([
      { kind: 'bad_checksum', discarded: 5, fatal: false },
      { kind: 'garbage', discarded: 2, fatal: false },
      { kind: 'bad_checksum', discarded: 5, fatal: false },
    ]);
  });

  it('tolerates pauses inside a frame that are shorter than the gap', () => {
    for (const [side, frame] of [
      ['client', registers],
      ['server', read],
    ] as const) {
      const recorder = recorderFor(side);
      for (const byte of recorder.encoded(frame)) {
        recorder.hear(Uint8Array.of(byte));
        recorder.pass(gapUs - 1);
      }
      expect(recorder.frames).toEqual([asRecorded(frame)]);
      expect(recorder.problems).toEqual([]);
    }
  });

  it('gives a frame up whose rest does not come within the gap', () => {
    const recorder = recorderFor('client');
    const whole = recorder.encoded(registers);
    recorder.hear(whole.subarray(0, 5));
    recorder.pass(gapUs);
    expect(recorder.problems).toEqual([{ kind: 'incomplete', discarded: 5, fatal: false }]);
    recorder.hear(whole.subarray(5));
    recorder.passSilence();
    expect(recorder.frames).toEqual([]);
  });

  it('tells a frame with a wrong CRC as soon as it is silent, with its bytes and what it would be', () => {
    const recorder = recorderFor('client');
    recorder.hear(bytesOf('11 03 02 0007 0000'));
    recorder.pass(silenceUs);
    expect(recorder.problems).toEqual([{ kind: 'bad_checksum', discarded: 7, fatal: false }]);
    expect(recorder.damages).toEqual([
      { bytes: '11030200070000', claim: { unit: 0x11, function: 3, pduLength: 4 } },
    ]);
  });

  it('finds a pause in an answer behind a glitch, as it knows whom it has asked', () => {
    const recorder = recorderFor('client');
    recorder.send(read);
    const whole = recorder.encoded(registers);
    recorder.hear(bytesOf('00'), whole.subarray(0, 4));
    recorder.pass(gapUs - 1);
    recorder.hear(whole.subarray(4));
    expect(recorder.frames).toEqual([asRecorded(registers)]);
  });

  it('takes a whole frame behind a pause at once, whatever the fragment before it announced', () => {
    const recorder = recorderFor('server');
    recorder.hear(
      recorder.encoded({ unit: 0x11, pdu: bytesOf('10 0000 0064 C8 0000') }).subarray(0, 9),
    );
    recorder.pass(silenceUs);
    recorder.hear(recorder.encoded(read));
    expect(recorder.frames).toEqual([asRecorded(read)]);
    expect(recorder.problems).toEqual([{ kind: 'incomplete', discarded: 9, fatal: false }]);
    // Bytes followed by a valid frame are not a damaged response.
    expect(recorder.damages[0]?.claim).toBeUndefined();
  });

  it('has nothing more to wait for at infinity', () => {
    const recorder = recorderFor('client');
    recorder.hear(recorder.encoded(registers).subarray(0, 5));
    recorder.framing.idle(Number.POSITIVE_INFINITY);
    expect(recorder.problemKinds).toEqual(['incomplete']);
    expect(recorder.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('takes a frame of an unknown function once silence has ended it', () => {
    const unknown = { unit: 0x11, pdu: bytesOf('41 0000 A537') };
    const recorder = recorderFor('server');
    recorder.hear(recorder.encoded(unknown));
    recorder.pass(silenceUs - 1);
    expect(recorder.frames).toEqual([]);
    recorder.pass(1);
    expect(recorder.frames).toEqual([asRecorded(unknown)]);
  });

  it('takes a frame that is longer than its byte count tells, for the PDU to be judged', () => {
    const odd = { unit: 0x11, pdu: bytesOf('03 04 022B 0000 0064') };
    const recorder = recorderFor('client');
    recorder.hear(recorder.encoded(odd));
    recorder.passSilence();
    expect(recorder.frames).toEqual([asRecorded(odd)]);
  });

  it('finds the frame behind one that was cut off, without silence between them', () => {
    const recorder = recorderFor('server');
    recorder.hear(recorder.encoded(read).subarray(0, 6), recorder.encoded(write));
    recorder.passSilence();
    expect(recorder.frames).toEqual([asRecorded(write)]);
    expect(recorder.discarded).toBe(6);
  });

  it('goes on finding frames in noise that never pauses', () => {
    const recorder = recorderFor('server');
    const noise = new Uint8Array(1000).fill(0x55);
    recorder.hear(joined(noise, recorder.encoded(read), noise, recorder.encoded(write)), noise);
    recorder.passSilence();
    expect(recorder.frames).toEqual([asRecorded(read), asRecorded(write)]);
    expect(recorder.discarded).toBe(3000);
  });

  it('hears units up to 247 only', () => {
    const recorder = recorderFor('client');
    for (const unit of [0, 1, 247, 248, 255]) {
      recorder.hear(recorder.encoded({ ...refusal, unit }));
      recorder.passSilence();
    }
    expect(recorder.frames.map(({ unit }) => unit)).toEqual([1, 247]);
  });

  describe('at a server with other devices on the line', () => {
    it('passes over what they answer and goes on with the next request', () => {
      const recorder = recorderFor('server');
      const other = { unit: 5, pdu: registers.pdu };
      const question = { unit: 5, pdu: read.pdu };
      recorder.hear(recorder.encoded(question), recorder.encoded(other), recorder.encoded(read));
      expect(recorder.frames).toEqual([asRecorded(question), asRecorded(read)]);
      expect(recorder.problems).toEqual([]);
    });

    it('passes over exceptions and answers to writes of many registers', () => {
      const recorder = recorderFor('server');
      recorder.hear(
        recorder.encoded({ unit: 5, pdu: bytesOf('90 02') }),
        recorder.encoded({ unit: 5, pdu: bytesOf('10 0001 0002') }),
        recorder.encoded(write),
      );
      expect(recorder.frames).toEqual([asRecorded(write)]);
      expect(recorder.problems).toEqual([]);
    });
  });

  describe('on a line that echoes', () => {
    it('hides the own request from the client, however it is cut', () => {
      const echo = recorderFor('client').encoded(read);
      for (let cut = 0; cut <= echo.length; cut++) {
        const recorder = recorderFor('client');
        recorder.send(read);
        recorder.hear(echo.subarray(0, cut), echo.subarray(cut));
        expect(recorder.frames).toEqual([]);
        recorder.hear(recorderFor('client').encoded(registers));
        expect(recorder.frames).toEqual([asRecorded(registers)]);
        expect(recorder.problems).toEqual([]);
      }
    });

    it('hides it behind a glitch and glued to the answer', () => {
      const recorder = recorderFor('client');
      const echo = recorder.send(read);
      recorder.hear(joined(Uint8Array.of(0), echo, recorderFor('client').encoded(registers)));
      recorder.passSilence();
      expect(recorder.frames).toEqual([asRecorded(registers)]);
      expect(recorder.discarded).toBe(1);
    });

    it('takes a copy of a write for the answer while the line is not known to echo', () => {
      const recorder = recorderFor('client');
      recorder.hear(recorder.send(write));
      expect(recorder.frames).toEqual([asRecorded(write)]);
    });

    it('takes the second copy of a write once a read has shown the echo', () => {
      const recorder = recorderFor('client');
      recorder.hear(recorder.send(read), recorderFor('client').encoded(registers));
      recorder.frames.splice(0);
      const echo = recorder.send(write);
      recorder.hear(echo);
      expect(recorder.frames).toEqual([]);
      recorder.hear(echo);
      expect(recorder.frames).toEqual([asRecorded(write)]);
    });

    it('hides the copy of a write to all units, which no unit answers', () => {
      const recorder = recorderFor('client');
      recorder.hear(recorder.send({ ...write, unit: 0 }));
      expect(recorder.frames).toEqual([]);
      expect(recorder.problems).toEqual([]);
    });

    it('does not take a read of coils that looks like its answer as proof of an echo', () => {
      const recorder = recorderFor('client');
      const lookalike = { unit: 0x11, pdu: bytesOf('01 0300 0014') };
      recorder.hear(recorder.send(lookalike));
      recorder.hear(recorder.send(write));
      expect(recorder.frames).toEqual([asRecorded(lookalike), asRecorded(write)]);
    });

    it('shows an answer that begins like the request', () => {
      const recorder = recorderFor('client');
      recorder.send({ unit: 0x11, pdu: bytesOf('03 06 02 2B00') });
      recorder.hear(recorderFor('client').encoded(registers));
      expect(recorder.frames).toEqual([asRecorded(registers)]);
    });

    it('hides the own answers from the server', () => {
      const recorder = recorderFor('server');
      recorder.hear(recorder.send(registers));
      recorder.hear(recorder.send(write));
      expect(recorder.frames).toEqual([]);
      recorder.hear(recorderFor('client').encoded(write));
      expect(recorder.frames).toEqual([asRecorded(write)]);
    });

    it('expects an echo of what was sent, not of what was only encoded or forgotten', () => {
      const recorder = recorderFor('client');
      recorder.hear(recorder.send(read));
      expect(recorder.frames).toEqual([]);
      recorder.hear(recorder.encoded(write));
      const sent = recorder.send(write);
      recorder.framing.reset();
      recorder.hear(sent);
      expect(recorder.frames).toHaveLength(2);
    });
  });
});
