import { product } from '../../base/product.ts';
import type { TraceAttachment } from '../trace-format.ts';
import { setUint64 } from '../uint64.ts';
import { type Block, BlockChain, markupText } from './block-chain.ts';
import {
  attachment,
  attachmentFlag,
  blockHeader,
  busSource,
  channel,
  channelFlag,
  channelGroup,
  channelType,
  conversion,
  conversionType,
  dataGroup,
  dataType,
  finalizedMagic,
  header,
  history,
  identification,
  nsPerSecond,
  source,
  sourceBus,
  timeSync,
  unfinalizedFlag,
  unfinalizedMagic,
} from './mf4-layout.ts';
import {
  field,
  type Member,
  type OurGroup,
  orderedGroups,
  ourGroups,
  recordIdBytes,
} from './our-groups.ts';

const dot = 0x2e;
const byteBits = 8;
const timeBits = 64;
const firstBlockAt = identification.end;

const encoder = new TextEncoder();

const block = (size: number, fill: (view: DataView) => void): Uint8Array => {
  const bytes = new Uint8Array(size);
  fill(new DataView(bytes.buffer));
  return bytes;
};

export const identificationBytes = (unfinalized: number): Uint8Array =>
  block(identification.end, (view) => {
    const bytes = new Uint8Array(view.buffer);
    const magic = unfinalized === 0 ? finalizedMagic : unfinalizedMagic;
    encoder.encodeInto(`${magic}4.11    Busbar  `, bytes);
    view.setUint16(identification.versionNumber, 411, true);
    view.setUint16(identification.unfinalized, unfinalized, true);
  });

/** What a file lacks until it is closed. */
export const growing = unfinalizedFlag.cycleCounts | unfinalizedFlag.dataLength;

const startBytes = (size: number, startUnixUs: number): Uint8Array =>
  block(size, (view) => view.setBigUint64(0, BigInt(startUnixUs) * 1000n, true));

const channelData = (
  { byte, bit, bits, dataType: type, type: kind }: Omit<Member, 'name'>,
  sync: number,
  flags: number,
): Uint8Array =>
  block(channel.end, (view) => {
    view.setUint8(channel.type, kind);
    view.setUint8(channel.sync, sync);
    view.setUint8(channel.dataType, type);
    view.setUint8(channel.bitOffset, bit);
    view.setUint32(channel.byteOffset, byte, true);
    view.setUint32(channel.bits, bits, true);
    view.setUint32(channel.flags, flags, true);
  });

/** Nanoseconds, which readers show as seconds. */
const timeConversion = block(conversion.firstValue + 16, (view) => {
  view.setUint8(conversion.type, conversionType.linear);
  view.setUint16(conversion.values, 2, true);
  view.setFloat64(conversion.firstValue + 8, 1 / nsPerSecond, true);
});

const channelLinks = (
  links: Partial<Record<keyof typeof channel.links, Block | number>>,
): (Block | number)[] => {
  const all: (Block | number)[] = Array(8).fill(0);
  for (const [name, to] of Object.entries(links)) {
    all[channel.links[name as keyof typeof channel.links]] = to;
  }
  return all;
};

/** The member that contains the real length of one of maximum length. */
const lengthMember = ({ bus }: OurGroup): string =>
  bus === sourceBus.lin ? 'ReceivedDataByteCount' : 'DataLength';

const addMembers = (chain: BlockChain, group: OurGroup): Block => {
  const { members, structure, bus } = group;
  const flags = bus === null ? 0 : channelFlag.busEvent;
  const blocks = members.map((each) =>
    chain.add(
      '##CN',
      channelLinks({ name: chain.addText(`${structure}.${each.name}`) }),
      channelData(each, 0, flags),
    ),
  );
  const lengthAt = members.findIndex(({ name }) => name === lengthMember(group));
  members.forEach(({ type }, index) => {
    const own = blocks[index] as Block;
    own.links[channel.links.next] = blocks[index + 1] ?? 0;
    if (type === channelType.maxLength) own.links[channel.links.data] = blocks[lengthAt] as Block;
  });
  return blocks[0] as Block;
};

const addStructure = (chain: BlockChain, group: OurGroup): Block => {
  const first = addMembers(chain, group);
  if (group.bus === null) return first;
  const whole = {
    byte: field.channel,
    bit: 0,
    bits: byteBits * (group.dataBytes - field.channel),
    dataType: dataType.bytes,
    type: channelType.value,
  };
  return chain.add(
    '##CN',
    channelLinks({ composition: first, name: chain.addText(group.structure) }),
    channelData(whole, 0, channelFlag.busEvent),
  );
};

interface SharedBlocks {
  readonly timeName: Block;
  readonly unit: Block;
  readonly conversion: Block;
  readonly sources: ReadonlyMap<number, Block>;
}

const addGroup = (
  chain: BlockChain,
  group: OurGroup,
  shared: SharedBlocks,
  hasRecordIds: boolean,
): Block => {
  const time = {
    byte: field.timeNs,
    bit: 0,
    bits: timeBits,
    dataType: dataType.uint,
    type: channelType.master,
  };
  const master = chain.add(
    '##CN',
    channelLinks({
      next: addStructure(chain, group),
      name: shared.timeName,
      conversion: shared.conversion,
      unit: shared.unit,
    }),
    channelData(time, timeSync, 0),
  );
  const links: (Block | number)[] = Array(6).fill(0);
  links[channelGroup.links.channel] = master;
  links[channelGroup.links.name] = chain.addText(group.name);
  links[channelGroup.links.source] = shared.sources.get(group.bus ?? 0) ?? 0;
  return chain.add(
    '##CG',
    links,
    block(channelGroup.end, (view) => {
      if (hasRecordIds) view.setUint8(channelGroup.recordId, group.id);
      view.setUint16(channelGroup.flags, group.flags, true);
      view.setUint16(channelGroup.pathSeparator, dot, true);
      view.setUint32(channelGroup.dataBytes, group.dataBytes, true);
    }),
  );
};

const addSource = (chain: BlockChain, bus: number, name: string): Block => {
  const text = chain.addText(name);
  return chain.add(
    '##SI',
    [text, text, 0],
    block(source.end, (view) => {
      view.setUint8(source.type, busSource);
      view.setUint8(source.bus, bus);
    }),
  );
};

const addAttachment = (chain: BlockChain, { name, mime, bytes }: TraceAttachment): Block =>
  chain.add(
    '##AT',
    [0, chain.addText(name), chain.addText(mime), 0],
    block(attachment.data + bytes.length, (view) => {
      view.setUint16(attachment.flags, attachmentFlag.embedded, true);
      setUint64(view, attachment.originalSize, bytes.length);
      setUint64(view, attachment.embeddedSize, bytes.length);
      new Uint8Array(view.buffer).set(bytes, attachment.data);
    }),
  );

const chained = (blocks: readonly Block[], nextLink: number): Block | number => {
  blocks.forEach((each, index) => {
    each.links[nextLink] = blocks[index + 1] ?? 0;
  });
  return blocks[0] ?? 0;
};

export interface FileHeadOptions {
  readonly startUnixUs: number;
  readonly attachments: readonly TraceAttachment[];
  /** Every group has its own data, instead of one for all. */
  readonly isSorted: boolean;
}

export interface FileHead {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly eventLinkAt: number;
  readonly commentLinkAt: number;
  /** Offset of the number of records, by the index of the group. */
  readonly cyclesAt: readonly number[];
  /** Offset of the links to data, one for all groups or one for each. */
  readonly dataLinksAt: readonly number[];
}

/** The blocks that describe the records. They are followed by the data. */
export const buildFileHead = (options: FileHeadOptions): FileHead => {
  const { startUnixUs, attachments, isSorted } = options;
  const chain = new BlockChain();
  const top = chain.add('##HD', Array(6).fill(0), startBytes(header.end, startUnixUs));
  const comment = chain.addMarkup(
    `<FHcomment><TX>Recorded</TX><tool_id>${product.name}</tool_id><tool_vendor>${product.name}</tool_vendor><tool_version>${markupText(product.version)}</tool_version></FHcomment>`,
  );
  top.links[header.links.history] = chain.add(
    '##FH',
    [0, comment],
    startBytes(history.end, startUnixUs),
  );
  top.links[header.links.attachment] = chained(
    attachments.map((each) => addAttachment(chain, each)),
    attachment.links.next,
  );
  const shared: SharedBlocks = {
    timeName: chain.addText('Timestamp'),
    unit: chain.addText('s'),
    conversion: chain.add('##CC', [0, 0, 0, 0], timeConversion),
    sources: new Map([
      [sourceBus.can, addSource(chain, sourceBus.can, 'CAN')],
      [sourceBus.lin, addSource(chain, sourceBus.lin, 'LIN')],
    ]),
  };
  const groups = (isSorted ? orderedGroups : ourGroups).map((group) =>
    addGroup(chain, group, shared, !isSorted),
  );
  const dataGroups = (isSorted ? groups : groups.slice(0, 1)).map((group) =>
    chain.add(
      '##DG',
      [0, group, 0, 0],
      block(dataGroup.end, (view) => {
        view.setUint8(dataGroup.recordIdBytes, isSorted ? 0 : recordIdBytes);
      }),
    ),
  );
  if (!isSorted) chained(groups, channelGroup.links.next);
  top.links[header.links.dataGroup] = chained(dataGroups, dataGroup.links.next);
  const blocks = chain.bytesAt(firstBlockAt);
  const bytes = new Uint8Array(firstBlockAt + blocks.length);
  bytes.set(identificationBytes(growing));
  bytes.set(blocks, firstBlockAt);
  return {
    bytes,
    view: new DataView(bytes.buffer),
    eventLinkAt: top.linkAt(header.links.event),
    commentLinkAt: top.linkAt(header.links.comment),
    cyclesAt: groups.map((group) => group.dataAt + channelGroup.cycles),
    dataLinksAt: dataGroups.map((group) => group.linkAt(dataGroup.links.data)),
  };
};

/** The header of data that grows: its length is that of an empty block until the end. */
export const dataBlockHeader = (length: number): Uint8Array =>
  block(blockHeader.end, (view) => {
    encoder.encodeInto('##DT', new Uint8Array(view.buffer));
    setUint64(view, blockHeader.length, length);
  });
