import { describe, expect, it } from 'vitest';
import { readDbc } from '../../database/dbc/read-dbc.ts';
import { maxFdLength } from '../../frame/dlc.ts';
import { busCode, frameFlag } from '../../frame/frm2-layout.ts';
import { channelKeyAt } from '../../trace/channel-key.ts';
import { TraceBatch, traceDetail } from '../../trace/trace-batch.ts';
import { tables } from '../tables.ts';
import { ChannelDecoder } from './channel-decoder.ts';
import { ChosenMessages } from './chosen-messages.ts';
import { ChunkDecoder, eventTimeUs } from './chunk-decoder.ts';
import type { DecodeSettings } from './decode-settings.ts';
import { isDecodable } from './sample-frames.ts';

const text = `BU_: A
BO_ 256 Scaled: 8 A
 SG_ Speed : 0|16@1+ (0.01,0) [0|655.35] "km/h" A
 SG_ Level : 23|12@0- (1,-5) [-2053|2042] "" A
 SG_ State : 40|2@1+ (1,0) [0|3] "" A
BO_ 257 Paged: 8 A
 SG_ Page M : 0|4@1+ (1,0) [0|15] "" A
 SG_ First m0 : 8|8@1+ (1,0) [0|255] "" A
BO_ 258 Signed: 4 A
 SG_ Kind : 0|8@1- (1,0) [-128|127] "" A
BO_ 2147483904 Wide: 8 A
 SG_ Last : 56|8@1+ (1,0) [0|255] "" A
VAL_ 256 State 0 "Off" 2 "On" ;
VAL_ 258 Kind -1 "None" ;
`;
const settings: DecodeSettings = {
  format: 'csv',
  databases: [
    { name: 'd', channel: null, database: readDbc(new TextEncoder().encode(text)).database },
  ],
  signals: null,
  wide: false,
  everyUs: null,
};
const times = { startUnixUs: 1_767_225_600_000_000, fromUs: 1_767_225_600_001_000, toUs: 1e18 };
const names = new Map<number, string>();

/** Frames of all kinds; 3 of 4 are of a message that is sampled without its decoder. */
const rows = 5000;
const batch = new TraceBatch(rows);
let state = 7;
const random = (limit: number): number => {
  state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
  return Math.floor((state / 2 ** 32) * limit);
};
for (let row = 0; row < rows; row++) {
  batch.timeNs[row] = row * 1e5 + random(1000);
  batch.channel[row] = 1 + random(2);
  batch.bus[row] = random(50) === 0 ? busCode.lin : busCode.can;
  batch.id[row] = random(4) > 0 ? 256 : 256 + random(4);
  batch.flags[row] = [0, 0, 0, 0, 0, 0, frameFlag.extended, frameFlag.remote][random(8)] as number;
  batch.detail[row] = random(60) === 0 ? traceDetail.syncError : traceDetail.noChecksum;
  batch.length[row] = random(20) === 0 ? random(8) : 8;
  for (let byte = 0; byte < 8; byte++) batch.payload[row * maxFdLength + byte] = random(256);
}
batch.timeNs[3000] = 2 ** 53 + 2;
batch.timeNs[3001] = -5000;
batch.count = rows;

/** Each row through its message. */
const decodedEach = (): { readonly table: string; readonly decoded: number } => {
  const messages = new ChosenMessages(settings);
  const decoder = new ChannelDecoder(messages, rows * messages.maxSignals, null);
  const view = new DataView(batch.buffer, batch.payload.byteOffset, batch.payload.length);
  for (let row = 0; row < rows; row++) {
    const timeUs = eventTimeUs(times.startUnixUs, batch.timeNs[row] as number);
    if (timeUs < times.fromUs || timeUs >= times.toUs || !isDecodable(batch, row)) continue;
    const extended = ((batch.flags[row] as number) & frameFlag.extended) !== 0;
    const [id, length] = [batch.id[row] as number, batch.length[row] as number];
    const key = channelKeyAt(batch, row);
    decoder.decode(key, names, id, extended, view, row * maxFdLength, length, timeUs, row);
  }
  const { bytes } = tables.csv.encoder(null).encode(decoder.samples);
  return { table: new TextDecoder().decode(bytes), decoded: decoder.decoded };
};

describe('a chunk of a trace', () => {
  it('has the samples of its frames one by one', () => {
    const parts: string[] = [];
    const decoder = new ChunkDecoder(settings);
    const counts = decoder.decode(batch, times, names, [], ({ bytes }) =>
      parts.push(new TextDecoder().decode(bytes)),
    );
    const { table, decoded } = decodedEach();
    expect(parts.join('')).toBe(table);
    expect(counts.decoded).toBe(decoded);
    expect(decoded).toBeGreaterThan(rows / 2);
    expect(counts.samples).toBe(table.split('\n').length - 1);
    const { notChosen, outside, unusable, unknown } = counts;
    expect(decoded + notChosen + outside + unusable + unknown).toBe(rows);
    expect(table).toMatch(/Off.*\n(.*\n)*.*On/);
  });
});
