import { describe, expect, it } from 'vitest';
import { checkElf } from './library-files.ts';

const plugin = { id: 'filter', library: 'plugins/filter.so' };
const machines = { x64: 62, arm64: 183 } as const;

interface Header {
  readonly bits?: number;
  readonly order?: number;
  readonly type?: number;
  readonly machine?: number;
}

const elf = ({ bits = 2, order = 1, type = 3, machine = machines.x64 }: Header): Buffer => {
  const header = Buffer.alloc(64);
  header.write('\x7fELF', 'latin1');
  header[4] = bits;
  header[5] = order;
  header.writeUInt16LE(type, 16);
  header.writeUInt16LE(machine, 18);
  return header;
};

const check = (bytes: Uint8Array, arch = 'x64') => {
  return () => checkElf(bytes, plugin, arch);
};

describe('the header of a library', () => {
  it('is that of a shared library for this machine', () => {
    expect(check(elf({}))).not.toThrow();
    expect(check(elf({ machine: machines.arm64 }), 'arm64')).not.toThrow();
  });

  it('is looked at where it is, also within other memory', () => {
    const memory = Buffer.concat([Buffer.alloc(24), elf({})]);
    expect(check(memory.subarray(24))).not.toThrow();
    expect(check(memory)).toThrow('is no shared library');
  });

  it.each<[string, Uint8Array, string, string]>([
    ['an empty file', Buffer.alloc(0), 'not_a_library', 'is no shared library'],
    ['a header that is cut off', elf({}).subarray(0, 19), 'not_a_library', 'is no shared library'],
    ['a text', Buffer.from('#!/bin/sh\necho no library here'), 'not_a_library', 'is no shared'],
    ['a program', elf({ type: 2 }), 'not_a_library', 'is a program'],
    ['another machine', elf({ machine: machines.arm64 }), 'wrong_architecture', 'is for arm64'],
    ['an unknown machine', elf({ machine: 8 }), 'wrong_architecture', 'is for machine 8'],
    ['32 bits', elf({ bits: 1 }), 'wrong_architecture', 'another word size'],
    ['the other byte order', elf({ order: 2 }), 'wrong_architecture', 'another word size'],
  ])('refuses %s', (_, bytes, reason, words) => {
    expect(check(bytes)).toThrow(
      expect.objectContaining({
        code: 'plugin_failed',
        message: expect.stringContaining(words),
        details: { field: 'plugins', plugin: 'filter', reason },
      }),
    );
  });

  it('fits no machine that is not known', () => {
    expect(check(elf({}), 'mips')).toThrow('is for x64, and this machine is mips');
  });
});
