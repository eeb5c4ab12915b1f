import type { TraceAttachment } from '../trace-format.ts';
import { getUint64 } from '../uint64.ts';
import { type FileBlock, latin1, type Mf4File, refuseMf4, walk } from './mf4-file.ts';
import {
  attachment,
  attachmentFlag,
  channel,
  channelGroup,
  conversion,
  conversionType,
  dataGroup,
  finalizedMagic,
  groupFlag,
  header,
  identification,
  source,
  timeFlag,
  unfinalizedMagic,
} from './mf4-layout.ts';
import { deviceStructure, remarkStructure } from './our-groups.ts';
import { isPlausibleSize, unzip } from './zipped-block.ts';

export interface Conversion {
  readonly type: number;
  readonly values: readonly number[];
  readonly texts: readonly string[];
}

export interface ChannelInfo {
  readonly at: number;
  readonly name: string;
  readonly type: number;
  readonly sync: number;
  readonly dataType: number;
  readonly bitOffset: number;
  readonly byteOffset: number;
  readonly bits: number;
  readonly flags: number;
  readonly invalidationBit: number;
  readonly data: number;
  readonly conversion: Conversion | null;
}

export interface GroupInfo {
  readonly at: number;
  readonly name: string;
  readonly recordId: number;
  readonly cycles: number;
  readonly flags: number;
  readonly dataBytes: number;
  readonly invalidationBytes: number;
  readonly sourceName: string;
  /** Empty for a group without events of a bus. */
  readonly channels: readonly ChannelInfo[];
}

export interface DataGroupInfo {
  readonly at: number;
  readonly recordIdBytes: number;
  readonly dataAt: number;
  readonly groups: readonly GroupInfo[];
}

export interface FileStructure {
  readonly startUnixUs: number | null;
  /** Nanoseconds of the start below its microsecond. */
  readonly startRestNs: number;
  readonly unfinalized: number;
  readonly dataGroups: readonly DataGroupInfo[];
  readonly attachments: readonly AttachmentInfo[];
}

const maxDepth = 8;
const maxTexts = 4096;

const readConversion = (file: Mf4File, at: number): Conversion | null => {
  if (at === 0) return null;
  const { view, links } = file.block(at, '##CC', conversion.firstValue);
  const type = view.getUint8(conversion.type);
  const room = Math.floor((view.byteLength - conversion.firstValue) / 8);
  const count = Math.min(view.getUint16(conversion.values, true), Math.max(0, room));
  const values = Array.from({ length: count }, (_, index) =>
    view.getFloat64(conversion.firstValue + 8 * index, true),
  );
  const references = links.slice(conversion.links.references).slice(0, maxTexts);
  const texts =
    type === conversionType.valueToText
      ? references.slice(0, count).map((each) => file.text(each))
      : [];
  return { type, values, texts };
};

const readChannels = (file: Mf4File, first: number, into: ChannelInfo[], depth: number): void => {
  if (depth > maxDepth) {
    refuseMf4('too_deep', `The channels at ${first} are nested more than ${maxDepth} times`);
  }
  walk(file, first, '##CN', channel.end, (block) => {
    const { view, links } = block;
    into.push({
      at: block.at,
      name: file.text(links[channel.links.name] ?? 0),
      type: view.getUint8(channel.type),
      sync: view.getUint8(channel.sync),
      dataType: view.getUint8(channel.dataType),
      bitOffset: view.getUint8(channel.bitOffset),
      byteOffset: view.getUint32(channel.byteOffset, true),
      bits: view.getUint32(channel.bits, true),
      flags: view.getUint32(channel.flags, true),
      invalidationBit: view.getUint32(channel.invalidationBit, true),
      data: links[channel.links.data] ?? 0,
      conversion: readConversion(file, links[channel.links.conversion] ?? 0),
    });
    const inner = links[channel.links.composition] ?? 0;
    if (inner !== 0 && file.idAt(inner) === '##CN') readChannels(file, inner, into, depth + 1);
  });
};

const sourceNameOf = (file: Mf4File, at: number): string => {
  if (at === 0) return '';
  const { links } = file.block(at, '##SI');
  return file.text(links[source.links.name] ?? 0);
};

const ownNames: readonly string[] = [deviceStructure, remarkStructure];

const readGroup = (file: Mf4File, block: FileBlock): GroupInfo => {
  const { view, links, at } = block;
  const flags = view.getUint16(channelGroup.flags, true);
  const name = file.text(links[channelGroup.links.name] ?? 0);
  const isEvent = (flags & groupFlag.busEvent) !== 0 || ownNames.includes(name);
  const channels: ChannelInfo[] = [];
  if (isEvent) readChannels(file, links[channelGroup.links.channel] ?? 0, channels, 0);
  return {
    at,
    name,
    recordId: getUint64(view, channelGroup.recordId),
    cycles: getUint64(view, channelGroup.cycles),
    flags,
    dataBytes: view.getUint32(channelGroup.dataBytes, true),
    invalidationBytes: view.getUint32(channelGroup.invalidationBytes, true),
    sourceName: isEvent ? sourceNameOf(file, links[channelGroup.links.source] ?? 0) : '',
    channels,
  };
};

const recordIdSizes = [0, 1, 2, 4, 8];

const readDataGroup = (file: Mf4File, block: FileBlock): DataGroupInfo => {
  const { view, links, at } = block;
  const recordIdBytes = view.getUint8(dataGroup.recordIdBytes);
  if (!recordIdSizes.includes(recordIdBytes)) {
    refuseMf4(
      'wrong_record_id',
      `The data group at ${at} has record ids of ${recordIdBytes} bytes`,
      {
        at,
      },
    );
  }
  const groups: GroupInfo[] = [];
  walk(file, links[dataGroup.links.channelGroup] ?? 0, '##CG', channelGroup.end, (each) => {
    groups.push(readGroup(file, each));
  });
  const dataAt = links[dataGroup.links.data] ?? 0;
  if (dataAt !== 0) file.known.add(dataAt);
  return { at, recordIdBytes, dataAt, groups };
};

const readIdentification = (file: Mf4File): number => {
  if (file.size < identification.end) {
    refuseMf4('truncated', 'The file ends within the identification of an MF4 file');
  }
  const bytes = file.bytes(0, identification.end);
  const magic = latin1(bytes, finalizedMagic.length);
  if (magic !== finalizedMagic && magic !== unfinalizedMagic) {
    refuseMf4('not_mf4', 'The file does not begin like an MF4 file');
  }
  const text = latin1(bytes.subarray(identification.version), 8).trim();
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const number = view.getUint16(identification.versionNumber, true);
  if (number < 400 || number >= 500) {
    refuseMf4(
      'unsupported_version',
      `The file has MDF version ${text.replaceAll(/[^\d.]/g, '') || number}; only version 4 is supported`,
      { version: text.replaceAll(/[^\d.]/g, '') },
    );
  }
  return magic === finalizedMagic ? 0 : view.getUint16(identification.unfinalized, true);
};

const nsPerMinute = 60_000_000_000n;

/** Local time without an offset is that of this computer, as in other formats. */
const startOf = (view: DataView): { us: number | null; restNs: number } => {
  let ns = view.getBigUint64(header.startNs, true);
  if (ns === 0n) return { us: null, restNs: 0 };
  const flags = view.getUint8(header.timeFlags);
  if ((flags & timeFlag.local) !== 0) {
    const ms = Number(ns / 1_000_000n);
    const local = new Date(ms);
    const asLocal = new Date(
      local.getUTCFullYear(),
      local.getUTCMonth(),
      local.getUTCDate(),
      local.getUTCHours(),
      local.getUTCMinutes(),
      local.getUTCSeconds(),
      local.getUTCMilliseconds(),
    );
    const offsets =
      view.getInt16(header.timeZoneMinutes, true) + view.getInt16(header.summerMinutes, true);
    ns -=
      (flags & timeFlag.offsetsValid) !== 0
        ? BigInt(offsets) * nsPerMinute
        : BigInt(ms - asLocal.getTime()) * 1_000_000n;
  }
  return { us: Number(ns / 1000n), restNs: Number(ns % 1000n) };
};

export interface AttachmentInfo {
  readonly at: number;
  readonly name: string;
  readonly mime: string;
  /** Where the bytes are; a length of 0 if the file does not contain them. */
  readonly dataAt: number;
  readonly length: number;
  /** Size when decompressed; null if they are not compressed. */
  readonly unzipped: number | null;
}

const maxAttachments = 1000;
const maxAttachmentBytes = 64 * 1024 * 1024;

/** They do not matter to the events, and a file that was cut can lack them. */
const readAttachments = (file: Mf4File, first: number): AttachmentInfo[] => {
  const found: AttachmentInfo[] = [];
  const seen = new Set<number>();
  try {
    for (let at = first; at !== 0 && !seen.has(at) && found.length < maxAttachments; ) {
      seen.add(at);
      const { links, dataAt, length } = file.blockHead(at, '##AT', attachment.data);
      const data = file.bytes(dataAt, attachment.data);
      const view = new DataView(data.buffer, data.byteOffset, data.length);
      const flags = view.getUint16(attachment.flags, true);
      const size = getUint64(view, attachment.embeddedSize);
      const isEmbedded = (flags & attachmentFlag.embedded) !== 0;
      const isThere = isEmbedded && dataAt + attachment.data + size <= at + length;
      const isZipped = (flags & attachmentFlag.compressed) !== 0;
      found.push({
        at,
        name: file.text(links[attachment.links.file] ?? 0),
        mime: file.text(links[attachment.links.mime] ?? 0),
        dataAt: dataAt + attachment.data,
        length: isThere ? size : 0,
        unzipped: isZipped ? getUint64(view, attachment.originalSize) : null,
      });
      at = links[attachment.links.next] ?? 0;
    }
  } catch {
    // As above.
  }
  return found;
};

/** The embedded files, as far as they are not larger than databases are. */
export const readAttachmentBytes = (
  file: Mf4File,
  attachments: readonly AttachmentInfo[],
): TraceAttachment[] => {
  let left = maxAttachmentBytes;
  return attachments.flatMap(({ name, mime, dataAt, length, unzipped }) => {
    const size = unzipped ?? length;
    if (length === 0 || length > left || size > left) return [];
    if (unzipped !== null && !isPlausibleSize(length, unzipped)) return [];
    left -= size;
    const stored = file.bytes(dataAt, length);
    const bytes = unzipped === null ? stored.slice() : unzip(stored, unzipped);
    return bytes === undefined ? [] : [{ name, mime, bytes }];
  });
};

/** Reads what describes the records. */
export const readStructure = (file: Mf4File): FileStructure => {
  const unfinalized = readIdentification(file);
  const head = file.block(identification.end, '##HD', header.end);
  const { links, view } = head;
  for (const link of links) if (link !== 0) file.known.add(link);
  const dataGroups: DataGroupInfo[] = [];
  walk(file, links[header.links.dataGroup] ?? 0, '##DG', 1, (block) => {
    dataGroups.push(readDataGroup(file, block));
  });
  const { us, restNs } = startOf(view);
  return {
    startUnixUs: us,
    startRestNs: restNs,
    unfinalized,
    dataGroups,
    attachments: readAttachments(file, links[header.links.attachment] ?? 0),
  };
};
