import { readFile } from 'node:fs/promises';
import { isLoopback } from './loopback.ts';

export interface TcpEnds {
  readonly localAddress?: string | undefined;
  readonly localPort?: number | undefined;
  readonly remoteAddress?: string | undefined;
  readonly remotePort?: number | undefined;
}

/** `unknown`: the peer is on another computer, or the system does not report it. */
export type PeerHold = 'held' | 'let go' | 'unknown';

const tables = ['/proc/net/tcp', '/proc/net/tcp6'];

// Columns of these tables. Addresses are hexadecimal: `0100007F:1F90`.
const localAt = 1;
const remoteAt = 2;
const inodeAt = 9;

/** A socket that no process has open stays in the table for a while, without an inode. */
const noInode = '0';

const portOf = (address = ''): number => Number.parseInt(address.slice(-4), 16);

export const holdsSocket = (table: string, localPort: number, remotePort: number): boolean =>
  table.split('\n').some((line) => {
    const columns = line.trim().split(/\s+/);
    return (
      portOf(columns[localAt]) === localPort &&
      portOf(columns[remoteAt]) === remotePort &&
      columns[inodeAt] !== noInode
    );
  });

const isLocal = ({ localAddress, remoteAddress }: TcpEnds): boolean =>
  remoteAddress !== undefined && (isLoopback(remoteAddress) || remoteAddress === localAddress);

/**
 * Checks whether a process still has the other end of a local connection open. The connection does
 * not show it: a peer that shut down its sending side looks like one that closed its socket.
 */
export const peerHold = async (ends: TcpEnds): Promise<PeerHold> => {
  const { localPort, remotePort } = ends;
  if (!isLocal(ends) || localPort === undefined || remotePort === undefined) return 'unknown';
  try {
    for (const table of tables) {
      if (holdsSocket(await readFile(table, 'latin1'), remotePort, localPort)) return 'held';
    }
  } catch {
    return 'unknown';
  }
  return 'let go';
};
