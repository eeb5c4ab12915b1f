import {
  type AsciiText,
  asciiSlack,
  asciiText,
  putAscii,
  putHex,
  putInteger,
  putUint32,
} from './ascii-writer.ts';
import { maxFdLength } from './dlc.ts';
import { frm2DataLength, frm2ErrorCount } from './error-count.ts';
import type { MessageEvent } from './event-record.ts';
import {
  frm2Bus,
  frm2Channel,
  frm2Checksum,
  frm2Dlc,
  frm2EventId,
  frm2EventKind,
  frm2FilterHit,
  frm2Flags,
  frm2HardwareSequence,
  frm2Id,
  frm2PayloadLength,
  frm2SourceSequence,
  frm2Status,
  frm2StreamEpoch,
  frm2TimestampUs,
} from './frm2-codec.ts';
import { busNames, eventKindNames, readFrm2 } from './frm2-event.ts';
import { frameFlag, frm2 } from './frm2-layout.ts';
import { formatHex } from './hex-bytes.ts';

export const eventObject = (record: DataView, at: number, selector: string): MessageEvent => {
  const event = readFrm2(record, at);
  const { flags } = event;
  const dataLength = frm2DataLength(record, at);
  return {
    event_id: event.eventId,
    source_sequence: event.sourceSequence,
    stream_epoch: event.streamEpoch,
    kind: event.kind,
    bus: event.bus,
    channel: event.channel,
    selector,
    id: event.id,
    extended: (flags & frameFlag.extended) !== 0,
    remote: (flags & frameFlag.remote) !== 0,
    fd: (flags & frameFlag.fd) !== 0,
    brs: (flags & frameFlag.brs) !== 0,
    esi: (flags & frameFlag.esi) !== 0,
    error: (flags & frameFlag.error) !== 0,
    dlc: event.dlc,
    data: formatHex(event.status === 0 ? event.data : event.data.subarray(0, dataLength)),
    flags,
    status: event.status,
    timestamp_us: event.timestampUs,
    hardware_sequence: event.hardwareSequence,
    filter_hit: event.filterHit,
    checksum: event.checksum,
    ...(event.status === 0 ? {} : { count: frm2ErrorCount(record, at) }),
  };
};

// The text between two values is constant or one of a few constants, all prepared here.
const beforeEventId = asciiText('{"event_id":');
const beforeSourceSequence = asciiText(',"source_sequence":');
const beforeStreamEpoch = asciiText(',"stream_epoch":');
const beforeData = asciiText(',"data":"');
const beforeFlags = asciiText('","flags":');
const beforeStatus = asciiText(',"status":');
const beforeTimestamp = asciiText(',"timestamp_us":');
const beforeHardwareSequence = asciiText(',"hardware_sequence":');
const beforeFilterHit = asciiText(',"filter_hit":');
const beforeChecksum = asciiText(',"checksum":');
const beforeCount = asciiText(',"count":');
const end = asciiText('}');

const busCodes = busNames.length;

/** `kind` and `bus`, indexed by `kind code × busCodes + bus code`. */
const beforeChannel: readonly AsciiText[] = Array.from(
  { length: eventKindNames.length * busCodes },
  (_, code) => {
    const kind = eventKindNames[Math.floor(code / busCodes)] ?? '';
    const bus = busNames[code % busCodes] ?? '';
    return asciiText(`,"kind":"${kind}","bus":"${bus}","channel":`);
  },
);

const shownFlags = ['extended', 'remote', 'fd', 'brs', 'esi', 'error'] as const;
const shownFlagBits = shownFlags.reduce((bits, name) => bits | frameFlag[name], 0);
const beforeDlc: readonly AsciiText[] = Array.from({ length: shownFlagBits + 1 }, (_, flags) =>
  asciiText(
    `${shownFlags.map((name) => `,"${name}":${(flags & frameFlag[name]) !== 0}`).join('')},"dlc":`,
  ),
);

const max = (texts: readonly AsciiText[]): number =>
  texts.reduce((max, { length }) => Math.max(max, length), 0);

const digits = { u8: 3, u16: 5, u32: 10, u53: 16 } as const;

const maxRest =
  [
    beforeEventId,
    beforeSourceSequence,
    beforeStreamEpoch,
    beforeData,
    beforeFlags,
    beforeStatus,
    beforeTimestamp,
    beforeHardwareSequence,
    beforeFilterHit,
    beforeChecksum,
    beforeCount,
    end,
  ].reduce((sum, { length }) => sum + length, 0) +
  max(beforeChannel) +
  max(beforeDlc) +
  2 * maxFdLength +
  4 * digits.u53 +
  4 * digits.u32 +
  2 * digits.u16 +
  3 * digits.u8;

export interface EventJsonChannel {
  readonly beforeId: AsciiText;
  /** Maximum bytes of an event on this channel, including the writers' slack. */
  readonly room: number;
}

/** JSON text in ASCII, with `\u` escapes. */
const asciiJson = (text: string): string =>
  JSON.stringify(text).replace(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

export const eventJsonChannel = (selector: string): EventJsonChannel => {
  const beforeId = asciiText(`,"selector":${asciiJson(selector)},"id":`);
  return { beforeId, room: maxRest + beforeId.length + asciiSlack };
};

/**
 * Writes the record as JSON and returns the offset after it. The target needs `channel.room`
 * bytes from `at`; bytes after the text may be overwritten.
 */
export const writeEventJson = (
  target: DataView,
  at: number,
  record: DataView,
  from: number,
  channel: EventJsonChannel,
): number => {
  const flags = frm2Flags(record, from);
  const status = frm2Status(record, from);
  const dataLength = status === 0 ? frm2PayloadLength(record, from) : frm2DataLength(record, from);
  const kindAndBus = frm2EventKind(record, from) * busCodes + frm2Bus(record, from);
  let place = putAscii(target, at, beforeEventId);
  place = putInteger(target, place, frm2EventId(record, from));
  place = putAscii(target, place, beforeSourceSequence);
  place = putInteger(target, place, frm2SourceSequence(record, from));
  place = putAscii(target, place, beforeStreamEpoch);
  place = putInteger(target, place, frm2StreamEpoch(record, from));
  place = putAscii(target, place, beforeChannel[kindAndBus] as AsciiText);
  place = putUint32(target, place, frm2Channel(record, from));
  place = putAscii(target, place, channel.beforeId);
  place = putUint32(target, place, frm2Id(record, from));
  place = putAscii(target, place, beforeDlc[flags & shownFlagBits] as AsciiText);
  place = putUint32(target, place, frm2Dlc(record, from));
  place = putAscii(target, place, beforeData);
  place = putHex(target, place, record, from + frm2.payload, dataLength);
  place = putAscii(target, place, beforeFlags);
  place = putUint32(target, place, flags);
  place = putAscii(target, place, beforeStatus);
  place = putUint32(target, place, status);
  place = putAscii(target, place, beforeTimestamp);
  place = putInteger(target, place, frm2TimestampUs(record, from));
  place = putAscii(target, place, beforeHardwareSequence);
  place = putUint32(target, place, frm2HardwareSequence(record, from));
  place = putAscii(target, place, beforeFilterHit);
  place = putUint32(target, place, frm2FilterHit(record, from));
  place = putAscii(target, place, beforeChecksum);
  place = putUint32(target, place, frm2Checksum(record, from));
  if (status !== 0) {
    place = putAscii(target, place, beforeCount);
    place = putUint32(target, place, frm2ErrorCount(record, from));
  }
  return putAscii(target, place, end);
};
