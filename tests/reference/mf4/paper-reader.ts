/**
 * A slow reader of MF4 files, written from the standard's block tables alone. It has the whole file
 * in memory, follows every link, and throws at anything that the standard forbids.
 */
import { inflateSync } from 'node:zlib';

export interface PaperRow {
  /** Name of the structure that the row belongs to, or of its group. */
  readonly structure: string;
  readonly timeNs: bigint;
  readonly members: Readonly<Record<string, bigint | string>>;
}

export interface PaperFile {
  readonly isFinalized: boolean;
  readonly version: string;
  readonly startNs: bigint;
  /** By data group, each in its own order. */
  readonly groups: readonly (readonly PaperRow[])[];
  readonly events: readonly { readonly timeNs: bigint; readonly text: string }[];
  readonly attachments: readonly {
    readonly name: string;
    readonly mime: string;
    readonly bytes: Uint8Array;
  }[];
  readonly comment: string;
}

interface PaperBlock {
  readonly at: number;
  readonly id: string;
  readonly end: number;
  readonly links: readonly number[];
  readonly data: Uint8Array;
  readonly view: DataView;
}

interface PaperChannel {
  readonly at: number;
  readonly name: string;
  readonly type: number;
  readonly sync: number;
  readonly dataType: number;
  readonly bit: number;
  readonly byte: number;
  readonly bits: number;
  readonly lengthAt: number;
  readonly factor: number;
  readonly members: readonly PaperChannel[];
}

interface PaperGroup {
  readonly name: string;
  readonly id: bigint;
  readonly cycles: bigint;
  readonly bytes: number;
  readonly invalidBytes: number;
  readonly channels: readonly PaperChannel[];
}

const must: (holds: boolean, what: string) => asserts holds = (holds, what) => {
  if (!holds) throw new Error(`not an MF4 file: ${what}`);
};

const viewOf = (bytes: Uint8Array): DataView =>
  new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

const textOf = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0);
  must(end >= 0, 'text without a zero');
  return new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(0, end));
};

class Paper {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = viewOf(bytes);
  }

  get size(): number {
    return this.#bytes.length;
  }

  part(at: number, end: number): Uint8Array {
    must(at <= end && end <= this.size, `bytes ${at} to ${end} of ${this.size}`);
    return this.#bytes.subarray(at, end);
  }

  block(at: number, ...ids: readonly string[]): PaperBlock {
    must(at % 8 === 0 && at >= 64 && at + 24 <= this.size, `block at ${at}`);
    const id = String.fromCharCode(...this.part(at, at + 4));
    must(ids.includes(id), `${id} at ${at} instead of ${ids}`);
    must(this.#view.getUint32(at + 4, true) === 0, `reserved bytes of ${id} at ${at}`);
    const end = at + Number(this.#view.getBigUint64(at + 8, true));
    const count = Number(this.#view.getBigUint64(at + 16, true));
    const dataAt = at + 24 + 8 * count;
    must(dataAt <= end, `links of ${id} at ${at}`);
    const links = Array.from({ length: count }, (_, index) =>
      Number(this.#view.getBigUint64(at + 24 + 8 * index, true)),
    );
    const data = this.part(dataAt, end);
    return { at, id, end, links, data, view: viewOf(data) };
  }

  chain(first: number, id: string): PaperBlock[] {
    const blocks: PaperBlock[] = [];
    for (let at = first; at !== 0; at = blocks.at(-1)?.links[0] ?? 0) {
      must(!blocks.some((each) => each.at === at), `loop of ${id} at ${at}`);
      blocks.push(this.block(at, id));
    }
    return blocks;
  }

  text(at: number | undefined): string {
    return at ? textOf(this.block(at, '##TX', '##MD').data) : '';
  }
}

const factorOf = (paper: Paper, at: number): number => {
  if (at === 0) return 1;
  const { view } = paper.block(at, '##CC');
  must(view.getUint8(0) === 1, 'conversion that is not linear');
  must(view.getUint16(6, true) === 2, 'number of values of a linear conversion');
  must(view.getFloat64(24, true) === 0, 'offset of a time');
  return view.getFloat64(32, true);
};

const channelsAt = (paper: Paper, first: number): PaperChannel[] =>
  paper.chain(first, '##CN').map(({ at, links, view }) => ({
    at,
    name: paper.text(links[2]),
    type: view.getUint8(0),
    sync: view.getUint8(1),
    dataType: view.getUint8(2),
    bit: view.getUint8(3),
    byte: view.getUint32(4, true),
    bits: view.getUint32(8, true),
    lengthAt: links[5] ?? 0,
    factor: factorOf(paper, links[4] ?? 0),
    members: channelsAt(paper, links[1] ?? 0),
  }));

const groupOf = (paper: Paper, { links, view }: PaperBlock): PaperGroup => {
  const group = {
    name: paper.text(links[2]),
    id: view.getBigUint64(0, true),
    cycles: view.getBigUint64(8, true),
    bytes: view.getUint32(24, true),
    invalidBytes: view.getUint32(28, true),
    channels: channelsAt(paper, links[1] ?? 0),
  };
  const isBus = (view.getUint16(16, true) & 2) !== 0;
  must(isBus === (links[3] !== 0), `source of ${group.name}`);
  if (isBus) must(paper.block(links[3] ?? 0, '##SI').view.getUint8(0) === 2, 'source of a bus');
  for (const { name, bit, byte, bits } of allOf(group.channels)) {
    must(byte + Math.ceil((bit + bits) / 8) <= group.bytes, `${name} beyond its record`);
  }
  return group;
};

const allOf = (channels: readonly PaperChannel[]): PaperChannel[] =>
  channels.flatMap((each) => [each, ...allOf(each.members)]);

const unzipped = (block: PaperBlock): Uint8Array => {
  const { data, view } = block;
  must(String.fromCharCode(...data.subarray(0, 2)) === 'DT', 'compressed block of another type');
  const size = Number(view.getBigUint64(8, true));
  must(Number(view.getBigUint64(16, true)) === data.length - 24, 'compressed size');
  const bytes = inflateSync(data.subarray(24));
  must(bytes.length === size, 'original size');
  if (data[2] === 0) return bytes;
  must(data[2] === 1, 'compression method');
  const columns = view.getUint32(4, true);
  const rows = Math.floor(size / columns);
  return bytes.map((_, index) =>
    index < rows * columns
      ? (bytes[(index % columns) * rows + Math.floor(index / columns)] as number)
      : (bytes[index] as number),
  );
};

const concat = (parts: readonly Uint8Array[]): Uint8Array => Buffer.concat(parts);

const dataAt = (paper: Paper, at: number, isGrowing: boolean): Uint8Array => {
  if (at === 0) return new Uint8Array();
  const block = paper.block(at, '##DT', '##DZ', '##DL', '##HL');
  const { id, links, view } = block;
  if (id === '##DT') return isGrowing ? paper.part(at + 24, paper.size) : block.data;
  if (id === '##DZ') return unzipped(block);
  if (id === '##HL') return dataAt(paper, links[0] ?? 0, isGrowing);
  must(view.getUint32(4, true) === links.length - 1, 'number of blocks in a list');
  const parts = links.slice(1).map((each) => dataAt(paper, each, isGrowing));
  let start = 0;
  parts.forEach((part, index) => {
    const claimed = Number(view.getBigUint64(8 + 8 * index, true));
    must(claimed === start, `offset of block ${index} of a list`);
    start += part.length;
  });
  return concat([...parts, dataAt(paper, links[0] ?? 0, isGrowing)]);
};

const bitsOf = (record: Uint8Array, { dataType, bit, byte, bits }: PaperChannel): bigint => {
  must(dataType === 0 || dataType === 2, `data type ${dataType} of a number`);
  let value = 0n;
  for (let i = Math.ceil((bit + bits) / 8) - 1; i >= 0; i--) {
    value = (value << 8n) | BigInt(record[byte + i] as number);
  }
  value >>= BigInt(bit);
  return dataType === 2 ? BigInt.asIntN(bits, value) : BigInt.asUintN(bits, value);
};

const memberOf = (
  record: Uint8Array,
  member: PaperChannel,
  all: readonly PaperChannel[],
): bigint | string => {
  const { byte, bits, dataType, type, lengthAt, name } = member;
  if (dataType === 7) return textOf(record.subarray(byte, byte + bits / 8));
  if (dataType !== 10) return bitsOf(record, member);
  must(type === 5, `${name} without a length`);
  const length = all.find(({ at }) => at === lengthAt);
  must(length !== undefined, `length of ${name}`);
  const count = Number(bitsOf(record, length));
  must(count <= bits / 8, `length of ${name} in a record`);
  return Buffer.from(record.subarray(byte, byte + count)).toString('hex');
};

const rowOf = (record: Uint8Array, group: PaperGroup): PaperRow => {
  const [master, ...rest] = group.channels;
  must(master?.type === 2 && master.sync === 1, `time of ${group.name}`);
  must(master.factor === 1e-9, 'unit of a time');
  const [structure] = rest;
  const members = structure && structure.members.length > 0 ? structure.members : rest;
  return {
    structure: structure && structure.members.length > 0 ? structure.name : group.name,
    timeNs: bitsOf(record, master),
    members: Object.fromEntries(
      members.map((member) => [
        member.name.slice(member.name.indexOf('.') + 1),
        memberOf(record, member, members),
      ]),
    ),
  };
};

/** The records of a data group; a record that the end of an unfinalized file cuts is omitted. */
const rowsOf = (
  data: Uint8Array,
  groups: readonly PaperGroup[],
  idBytes: number,
  isFinalized: boolean,
): PaperRow[] => {
  const rows: PaperRow[] = [];
  const counts = new Map<PaperGroup, bigint>();
  for (let at = 0; at < data.length; ) {
    const id = idBytes === 0 ? undefined : BigInt(data[at] as number);
    const group = id === undefined ? groups[0] : groups.find((each) => each.id === id);
    must(group !== undefined, `record id ${id}`);
    const from = at + idBytes;
    const end = from + group.bytes + group.invalidBytes;
    if (!isFinalized && end > data.length) break;
    must(end <= data.length, 'incomplete record');
    rows.push(rowOf(data.subarray(from, end), group));
    counts.set(group, (counts.get(group) ?? 0n) + 1n);
    at = end;
  }
  if (isFinalized) {
    for (const group of groups) {
      must((counts.get(group) ?? 0n) === group.cycles, `number of records of ${group.name}`);
    }
  }
  return rows;
};

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

const plainText = (markup: string): string =>
  (/<TX>([^<]*)<\/TX>/.exec(markup)?.[1] ?? '').replaceAll(
    /&(\w+);/g,
    (_, name: string) => entities[name] ?? '?',
  );

export const readOnPaper = (bytes: Uint8Array): PaperFile => {
  must(bytes.length >= 168, 'too short');
  const paper = new Paper(bytes);
  const magic = Buffer.from(bytes.subarray(0, 8)).toString('latin1');
  must(magic === 'MDF     ' || magic === 'UnFinMF ', magic);
  const isFinalized = magic === 'MDF     ';
  const flags = viewOf(bytes).getUint16(60, true);
  must(isFinalized === (flags === 0), 'flags of a finalized file');
  must((flags & ~5) === 0, `unfinalized flags ${flags}`);
  const head = paper.block(64, '##HD');
  must(head.data[12] === 0, 'time that is not UTC');
  const [firstGroup = 0, history = 0, , attachments = 0, events = 0, comment] = head.links;
  const tool = paper.text(paper.block(history, '##FH').links[1]);
  for (const tag of ['tool_id', 'tool_vendor', 'tool_version']) {
    must(tool.includes(`<${tag}>`), `${tag} of the history`);
  }
  return {
    isFinalized,
    version: Buffer.from(bytes.subarray(8, 16)).toString('latin1').trim(),
    startNs: head.view.getBigUint64(0, true),
    groups: paper.chain(firstGroup, '##DG').map(({ links, data }) => {
      const groups = paper.chain(links[1] ?? 0, '##CG').map((each) => groupOf(paper, each));
      const idBytes = data[0] as number;
      must(idBytes === 1 || (idBytes === 0 && groups.length === 1), 'record ids');
      return rowsOf(dataAt(paper, links[2] ?? 0, (flags & 4) !== 0), groups, idBytes, isFinalized);
    }),
    events: paper.chain(events, '##EV').map(({ links, view }) => ({
      timeNs: view.getBigInt64(16, true),
      text: plainText(paper.text(links[4])),
    })),
    attachments: paper.chain(attachments, '##AT').map(({ links, data, view }) => {
      must((view.getUint16(0, true) & 3) === 1, 'attachment that is not embedded');
      const size = Number(view.getBigUint64(32, true));
      must(data.length === 40 + size, 'size of an attachment');
      return { name: paper.text(links[1]), mime: paper.text(links[2]), bytes: data.subarray(40) };
    }),
    comment: paper.text(comment),
  };
};
