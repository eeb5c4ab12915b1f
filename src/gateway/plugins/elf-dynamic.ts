const tag = {
  end: 0,
  needed: 1,
  strings: 5,
  stringsSize: 10,
  rpath: 15,
  runpath: 29,
  versionsNeeded: 0x6ffffffe,
} as const;
const loadSegment = 1;
const dynamicSegment = 2;

/** Limits, so that a hostile file cannot block the thread. */
const maxEntries = 4096;
const maxNames = 1024;
const maxTextBytes = 4096;

export interface ElfDynamic {
  readonly needed: readonly string[];
  /** Search paths in linker notation: folders separated by colons. */
  readonly rpath: string | undefined;
  readonly runpath: string | undefined;
  /** File offsets of each name, in needed libraries and in required versions. */
  readonly offsets: ReadonlyMap<string, readonly number[]>;
}

const none: ElfDynamic = { needed: [], rpath: undefined, runpath: undefined, offsets: new Map() };

const read = (file: Buffer): ElfDynamic => {
  const long = (at: number): number => Number(file.readBigUInt64LE(at));
  const segments = Array.from({ length: file.readUInt16LE(56) }, (_, index) => {
    const at = long(32) + index * file.readUInt16LE(54);
    return {
      kind: file.readUInt32LE(at),
      offset: long(at + 8),
      address: long(at + 16),
      size: long(at + 32),
    };
  });
  const dynamic = segments.find(({ kind }) => kind === dynamicSegment);
  if (!dynamic) return none;
  const offsetOf = (address: number): number => {
    const segment = segments.find(
      ({ kind, address: first, size }) =>
        kind === loadSegment && first <= address && address < first + size,
    );
    if (!segment) throw new RangeError();
    return address - segment.address + segment.offset;
  };
  const entries: (readonly [number, number])[] = [];
  for (let at = dynamic.offset; at < dynamic.offset + dynamic.size; at += 16) {
    if (long(at) === tag.end) break;
    if (entries.length === maxEntries) throw new RangeError();
    entries.push([long(at), long(at + 8)]);
  }
  const entryOf = (wanted: number): number | undefined =>
    entries.find(([each]) => each === wanted)?.[1];
  const strings = offsetOf(entryOf(tag.strings) ?? 0);
  const stringsEnd = strings + (entryOf(tag.stringsSize) ?? 0);
  const textAt = (offset: number): string => {
    const start = strings + offset;
    const bytes = file.subarray(start, Math.min(start + maxTextBytes, stringsEnd));
    const length = bytes.indexOf(0);
    if (length < 0) throw new RangeError();
    return bytes.toString('utf8', 0, length);
  };
  const offsets = new Map<string, number[]>();
  let names = 0;
  const note = (offset: number): string => {
    if (names++ === maxNames) throw new RangeError();
    const text = textAt(offset);
    const known = offsets.get(text) ?? [];
    offsets.set(text, [...new Set([...known, strings + offset])]);
    return text;
  };
  const needed = entries.filter(([each]) => each === tag.needed).map(([, at]) => note(at));
  const versions = entryOf(tag.versionsNeeded);
  if (versions !== undefined) {
    // Like the system's loader, ignores the count and stops at the entry without a successor.
    let at = offsetOf(versions);
    for (let next = 1; next !== 0; at += next) {
      note(file.readUInt32LE(at + 4));
      next = file.readUInt32LE(at + 12);
    }
  }
  const pathOf = (wanted: number): string | undefined => {
    const offset = entryOf(wanted);
    return offset === undefined ? undefined : textAt(offset);
  };
  return { needed, rpath: pathOf(tag.rpath), runpath: pathOf(tag.runpath), offsets };
};

/**
 * Reads the dynamic section. A file without a valid one needs nothing: the loader reports the
 * error.
 */
export const readDynamic = (file: Buffer): ElfDynamic => {
  try {
    return read(file);
  } catch (thrown) {
    if (thrown instanceof RangeError) return none;
    throw thrown;
  }
};

/** Number of replaced characters. Fewer could not distinguish two builds. */
const minReplaced = 3;

/**
 * Returns a name of the same length that depends on the hash. The last characters stay, because
 * linkers let symbols share the end of a longer string.
 */
export const nameByHash = (name: string, hash: Uint8Array): string => {
  const kept = /[A-Za-z0-9_]*$/.exec(name)?.[0] ?? '';
  const replaced = Buffer.byteLength(name) - kept.length;
  if (replaced < minReplaced) return name;
  const letters = Array.from({ length: replaced }, (_, index) => {
    const byte = hash[index % hash.length] as number;
    return (byte % 36).toString(36);
  });
  return letters.join('') + kept;
};

/**
 * Returns whether each mention of a needed library is a separate string, so that renaming
 * changes nothing else.
 */
export const canRename = (file: Buffer, { offsets }: ElfDynamic, name: string): boolean =>
  (offsets.get(name) ?? []).every((at) => file[at - 1] === 0);

export const renameNeeded = (
  file: Buffer,
  { offsets }: ElfDynamic,
  name: string,
  to: string,
): void => {
  for (const at of offsets.get(name) ?? []) file.write(to, at);
};
