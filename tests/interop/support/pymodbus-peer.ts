import { join } from 'node:path';
import { hasPeer } from '../../support/peers.ts';
import { startPeerClient, startPeerServer } from './peer-program.ts';

const python = '/usr/bin/python3';
const modules = '/usr/lib/python3/dist-packages';

export const hasPymodbus =
  hasPeer(`${modules}/pymodbus/__init__.py`, 'python3-pymodbus') &&
  hasPeer(`${modules}/serial/__init__.py`, 'python3-serial') &&
  hasPeer(python, 'python3');

const command = [python, join(import.meta.dirname, 'pymodbus_peer.py')];

/** The client and the server of pymodbus for one kind of link. */
export const pymodbus = (kind: string) => ({
  client: (where: string | number) => startPeerClient(command, kind, where),
  server: (device?: string) => startPeerServer(command, kind, device),
});
