import { readdirSync, readlinkSync } from 'node:fs';

/** Targets of the open descriptors of this process. */
export const openDescriptors = (): readonly string[] =>
  readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ''; // The descriptor that listed the directory is already closed.
    }
  });
