import { deflateSync } from 'node:zlib';

/** Handmade MF4, independent of the writer: numbers are those of the standard. */

export interface HandmadeHeader {
  readonly magic?: string;
  readonly version?: string;
  readonly versionNumber?: number;
  readonly unfinalized?: number;
  readonly startNs?: bigint;
  readonly timeFlags?: number;
  readonly timeZoneMinutes?: number;
  readonly summerMinutes?: number;
}

const headLinks = 6;
const firstBlockAt = 168;

/** Blocks that are appended one after another, so that links lead back, or are set later. */
export class HandmadeMf4 {
  readonly #blocks: Buffer[] = [];
  readonly #head: number[] = Array(headLinks).fill(0);
  #end = firstBlockAt;

  get end(): number {
    return this.#end;
  }

  /** Returns the offset of the block. */
  add(id: string, links: readonly number[], data: Uint8Array = Buffer.alloc(0)): number {
    return this.put(block(id, links, data));
  }

  put(bytes: Uint8Array): number {
    const at = this.#end;
    const padding = Buffer.alloc((8 - (bytes.length % 8)) % 8);
    this.#blocks.push(Buffer.concat([bytes, padding]));
    this.#end += bytes.length + padding.length;
    return at;
  }

  text(text: string): number {
    return text === '' ? 0 : this.add('##TX', [], Buffer.from(`${text}\0`));
  }

  /** Sets a link of the header: 0 data group, 1 history, 3 attachment, 4 event, 5 comment. */
  link(index: number, at: number): void {
    this.#head[index] = at;
  }

  bytes(header: HandmadeHeader = {}): Buffer {
    const { version = '4.10', unfinalized = 0, startNs = 1_767_225_600_000_000_000n } = header;
    const identification = Buffer.alloc(64);
    identification.write(header.magic ?? (unfinalized === 0 ? 'MDF     ' : 'UnFinMF '));
    identification.write(version, 8);
    identification.writeUInt16LE(header.versionNumber ?? Math.round(Number(version) * 100), 28);
    identification.writeUInt16LE(unfinalized, 60);
    const data = Buffer.alloc(32);
    data.writeBigUInt64LE(startNs);
    data.writeInt16LE(header.timeZoneMinutes ?? 0, 8);
    data.writeInt16LE(header.summerMinutes ?? 0, 10);
    data[12] = header.timeFlags ?? 0;
    return Buffer.concat([identification, block('##HD', this.#head, data), ...this.#blocks]);
  }
}

export const block = (
  id: string,
  links: readonly number[],
  data: Uint8Array,
  claims: { readonly length?: number | bigint; readonly links?: number | bigint } = {},
): Buffer => {
  const head = Buffer.alloc(24 + 8 * links.length);
  head.write(id);
  head.writeBigUInt64LE(BigInt(claims.length ?? head.length + data.length), 8);
  head.writeBigUInt64LE(BigInt(claims.links ?? links.length), 16);
  links.forEach((link, index) => {
    head.writeBigUInt64LE(BigInt(link), 24 + 8 * index);
  });
  return Buffer.concat([head, data]);
};

export interface HandmadeChannel {
  readonly name: string;
  readonly byte: number;
  readonly bits: number;
  readonly bit?: number;
  /** 0 value, 1 variable length, 2 master, 3 virtual master, 5 maximum length. */
  readonly type?: number;
  readonly sync?: number;
  /** 0 unsigned, 1 unsigned big-endian, 2 signed, 4 float, 6 Latin-1, 7 UTF-8, 10 bytes. */
  readonly dataType?: number;
  readonly flags?: number;
  readonly invalidBit?: number;
  readonly data?: number;
  readonly conversion?: number;
  readonly members?: readonly HandmadeChannel[];
}

/** Adds channels as a chain and returns the first. */
export const addChannels = (file: HandmadeMf4, channels: readonly HandmadeChannel[]): number =>
  channels.reduceRight((next, channel) => {
    const composition = addChannels(file, channel.members ?? []);
    const data = Buffer.alloc(72);
    data[0] = channel.type ?? 0;
    data[1] = channel.sync ?? 0;
    data[2] = channel.dataType ?? 0;
    data[3] = channel.bit ?? 0;
    data.writeUInt32LE(channel.byte, 4);
    data.writeUInt32LE(channel.bits, 8);
    data.writeUInt32LE(channel.flags ?? 0, 12);
    data.writeUInt32LE(channel.invalidBit ?? 0, 16);
    const links = [next, composition, file.text(channel.name), 0, channel.conversion ?? 0];
    return file.add('##CN', [...links, channel.data ?? 0, 0, 0], data);
  }, 0);

export interface HandmadeGroup {
  readonly channels: readonly HandmadeChannel[];
  readonly bytes: number;
  readonly name?: string;
  readonly id?: number;
  readonly cycles?: number;
  /** 1 variable length, 2 bus event, 4 plain bus event. */
  readonly flags?: number;
  readonly invalidBytes?: number;
  readonly source?: number;
}

export const addSource = (file: HandmadeMf4, name: string, bus = 2): number =>
  file.add('##SI', [file.text(name), 0, 0], Buffer.from([2, bus, 0, 0, 0, 0, 0, 0]));

/** Adds a group that is followed by another one, or by none. */
export const addGroup = (file: HandmadeMf4, group: HandmadeGroup, next = 0): number => {
  const data = Buffer.alloc(32);
  data.writeBigUInt64LE(BigInt(group.id ?? 0));
  data.writeBigUInt64LE(BigInt(group.cycles ?? 0), 8);
  data.writeUInt16LE(group.flags ?? 6, 16);
  data.writeUInt16LE(0x2e, 18);
  data.writeUInt32LE(group.bytes, 24);
  data.writeUInt32LE(group.invalidBytes ?? 0, 28);
  const channels = addChannels(file, group.channels);
  const name = file.text(group.name ?? '');
  return file.add('##CG', [next, channels, name, group.source ?? 0, 0, 0], data);
};

export const addDataGroup = (
  file: HandmadeMf4,
  firstGroup: number,
  data: number,
  idBytes = 0,
  next = 0,
): number => file.add('##DG', [next, firstGroup, data, 0], Buffer.from([idBytes, ...zeros]));

const zeros = [0, 0, 0, 0, 0, 0, 0];

/** Adds data groups as a chain and links them from the header. */
export const addDataGroups = (
  file: HandmadeMf4,
  dataGroups: readonly {
    readonly groups: readonly HandmadeGroup[];
    readonly data: number;
    readonly idBytes?: number;
  }[],
): void => {
  const first = dataGroups.reduceRight((next, { groups, data, idBytes }) => {
    const group = groups.reduceRight((after, each) => addGroup(file, each, after), 0);
    return addDataGroup(file, group, data, idBytes, next);
  }, 0);
  file.link(0, first);
};

/** Adds a linear conversion. */
export const addLinear = (file: HandmadeMf4, offset: number, factor: number): number => {
  const data = Buffer.alloc(40);
  data[0] = 1;
  data.writeUInt16LE(2, 6);
  data.writeDoubleLE(offset, 24);
  data.writeDoubleLE(factor, 32);
  return file.add('##CC', [0, 0, 0, 0], data);
};

export const addValueTexts = (
  file: HandmadeMf4,
  texts: readonly (readonly [value: number, text: string])[],
): number => {
  const data = Buffer.alloc(24 + 8 * texts.length);
  data[0] = 7;
  data.writeUInt16LE(texts.length + 1, 4);
  data.writeUInt16LE(texts.length, 6);
  texts.forEach(([value], index) => {
    data.writeDoubleLE(value, 24 + 8 * index);
  });
  const links = texts.map(([, text]) => file.text(text));
  return file.add('##CC', [0, 0, 0, 0, ...links, 0], data);
};

const columnsOf = (bytes: Uint8Array, columns: number): Buffer => {
  const rows = Math.floor(bytes.length / columns);
  const moved = Buffer.from(bytes);
  for (let at = 0; at < rows * columns; at++) {
    moved[at] = bytes[(at % rows) * columns + Math.floor(at / rows)] as number;
  }
  return moved;
};

/** A compressed block; with columns it is transposed. */
export const zippedBlock = (
  bytes: Uint8Array,
  columns = 0,
  claims: {
    readonly kind?: string;
    readonly method?: number;
    readonly columns?: number;
    readonly size?: number | bigint;
    readonly zipped?: number | bigint;
  } = {},
): Buffer => {
  const zipped = deflateSync(columns > 0 ? columnsOf(bytes, columns) : bytes);
  const head = Buffer.alloc(24);
  head.write(claims.kind ?? 'DT');
  head[2] = claims.method ?? (columns > 0 ? 1 : 0);
  head.writeUInt32LE(claims.columns ?? columns, 4);
  head.writeBigUInt64LE(BigInt(claims.size ?? bytes.length), 8);
  head.writeBigUInt64LE(BigInt(claims.zipped ?? zipped.length), 16);
  return block('##DZ', [], Buffer.concat([head, zipped]));
};

/** Adds a list of data blocks with their offsets in the data. */
export const addList = (file: HandmadeMf4, blocks: readonly number[], next = 0): number => {
  const data = Buffer.alloc(8 + 8 * blocks.length);
  data.writeUInt32LE(blocks.length, 4);
  return file.add('##DL', [next, ...blocks], data);
};

/** The same since MDF 4.20, with links to blocks of invalidation bits. */
export const addValueList = (
  file: HandmadeMf4,
  blocks: readonly number[],
  next = 0,
  invalidation: readonly number[] = [],
): number => {
  const data = Buffer.alloc(16);
  data[0] = 1;
  data[3] = invalidation.length > 0 ? 0x80 : 0;
  data.writeUInt32LE(blocks.length, 4);
  return file.add('##LD', [next, ...blocks, ...invalidation], data);
};

export const addHeaderList = (file: HandmadeMf4, list: number): number =>
  file.add('##HL', [list], Buffer.alloc(8));

export const addData = (file: HandmadeMf4, ...records: readonly Uint8Array[]): number =>
  file.add('##DT', [], Buffer.concat(records));
