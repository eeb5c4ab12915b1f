import { writeFileSync } from 'node:fs';
import { describeDriver } from '../contract/drivers/driver-suite.ts';
import { setUpPair } from './support/socketcan-rig.ts';

const places = ['0000:00:04.0', '0000:00:05.0'] as const;

/** Unbinds the controllers from their driver or binds them again, like unplugging. */
const bind = (how: 'bind' | 'unbind'): void => {
  for (const place of places) writeFileSync(`/sys/bus/pci/drivers/kvaser_pci/${how}`, place);
};

describeDriver(
  'SocketCAN, on emulated controllers,',
  {
    can: {
      ports: [0, 1],
      fd: false,
      modes: ['normal', 'listen_only'],
      acknowledges: false,
      // The emulation garbles the frame after a remote frame, and changes every DLC above 8 to 8.
      remote: false,
      highestDlc: 8,
      timing: { prescaler: 2, tseg1: 5, tseg2: 2, sjw: 1 },
    },
    canLose: true,
  },
  () =>
    setUpPair(
      ['can0', 'can1'],
      [`pci:${places[0]}:0`, `pci:${places[1]}:0`],
      () => bind('bind'),
      () => bind('unbind'),
    ),
);
