import { messageType, type NetlinkMessage } from '../messages.ts';

/** Bytes as they are written down: blanks, bars and brackets are for the eye. */
export const bytesOf = (hex: string): Buffer =>
  Buffer.from(hex.replaceAll(/[^0-9a-f]/gi, ''), 'hex');

const zeros = (count: number): string => '00'.repeat(count);

const commonAttributes = `
  0800 3200 00000000  0800 3300 00000000  0800 1b00 00000000  0800 1e00 00000000
  0800 3d00 00000000  0800 1f00 01000000  0800 2800 ffff0000  0800 2000 01000000`;

const link = (body: string, type: number = messageType.newLink): NetlinkMessage => ({
  type,
  flags: 0,
  sequence: 0,
  body: bytesOf(body),
});

const sja1000 = (timing: string, state: string): string => `
  ${timing}
  3400 0200 736a6131303030 ${zeros(9)} 01000000 10000000 01000000 08000000 04000000 01000000 40000000 01000000
  0800 0300 00127a00   0800 0400 ${state}   0c00 0500 00000000 00000000   0800 0600 00000000
  0800 0800 0000 0000   0800 0f00 00000000   0c00 1180 [ 0800 0100 5f010000 ]`;

/** A controller (kvaser_pci) that was never set up, as Linux 6.1 reports it. */
export const controllerDown = link(`
  00 00 1801 02000000 80000400 00000000 | 0900 0300 63616e30 00 000000   0800 0d00 0a000000   0500 1000 02 000000
  0800 0400 10000000 ${commonAttributes}
  cc00 1700 ${zeros(200)}
  a000 1200 [ 0800 0100 63616e00   1c00 0300 ${zeros(24)}  7800 0200 [ ${sja1000('', '04000000')} ] ]
  1100 3800 303030303a30303a30342e30 00 000000   0800 3900 70636900`);

/** The same one at 500 kbit/s, up, after some traffic. */
export const controllerUp = link(`
  00 00 1801 02000000 c1000500 00000000 | 0900 0300 63616e30 00 000000   0800 0d00 0a000000   0500 1000 06 000000
  0800 0400 10000000 ${commonAttributes}
  cc00 1700 0300000000000000 0500000000000000 ${zeros(16)} 0100000000000000 ${zeros(8)} 0200000000000000 ${zeros(24)} 0400000000000000 ${zeros(112)}
  c400 1200 [ 0800 0100 63616e00   1c00 0300 01000000 02000000 03000000 04000000 05000000 06000000
    9c00 0200 [ ${sja1000('2400 0100 20a10700 6b030000 7d000000 06000000 07000000 02000000 01000000 01000000', '00000000')} ] ]
  1100 3800 303030303a30303a30342e30 00 000000   0800 3900 70636900`);

export const virtualUp = link(`
  00 00 1801 04000000 c1000100 00000000 | 0a00 0300 7663616e30 00 0000   0800 0d00 e8030000   0500 1000 00 000000
  0800 0400 48000000 ${commonAttributes}   1000 1200 [ 0900 0100 7663616e 00 000000 ]`);

/** An Ethernet interface. */
export const ethernet = link(`
  00 00 0100 07000000 c1000100 00000000 | 0900 0300 65746830 00 000000`);
