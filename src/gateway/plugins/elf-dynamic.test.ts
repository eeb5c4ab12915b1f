import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compileShared, hasCompiler } from '../../base/testing/compile.ts';
import { canRename, nameByHash, readDynamic, renameNeeded } from './elf-dynamic.ts';

const nothing = { needed: [], rpath: undefined, runpath: undefined, offsets: new Map() };

describe.skipIf(!hasCompiler)('the dynamic section of a library', () => {
  let folder: string;
  let library: Buffer;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-elf-'));
    const source = (text: string): string => {
      writeFileSync(join(folder, 'source.c'), text);
      return join(folder, 'source.c');
    };
    writeFileSync(join(folder, 'versions'), 'HELPER_1 { help; };\n');
    compileShared(
      source('int help(void);\nint help(void) { return 1; }\n'),
      join(folder, 'libhelper.so'),
      `-Wl,--version-script=${join(folder, 'versions')}`,
    );
    // The symbol `so` shares the end of the library's name.
    const text = 'int help(void);\nint so(void);\nint so(void) { return help(); }\n';
    const linked = [`-L${folder}`, '-lhelper', '-Wl,-rpath,$ORIGIN/lib:/opt'];
    const file = join(folder, 'user.so');
    compileShared(source(text), file, '-Wl,-O2', '-Wl,--no-as-needed', ...linked);
    library = readFileSync(file);
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it('says which libraries it needs, and where they are searched', () => {
    const { needed, runpath, rpath } = readDynamic(library);
    expect(needed).toContain('libhelper.so');
    expect(runpath ?? rpath).toBe('$ORIGIN/lib:/opt');
  });

  it('can need a library under another name of the same length, with its versions', () => {
    const file = Buffer.from(library);
    const dynamic = readDynamic(file);
    const name = nameByHash('libhelper.so', Buffer.from('0123456789'));
    expect(name).toMatch(/^[0-9a-z]{10}so$/);
    expect(canRename(file, dynamic, 'libhelper.so')).toBe(true);
    renameNeeded(file, dynamic, 'libhelper.so', name);
    expect(readDynamic(file).needed).toContain(name);
    expect([...readDynamic(file).offsets.keys()]).not.toContain('libhelper.so');
    expect(file.indexOf('\0so\0') + file.indexOf(`${name}\0`)).toBeGreaterThan(0);
  });

  /** The file with another value for an entry of its dynamic section. */
  const withEntry = (tag: number, value: bigint): Buffer => {
    const file = Buffer.from(library);
    const long = (at: number): number => Number(file.readBigUInt64LE(at));
    let header = long(32);
    while (file.readUInt32LE(header) !== 2) header += file.readUInt16LE(54);
    let at = long(header + 8);
    while (long(at) !== tag) at += 16;
    file.writeBigUInt64LE(value, at + 8);
    return file;
  };

  it('is read to the end of its versions, regardless of their count', () => {
    const count = 0x6fffffff;
    expect(readDynamic(withEntry(count, 1n << 40n))).toEqual(readDynamic(library));
  });

  it('needs nothing if it is missing or broken', () => {
    expect(readDynamic(Buffer.from('x'.repeat(100)))).toEqual(nothing);
    expect(readDynamic(Buffer.alloc(0))).toEqual(nothing);
    fc.assert(
      fc.property(fc.nat(library.length - 1), fc.nat(255), (at, byte) => {
        const broken = Buffer.from(library);
        broken[at] = byte;
        expect(readDynamic(broken.subarray(0, at + 100)).needed.length).toBeLessThan(10);
      }),
    );
  });
});

/** A file with only a dynamic section with library names, and its strings. */
const fileThatNeeds = (names: readonly string[]): Buffer => {
  const strings = Buffer.from(names.map((name) => `${name}\0`).join(''));
  const [dynamicAt, entries] = [64 + 2 * 56, names.length + 3];
  const stringsAt = dynamicAt + entries * 16;
  const file = Buffer.concat([Buffer.alloc(stringsAt), strings]);
  const write = (at: number, value: number): void => {
    file.writeBigUInt64LE(BigInt(value), at);
  };
  write(32, 64);
  file.writeUInt16LE(56, 54);
  file.writeUInt16LE(2, 56);
  file.writeUInt32LE(1, 64);
  write(64 + 32, file.length);
  file.writeUInt32LE(2, 120);
  write(120 + 8, dynamicAt);
  write(120 + 32, entries * 16);
  let offset = 0;
  const needed = names.map((name): [number, number] => {
    offset += name.length + 1;
    return [1, offset - name.length - 1];
  });
  const all = [...needed, [5, stringsAt], [10, strings.length]] as const;
  for (const [index, [tag, value]] of all.entries()) {
    write(dynamicAt + index * 16, tag);
    write(dynamicAt + index * 16 + 8, value);
  }
  return file;
};

describe('a file that needs libraries', () => {
  it('needs nothing if their names are too many or too long', () => {
    const names = Array.from({ length: 1024 }, (_, index) => `lib${index}.so`);
    expect(readDynamic(fileThatNeeds(names)).needed).toEqual(names);
    expect(readDynamic(fileThatNeeds([...names, 'more.so']))).toEqual(nothing);
    expect(readDynamic(fileThatNeeds(Array(5000).fill('x')))).toEqual(nothing);
    const [max, tooLong] = ['x'.repeat(4095), 'x'.repeat(4096)];
    expect(readDynamic(fileThatNeeds([max, 'y'])).needed).toEqual([max, 'y']);
    expect(readDynamic(fileThatNeeds([tooLong, 'y']))).toEqual(nothing);
  });
});

describe('a name by hash', () => {
  it('is another one for another hash, and keeps names that are too short', () => {
    const [one, other] = ['one hash', 'other hash'].map((text) => Buffer.from(text));
    expect(nameByHash('libx.so.1', one as Buffer)).not.toBe(
      nameByHash('libx.so.1', other as Buffer),
    );
    expect(nameByHash('libx.so.1', one as Buffer)).toHaveLength(9);
    expect(nameByHash('a.so', one as Buffer)).toBe('a.so');
  });
});
