import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { isRunning } from '../../../src/link/daemon-record.ts';

/** A process whose environment names a given home. */
export interface HomeProcess {
  readonly pid: number;
  readonly parent: number;
  readonly kind: 'daemon' | 'cli' | 'other';
}

/** Content of a /proc file of a process; empty if the process has ended. */
const read = (pid: number, file: string): string => {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
};

const pids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^[0-9]+$/.test(name))
    .map(Number);

/** State letter and parent follow the name, which may contain spaces and brackets. */
const statOf = (pid: number): { readonly state: string; readonly parent: number } => {
  const text = read(pid, 'stat');
  const [state = '', parent = '0'] = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state, parent: Number(parent) };
};

/** The kernel's state letter for the first thread of a process. */
export const stateOf = (pid: number): string => statOf(pid).state;

export const hasEnded = (pid: number): boolean => !isRunning(pid);

const kindOf = (pid: number): HomeProcess['kind'] => {
  const words = read(pid, 'cmdline').split('\0');
  if (words.some((word) => word.endsWith('/daemon.cjs'))) return 'daemon';
  return words.some((word) => word.endsWith('/bin/busbar')) ? 'cli' : 'other';
};

/** Every running process that belongs to a home, regardless of its parent. */
export const processesOf = (home: string): HomeProcess[] =>
  pids()
    .filter((pid) => read(pid, 'environ').split('\0').includes(`BUSBAR_HOME=${home}`))
    .filter((pid) => !hasEnded(pid))
    .map((pid) => ({ pid, parent: statOf(pid).parent, kind: kindOf(pid) }));

export const daemonsOf = (home: string): number[] =>
  processesOf(home)
    .filter(({ kind }) => kind === 'daemon')
    .map(({ pid }) => pid);

export const childrenOf = (parent: number): number[] =>
  pids().filter((pid) => !hasEnded(pid) && statOf(pid).parent === parent);

const listening = '0A';

/** TCP ports that a process itself listens on. */
export const listenersOf = (pid: number): number[] => {
  const sockets = new Set<string>();
  for (const fd of readdirSync(`/proc/${pid}/fd`)) {
    try {
      const inode = /^socket:\[([0-9]+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
      if (inode) sockets.add(inode);
    } catch {
      // Closed between listing and reading.
    }
  }
  return ['net/tcp', 'net/tcp6']
    .flatMap((file) => read(pid, file).trim().split('\n').slice(1))
    .map((row) => row.trim().split(/\s+/))
    .filter((cells) => cells[3] === listening && sockets.has(cells[9] ?? ''))
    .map((cells) => Number.parseInt(cells[1]?.split(':')[1] ?? '', 16));
};
