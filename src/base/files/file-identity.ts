import { fstatSync } from 'node:fs';

/** What tells a file from all others, whatever paths lead to it. */
export interface FileIdentity {
  readonly device: bigint;
  readonly inode: bigint;
}

/** Which file a descriptor stands for. */
export const identityOf = (fd: number): FileIdentity => {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return { device: dev, inode: ino };
};

export const isSameFile = (one: FileIdentity, other: FileIdentity): boolean =>
  one.device === other.device && one.inode === other.inode;
