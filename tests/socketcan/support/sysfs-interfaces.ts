import { readdirSync, readFileSync } from 'node:fs';
import type { CanInterface, CanInterfaces } from '../../../src/drivers/socketcan/can-interfaces.ts';

const fileOf = (name: string, file: string): string =>
  readFileSync(`/sys/class/net/${name}/${file}`, 'utf8').trim();

const read = (name: string): CanInterface => ({
  sn: name,
  uid: `net-${name}`,
  label: name,
  firmwareVersion: '',
  name,
  index: Number(fileOf(name, 'ifindex')),
  isUp: (Number(fileOf(name, 'flags')) & 1) !== 0,
  isBusOff: false,
  hasFd: Number(fileOf(name, 'mtu')) >= 72,
  hasController: false,
  keepsDlc: true,
  port: {
    port: 0,
    name,
    buses: ['can', 'canfd'],
    capabilities: {
      modes: ['normal', 'listen_only'],
      settings: ['mode', 'bitrate'],
      bitrate: { min: 1_000, max: 1_000_000 },
      dataBitrate: { min: 1_000, max: 16_000_000 },
      txQueue: 512,
    },
  },
  settings: {},
});

/** Interfaces as /sys shows them. */
export const sysfsInterfaces = async (): Promise<CanInterfaces> => {
  const list = async () =>
    readdirSync('/sys/class/net')
      .filter((name) => fileOf(name, 'type') === '280')
      .map(read);
  let stop = () => undefined as void;
  return {
    list,
    watch: (onChange) => {
      const timer = setInterval(async () => onChange(await list()), 50);
      stop = () => clearInterval(timer);
      return stop;
    },
    run: async (link) => link,
    release: async () => undefined,
    restart: async () => undefined,
    close: () => stop(),
  };
};
