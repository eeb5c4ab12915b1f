import { getSystemErrorName } from 'node:util';
import { BusbarError } from '../errors/busbar-error.ts';

export type SendDatagram = (text: string) => void;

const addressFamilyUnix = 1;
const typeDatagram = 2;
const closeOnExec = 0x8_0000;
const doNotWait = 0x40;
const noSignal = 0x4000;
const pathBytes = 108;

/** `struct sockaddr_un` of a path, or of an abstract name that starts with `@`. */
export const unixAddress = (path: string): Buffer => {
  const name = Buffer.from(path.startsWith('@') ? `\0${path.slice(1)}` : `${path}\0`);
  const isName = path.startsWith('@') || path.startsWith('/');
  if (!isName || name.length > pathBytes) {
    throw new BusbarError('internal_error', { message: `No address of a socket: ${path}` });
  }
  const family = Buffer.from(new Uint16Array([addressFamilyUnix]).buffer);
  return Buffer.concat([family, name]);
};

/**
 * Sends datagrams to a Unix socket, which Node lacks. They are dropped if the receiver has no room.
 */
export const openUnixDatagrams = async (path: string): Promise<SendDatagram> => {
  const address = unixAddress(path);
  const { default: koffi } = await import('koffi');
  const library = koffi.load(null);
  const openSocket = library.func('int socket(int family, int type, int protocol)');
  const sendTo = library.func(
    'int64_t sendto(int fd, const void *data, size_t length, int flags, const void *address, uint32_t size)',
  );
  const fd = openSocket(addressFamilyUnix, typeDatagram | closeOnExec, 0);
  if (fd < 0) {
    throw new BusbarError('internal_error', {
      message: 'A socket could not be opened',
      details: { errno: getSystemErrorName(-koffi.errno()) },
    });
  }
  return (text) => {
    const data = Buffer.from(text);
    sendTo(fd, data, data.length, doNotWait | noSignal, address, address.length);
  };
};
