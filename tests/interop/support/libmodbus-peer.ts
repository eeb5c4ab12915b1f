import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { hasPeer } from '../../support/peers.ts';
import { startPeerClient, startPeerServer } from './peer-program.ts';

export const hasLibmodbus =
  hasPeer('/usr/include/modbus/modbus.h', 'libmodbus-dev') &&
  hasPeer('/usr/include/stdio.h', 'libc6-dev') &&
  hasPeer('/usr/bin/gcc', 'gcc');

const compileInto = (folder: string): string => {
  const program = join(folder, 'peer');
  const source = join(import.meta.dirname, 'libmodbus_peer.c');
  const flags = ['-Wall', '-Wextra', '-Werror', '-o', program, source, '-lmodbus'];
  const { status, stderr } = spawnSync('/usr/bin/gcc', flags, { encoding: 'utf8' });
  if (status !== 0) throw new Error(stderr);
  return program;
};

/** Compiles the program of libmodbus for the tests of the group that calls this. */
export const useLibmodbus = () => {
  let folder: string;
  let command: readonly string[];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'busbar-libmodbus-'));
    command = [compileInto(folder)];
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  return (kind: string) => ({
    client: (where: string | number) => startPeerClient(command, kind, where),
    server: (device?: string) => startPeerServer(command, kind, device),
  });
};
