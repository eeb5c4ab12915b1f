import { pluginFailed } from './plugin-failure.ts';

const magic = Buffer.from('\x7fELF', 'latin1');
const class64 = 2;
const littleEndian = 1;
const sharedObject = 3;

/** What the header of a library calls the machines that Node runs on. */
const machines: Readonly<Record<string, number>> = {
  x64: 62,
  arm64: 183,
  riscv64: 243,
  loong64: 258,
  s390x: 22,
};

const nameOf = (machine: number): string =>
  Object.entries(machines).find(([, number]) => number === machine)?.[0] ?? `machine ${machine}`;

/** Refuses what is no shared library for this machine, in better words than the system has. */
export const checkElf = (
  bytes: Uint8Array,
  { id, library }: { readonly id: string; readonly library: string },
  arch: string = process.arch,
): void => {
  const header = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 20));
  if (header.length < 20 || !header.subarray(0, 4).equals(magic)) {
    throw pluginFailed(id, 'not_a_library', `${library} is no shared library`);
  }
  const is64 = header[4] === class64 && header[5] === littleEndian;
  const machine = header.readUInt16LE(18);
  if (!is64 || machine !== machines[arch]) {
    const words = `${library} is for ${is64 ? nameOf(machine) : 'machines of another word size'}, and this machine is ${arch}`;
    throw pluginFailed(id, 'wrong_architecture', words);
  }
  if (header.readUInt16LE(16) !== sharedObject) {
    throw pluginFailed(id, 'not_a_library', `${library} is a program, and no shared library`);
  }
};
