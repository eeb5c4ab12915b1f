import { describe, expect, it } from 'vitest';
import { DatabaseStore } from '../../database/database-store.ts';
import { AttachedDatabase } from '../../database/service/attached-database.ts';
import { packDatabase } from '../../database/service/packed-database.ts';
import { encodeFrm2 } from '../../frame/frm2-event.ts';
import { frameFlag } from '../../frame/frm2-layout.ts';
import type { LongRecord } from '../../frame/long-record.ts';
import { parseSignalPattern, signalFilter } from '../signal-pattern.ts';
import { checkPatterns } from './attached-patterns.ts';
import { decodeFixed, decodeLive, FrameDecoder } from './frame-decoder.ts';
import { SignalWatch } from './watched-signal.ts';

const engine = `BO_ 256 Engine: 4 ECU
 SG_ Page M : 0|8@1+ (1,0) [0|1] "" ECU
 SG_ Speed m0 : 8|16@1+ (0.25,0) [0|100] "rpm" ECU
 SG_ Load m1 : 8|8@1- (0.5,-10) [0|100] "%" ECU
VAL_ 256 Page 0 "first" 1 "second" ;
BO_ 257 Empty: 8 ECU
`;

const attached = (name: string, text: string): AttachedDatabase => {
  const store = new DatabaseStore(1, () => 0);
  store.load({ name, file: `${name}.dbc`, bytes: new TextEncoder().encode(text) });
  return new AttachedDatabase(packDatabase(name, store.databaseOf(name)));
};

const recordOf = (id: number, data: string, more: { flags?: number; status?: number } = {}) => {
  const bytes = encodeFrm2({
    bus: 'can',
    kind: 'rx_frame',
    channel: 3,
    dlc: data.length / 2,
    id,
    flags: 0,
    status: 0,
    eventId: 9,
    sourceSequence: 1,
    streamEpoch: 0,
    timestampUs: 1000,
    hardwareSequence: 0,
    filterHit: 0,
    checksum: 0,
    data: Buffer.from(data, 'hex'),
    ...more,
  });
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
};

const noLongRecords = { endingWith: () => null };

describe('FrameDecoder', () => {
  const databases = [attached('engine', engine)];
  const decode = (...frame: Parameters<typeof recordOf>) =>
    new FrameDecoder(noLongRecords).decode(databases, recordOf(...frame), 0);

  it('gives the signals of the page that the multiplexer selects', () => {
    expect(decode(256, '000401FF')).toEqual({
      message: 'Engine',
      signals: [
        { signal: 'Page', value: '0', raw: '0', unit: '', label: 'first' },
        { signal: 'Speed', value: '65', raw: '260', unit: 'rpm', label: null },
      ],
    });
    expect(decode(256, '01FE0000')?.signals[1]).toEqual({
      signal: 'Load',
      value: '-11',
      raw: '-2',
      unit: '%',
      label: null,
    });
  });

  it('leaves out the signals beyond a short payload', () => {
    expect(decode(256, '0004')?.signals.map(({ signal }) => signal)).toEqual(['Page']);
    expect(decode(256, '')).toEqual({ message: 'Engine', signals: [] });
  });

  it('knows nothing about other frames, bus errors and channels without databases', () => {
    const nothing = { message: null, signals: [] };
    expect(decode(258, '00')).toEqual(nothing);
    expect(decode(256, '00', { flags: frameFlag.extended })).toEqual(nothing);
    expect(decode(256, '00', { flags: frameFlag.error })).toEqual(nothing);
    expect(decode(256, '00000000', { status: 1 })).toEqual(nothing);
    expect(new FrameDecoder(noLongRecords).decode([], recordOf(256, '00'), 0)).toBeNull();
  });

  it('names remote frames and messages without signals', () => {
    expect(decode(256, '', { flags: frameFlag.remote })).toEqual({
      message: 'Engine',
      signals: [],
    });
    expect(decode(257, '00')).toEqual({ message: 'Empty', signals: [] });
  });

  it('follows a change of the databases, except where it is fixed', () => {
    let own: readonly AttachedDatabase[] = databases;
    const source = { of: () => own };
    const decoder = new FrameDecoder(noLongRecords);
    const [live, fixed] = [decodeLive(source, decoder), decodeFixed(source, decoder)];
    const record = recordOf(256, '00040100');
    expect([live(record, 0)?.message, fixed(record, 0)?.message]).toEqual(['Engine', 'Engine']);
    own = [attached('motor', engine.replace('Engine', 'Motor'))];
    expect([live(record, 0)?.message, fixed(record, 0)?.message]).toEqual(['Motor', 'Engine']);
    own = [];
    expect([live(record, 0), fixed(record, 0)?.message]).toEqual([null, 'Engine']);
  });
});

const truck = `BO_ 2566834686 Plain: 8 ECU
 SG_ Any : 0|8@1+ (1,0) [0|255] "" ECU
BO_ 2566837246 Tires: 20 ECU
 SG_ Pressure : 0|16@1+ (0.5,0) [0|1000] "kPa" ECU
 SG_ Last : 144|16@1+ (1,0) [0|64255] "" ECU
BA_DEF_ BO_ "VFrameFormat" INT 0 15;
BA_ "VFrameFormat" BO_ 2566837246 3;
`;

/** A decoder for which the event 9 ends a payload of 20 bytes. */
const decoderOf = (id: number) => {
  const header = recordOf(id, '', { flags: frameFlag.extended });
  const bytes = Buffer.concat([
    Buffer.from(header.buffer, header.byteOffset, 64),
    Buffer.alloc(20),
  ]);
  bytes.set([0x40, 6], 64);
  bytes.set([1, 2], 82);
  const source: { ended: LongRecord | null } = {
    ended: { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.length), length: 20 },
  };
  return { source, decoder: new FrameDecoder({ endingWith: () => source.ended }) };
};

describe('a frame that completes a longer message', () => {
  const databases = [attached('truck', truck)];
  const last = recordOf(0x1cebff21, '03FFFFFFFFFFFFFF', { flags: frameFlag.extended });
  const tires = {
    message: 'Tires',
    signals: [
      { signal: 'Pressure', value: '800', raw: '1600', unit: 'kPa', label: null },
      { signal: 'Last', value: '513', raw: '513', unit: '', label: null },
    ],
  };

  it('has the signals of that message, from any address', () => {
    const { decoder } = decoderOf(0x18fed321);
    expect(decoder.decode(databases, last, 0)).toEqual(tires);
    expect(decoder.decode([], last, 0)).toBeNull();
  });

  it('has none of a message whose identifier is equal, but which is no parameter group', () => {
    const { decoder } = decoderOf(0x18fec9fe);
    expect(decoder.decode(databases, last, 0)).toEqual({ message: null, signals: [] });
  });

  it('has them again when the payload was dropped meanwhile, where it is fixed', () => {
    const { decoder, source } = decoderOf(0x18fed321);
    const fixed = decodeFixed({ of: () => databases }, decoder);
    expect(fixed(last, 0)).toEqual(tires);
    source.ended = null;
    expect(fixed(last, 0)).toEqual(tires);
  });
});

describe('patterns of signals', () => {
  const databases = [attached('engine', engine)];
  const select = (...texts: string[]) => signalFilter(texts.map(parseSignalPattern));
  const check = (text: string) => checkPatterns([parseSignalPattern(text)], databases, 'pattern');

  it.each([
    ['Engine.Speed', [true, false, false]],
    ['Engine.*', [true, true, false]],
    ['*.Speed', [true, false, true]],
    ['Speed', [true, false, true]],
    ['*.*', [true, true, true]],
    ['*', [true, true, true]],
    ['E*ne.S*d', [true, false, false]],
    ['*.*ad', [false, true, false]],
    ['En*En*.Speed', [false, false, false]],
    ['*.Spe*eed', [false, false, false]],
  ])('%s', (text, expected) => {
    const selects = select(text);
    expect([
      selects('Engine', 'Speed'),
      selects('Engine', 'Load'),
      selects('Brake', 'Speed'),
    ]).toEqual(expected);
  });

  it('select everything where there are none', () => {
    expect(select()('Any', 'Thing')).toBe(true);
  });

  it.each([
    ['Engine.Sped', 'Did you mean Engine.Speed?'],
    ['Engin.*', 'Did you mean Engine.*?'],
    ['Engin.Sped', 'Did you mean Engine.Speed?'],
    ['Lod', 'Did you mean Load?'],
  ])('must select a signal: %s', (text, hint) => {
    expect(() => check(text)).toThrow(expect.objectContaining({ code: 'signal_not_found', hint }));
  });

  it('are accepted where they select one', () => {
    for (const text of ['Engine.Speed', '*.Load', 'Engine.*', 'E*.L*', '*']) check(text);
  });
});

describe('SignalWatch', () => {
  const databases = [attached('engine', engine)];
  const decoder = new FrameDecoder(noLongRecords);
  const watch = (onlyChanges: boolean) =>
    new SignalWatch({
      decode: (record, at) => decoder.decode(databases, record, at),
      selectorOf: () => 'SIM00001/0',
      filter: signalFilter([parseSignalPattern('*.Speed')]),
      onlyChanges,
    });

  it('gives the selected signals of a frame with its place and time', () => {
    expect(watch(false).signalsOf(recordOf(256, '00040100'), 0)).toEqual([
      {
        event_id: 9,
        timestamp_us: 1000,
        channel: 3,
        selector: 'SIM00001/0',
        id: 256,
        message: 'Engine',
        signal: 'Speed',
        value: '65',
        raw: '260',
        unit: 'rpm',
        label: null,
      },
    ]);
  });

  it('gives a signal again only when its value has changed, if asked', () => {
    const [all, changes] = [watch(false), watch(true)];
    const frames = ['00040100', '00040100', '01000000', '00040100', '00050100'];
    const counts = (one: SignalWatch) =>
      frames.map((data) => one.signalsOf(recordOf(256, data), 0).length);
    expect(counts(all)).toEqual([1, 1, 0, 1, 1]);
    expect(counts(changes)).toEqual([1, 0, 0, 0, 1]);
  });

  it('compares signals of equal identifiers with 11 and 29 bits apart', () => {
    const both = [
      attached(
        'both',
        `${engine}BO_ 2147483904 Long: 8 ECU
 SG_ Speed : 0|16@1+ (1,0) [0|0] "" ECU
`,
      ),
    ];
    const changes = new SignalWatch({
      decode: (record, at) => decoder.decode(both, record, at),
      selectorOf: () => 'SIM00001/0',
      filter: signalFilter([parseSignalPattern('*.Speed')]),
      onlyChanges: true,
    });
    const shown = [0, frameFlag.extended, 0, frameFlag.extended].map((flags) =>
      changes.signalsOf(recordOf(256, '00040100', { flags }), 0).map(({ message }) => message),
    );
    expect(shown).toEqual([['Engine'], ['Long'], [], []]);
  });
});
