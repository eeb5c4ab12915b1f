import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RtuFraming, type RtuOptions } from './rtu-framing.ts';
import { rtuSilenceUs, streamSilenceUs } from './serial-timing.ts';
import { arbitraryRequest, arbitraryResponse } from './testing/arbitrary-pdus.ts';
import { bytesOf, joined } from './testing/bytes-of.ts';
import { frameVectors } from './testing/frame-vectors.ts';
import type { FramingSubject } from './testing/framing-bench.ts';
import { describeFraming } from './testing/framing-suite.ts';
import { asRecorded, RecordedLine } from './testing/recorded-line.ts';

const silenceUs = rtuSilenceUs(9600);
const gapUs = 50_000;

const lineOf = (side: RtuOptions['side']): RecordedLine =>
  new RecordedLine((receiver) => new RtuFraming(receiver, { side, silenceUs, gapUs }));

const common: Omit<FramingSubject, 'create' | 'vectors' | 'pdus'> = {
  wire: ({ unit, pdu, crc }) => joined(Uint8Array.of(unit), bytesOf(pdu), bytesOf(crc)),
  noise: fc.uint8Array({ minLength: 0, maxLength: 12 }),
  // A function that does not tell its length, and no silence.
  oversize: new Uint8Array(300).fill(0x55),
  hasChecksum: true,
  resynchronises: true,
  patienceUs: gapUs,
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

/** On a connection silence tells next to nothing, and what arrives at once may end a frame. */
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
  patienceUs: streamSilenceUs,
});

describeFraming('Modbus RTU over a connection, at a server', {
  ...common,
  create: (receiver) => new RtuFraming(receiver, { side: 'server', ...stream }),
  vectors: frameVectors.filter(({ side }) => side === 'request'),
  pdus: arbitraryRequest,
  patienceUs: streamSilenceUs,
});

const read = { unit: 0x11, pdu: bytesOf('03 006B 0003') };
const registers = { unit: 0x11, pdu: bytesOf('03 06 022B 0000 0064') };
const write = { unit: 0x11, pdu: bytesOf('06 0001 0003') };
const refusal = { unit: 0x11, pdu: bytesOf('83 02') };

describe('RtuFraming', () => {
  it('takes a function that does not tell its length with what arrived, on a connection', () => {
    const unknown = { unit: 0x11, pdu: bytesOf('63 010203') };
    const line = new RecordedLine(
      (receiver) => new RtuFraming(receiver, { side: 'server', ...stream }),
    );
    const bytes = line.encoded(unknown);
    line.hear(bytes);
    expect(line.frames).toEqual([asRecorded(unknown)]);
    line.hear(bytes.subarray(0, 4));
    line.hear(bytes.subarray(4));
    line.hear(line.encoded(read));
    expect(line.frames).toEqual([unknown, unknown, read].map(asRecorded));
    line.passSilence();
    expect(line.problems).toEqual([]);
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
      const line = lineOf(side);
      line.hear(bytesOf(glitch), line.encoded(frame));
      line.passSilence();
      expect(line.frames).toEqual([asRecorded(frame)]);
      expect(line.discarded).toBe(bytesOf(glitch).length);
    }
  });

  it('needs no silence to find a response behind a zero, as no device is unit 0', () => {
    const line = lineOf('client');
    line.hear(bytesOf('00'), line.encoded(registers));
    expect(line.frames).toEqual([asRecorded(registers)]);
    expect(line.problems).toEqual([{ kind: 'garbage', discarded: 1, fatal: false }]);
  });

  it('tells a frame with a wrong CRC from garbage', () => {
    const line = lineOf('client');
    line.hear(bytesOf('11 83 02 0000'));
    line.passSilence();
    line.hear(bytesOf('FF FE'));
    line.passSilence();
    // A function that does not tell its length.
    line.hear(bytesOf('11 44 01 02 03'));
    line.passSilence();
    expect(line.problems).toEqual([
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
      const line = lineOf(side);
      for (const byte of line.encoded(frame)) {
        line.hear(Uint8Array.of(byte));
        line.pass(gapUs - 1);
      }
      expect(line.frames).toEqual([asRecorded(frame)]);
      expect(line.problems).toEqual([]);
    }
  });

  it('gives a frame up whose rest does not come within the gap', () => {
    const line = lineOf('client');
    const whole = line.encoded(registers);
    line.hear(whole.subarray(0, 5));
    line.pass(gapUs);
    expect(line.problems).toEqual([{ kind: 'incomplete', discarded: 5, fatal: false }]);
    line.hear(whole.subarray(5));
    line.passSilence();
    expect(line.frames).toEqual([]);
  });

  it('tells a frame with a wrong CRC as soon as it is silent, with its bytes and what it would be', () => {
    const line = lineOf('client');
    line.hear(bytesOf('11 03 02 0007 0000'));
    line.pass(silenceUs);
    expect(line.problems).toEqual([{ kind: 'bad_checksum', discarded: 7, fatal: false }]);
    expect(line.damages).toEqual([
      { bytes: '11030200070000', claim: { unit: 0x11, function: 3, pduLength: 4 } },
    ]);
  });

  it('finds a pause in an answer behind a glitch, as it knows whom it has asked', () => {
    const line = lineOf('client');
    line.send(read);
    const whole = line.encoded(registers);
    line.hear(bytesOf('00'), whole.subarray(0, 4));
    line.pass(gapUs - 1);
    line.hear(whole.subarray(4));
    expect(line.frames).toEqual([asRecorded(registers)]);
  });

  it('takes a whole frame behind a pause at once, whatever the fragment before it announced', () => {
    const line = lineOf('server');
    line.hear(line.encoded({ unit: 0x11, pdu: bytesOf('10 0000 0064 C8 0000') }).subarray(0, 9));
    line.pass(silenceUs);
    line.hear(line.encoded(read));
    expect(line.frames).toEqual([asRecorded(read)]);
    expect(line.problems).toEqual([{ kind: 'incomplete', discarded: 9, fatal: false }]);
    // What is followed by a sound frame is no damaged answer.
    expect(line.damages[0]?.claim).toBeUndefined();
  });

  it('has nothing more to wait for at infinity', () => {
    const line = lineOf('client');
    line.hear(line.encoded(registers).subarray(0, 5));
    line.framing.idle(Number.POSITIVE_INFINITY);
    expect(line.problemKinds).toEqual(['incomplete']);
    expect(line.framing.nextDeadlineUs).toBe(Number.POSITIVE_INFINITY);
  });

  it('takes a frame of an unknown function once silence has ended it', () => {
    const unknown = { unit: 0x11, pdu: bytesOf('41 0000 A537') };
    const line = lineOf('server');
    line.hear(line.encoded(unknown));
    line.pass(silenceUs - 1);
    expect(line.frames).toEqual([]);
    line.pass(1);
    expect(line.frames).toEqual([asRecorded(unknown)]);
  });

  it('takes a frame that is longer than its byte count tells, for the PDU to be judged', () => {
    const odd = { unit: 0x11, pdu: bytesOf('03 04 022B 0000 0064') };
    const line = lineOf('client');
    line.hear(line.encoded(odd));
    line.passSilence();
    expect(line.frames).toEqual([asRecorded(odd)]);
  });

  it('finds the frame behind one that was cut off, without silence between them', () => {
    const line = lineOf('server');
    line.hear(line.encoded(read).subarray(0, 6), line.encoded(write));
    line.passSilence();
    expect(line.frames).toEqual([asRecorded(write)]);
    expect(line.discarded).toBe(6);
  });

  it('goes on finding frames in noise that never pauses', () => {
    const line = lineOf('server');
    const noise = new Uint8Array(1000).fill(0x55);
    line.hear(joined(noise, line.encoded(read), noise, line.encoded(write)), noise);
    line.passSilence();
    expect(line.frames).toEqual([asRecorded(read), asRecorded(write)]);
    expect(line.discarded).toBe(3000);
  });

  it('hears units up to 247 only', () => {
    const line = lineOf('client');
    for (const unit of [0, 1, 247, 248, 255]) {
      line.hear(line.encoded({ ...refusal, unit }));
      line.passSilence();
    }
    expect(line.frames.map(({ unit }) => unit)).toEqual([1, 247]);
  });

  describe('at a server with other devices on the line', () => {
    it('passes over what they answer and goes on with the next request', () => {
      const line = lineOf('server');
      const other = { unit: 5, pdu: registers.pdu };
      const question = { unit: 5, pdu: read.pdu };
      line.hear(line.encoded(question), line.encoded(other), line.encoded(read));
      expect(line.frames).toEqual([asRecorded(question), asRecorded(read)]);
      expect(line.problems).toEqual([]);
    });

    it('passes over exceptions and answers to writes of many registers', () => {
      const line = lineOf('server');
      line.hear(
        line.encoded({ unit: 5, pdu: bytesOf('90 02') }),
        line.encoded({ unit: 5, pdu: bytesOf('10 0001 0002') }),
        line.encoded(write),
      );
      expect(line.frames).toEqual([asRecorded(write)]);
      expect(line.problems).toEqual([]);
    });
  });

  describe('on a line that echoes', () => {
    it('hides the own request from the client, however it is cut', () => {
      const echo = lineOf('client').encoded(read);
      for (let cut = 0; cut <= echo.length; cut++) {
        const line = lineOf('client');
        line.send(read);
        line.hear(echo.subarray(0, cut), echo.subarray(cut));
        expect(line.frames).toEqual([]);
        line.hear(lineOf('client').encoded(registers));
        expect(line.frames).toEqual([asRecorded(registers)]);
        expect(line.problems).toEqual([]);
      }
    });

    it('hides it behind a glitch and glued to the answer', () => {
      const line = lineOf('client');
      const echo = line.send(read);
      line.hear(joined(Uint8Array.of(0), echo, lineOf('client').encoded(registers)));
      line.passSilence();
      expect(line.frames).toEqual([asRecorded(registers)]);
      expect(line.discarded).toBe(1);
    });

    it('takes a copy of a write for the answer while the line is not known to echo', () => {
      const line = lineOf('client');
      line.hear(line.send(write));
      expect(line.frames).toEqual([asRecorded(write)]);
    });

    it('takes the second copy of a write once a read has shown the echo', () => {
      const line = lineOf('client');
      line.hear(line.send(read), lineOf('client').encoded(registers));
      line.frames.splice(0);
      const echo = line.send(write);
      line.hear(echo);
      expect(line.frames).toEqual([]);
      line.hear(echo);
      expect(line.frames).toEqual([asRecorded(write)]);
    });

    it('hides the copy of a write to all units, which nobody answers', () => {
      const line = lineOf('client');
      line.hear(line.send({ ...write, unit: 0 }));
      expect(line.frames).toEqual([]);
      expect(line.problems).toEqual([]);
    });

    it('does not take a read of coils that looks like its answer as proof of an echo', () => {
      const line = lineOf('client');
      const lookalike = { unit: 0x11, pdu: bytesOf('01 0300 0014') };
      line.hear(line.send(lookalike));
      line.hear(line.send(write));
      expect(line.frames).toEqual([asRecorded(lookalike), asRecorded(write)]);
    });

    it('shows an answer that begins like the request', () => {
      const line = lineOf('client');
      line.send({ unit: 0x11, pdu: bytesOf('03 06 02 2B00') });
      line.hear(lineOf('client').encoded(registers));
      expect(line.frames).toEqual([asRecorded(registers)]);
    });

    it('hides the own answers from the server', () => {
      const line = lineOf('server');
      line.hear(line.send(registers));
      line.hear(line.send(write));
      expect(line.frames).toEqual([]);
      line.hear(lineOf('client').encoded(write));
      expect(line.frames).toEqual([asRecorded(write)]);
    });

    it('expects an echo of what was sent, not of what was only encoded or forgotten', () => {
      const line = lineOf('client');
      line.hear(line.send(read));
      expect(line.frames).toEqual([]);
      line.hear(line.encoded(write));
      const sent = line.send(write);
      line.framing.reset();
      line.hear(sent);
      expect(line.frames).toHaveLength(2);
    });
  });
});
