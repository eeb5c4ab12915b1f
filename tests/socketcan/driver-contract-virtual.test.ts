import { describeDriver } from '../contract/drivers/driver-suite.ts';
import { ip, setUpPair } from './support/socketcan-rig.ts';

const plugIn = (): void => {
  ip('link add sca type vxcan peer name scb');
  for (const name of ['sca', 'scb']) ip(`link set ${name} up`);
};

describeDriver(
  'SocketCAN, on a pair of virtual interfaces,',
  {
    can: { ports: [0, 1], fd: true, modes: ['normal', 'listen_only'], acknowledges: false },
    canLose: true,
  },
  () => setUpPair(['sca', 'scb'], ['sca', 'scb'], plugIn, () => ip('link del sca')),
);
