import { readdirSync, readlinkSync } from 'node:fs';

/** What the descriptors of this process stand for. */
export const openDescriptors = (): readonly string[] =>
  readdirSync('/proc/self/fd').map((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return ''; // The descriptor that lists the directory is gone by now.
    }
  });
