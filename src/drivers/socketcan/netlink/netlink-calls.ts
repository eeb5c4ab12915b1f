import { getSystemErrorName } from 'node:util';
import { BusbarError } from '../../../base/errors/busbar-error.ts';

export interface NetlinkCalls {
  open(groups: number): number;
  /**
   * Sends a request, which the kernel has processed when this resolves. That can take seconds
   * if an interface goes up or another program changes one, so the call blocks a pool thread.
   */
  send(fd: number, request: Buffer): Promise<number>;
  /** Waits for a response in a pool thread. Negative on failure. */
  receive(fd: number, into: Buffer): Promise<number>;
  /** Receives without waiting: length or negative errno. */
  receiveNow(fd: number, into: Buffer): number;
  /** Calls back when readable. Returns an unsubscribe function. */
  watch(fd: number, onReadable: () => void): () => void;
  close(fd: number): void;
}

const netlinkFamily = 16;
const rawClosedOnExec = 3 | 0o2000000;
const routeProtocol = 0;
const socketLevel = 1;
const receiveTimeout = 20;
const receiveBufferForce = 33;
const receiveBuffer = 8;
const netlinkLevel = 270;
const extendedAcks = 11;
const doNotWait = 0x40;

const receiveBufferLength = 1 << 20;
/** The kernel responds to the request directly. After this time the response is lost. */
const answerTimeoutS = 30;

const bind = async (): Promise<NetlinkCalls> => {
  const { default: koffi } = await import('koffi');
  const library = koffi.load(null);
  const socket = library.func('int socket(int family, int type, int protocol)');
  const bindSocket = library.func('int bind(int fd, const void *address, unsigned int length)');
  const setOption = library.func(
    'int setsockopt(int fd, int level, int name, const void *value, unsigned int length)',
  );
  const send = library.func('int64_t send(int fd, const void *bytes, size_t length, int flags)');
  const receive = library.func('int64_t recv(int fd, void *bytes, size_t length, int flags)');
  const closeDescriptor = library.func('int close(int fd)');

  const later = (call: typeof send, ...args: readonly unknown[]): Promise<number> =>
    new Promise((resolve, reject) => {
      call.async(...args, (error: unknown, result: number) => {
        if (error) reject(error);
        else resolve(Number(result));
      });
    });
  const failed = (call: string): BusbarError =>
    new BusbarError('hardware_error', {
      message: 'Cannot reach the network interfaces of the kernel',
      details: { reason: 'no_netlink', call, errno: getSystemErrorName(-koffi.errno()) },
      retryable: false,
    });

  return {
    open(groups) {
      const fd: number = socket(netlinkFamily, rawClosedOnExec, routeProtocol);
      if (fd < 0) throw failed('socket');
      const address = new Uint32Array([netlinkFamily, 0, groups]);
      if (bindSocket(fd, address, address.byteLength) !== 0) {
        const error = failed('bind');
        closeDescriptor(fd);
        throw error;
      }
      const length = new Int32Array([receiveBufferLength]);
      if (setOption(fd, socketLevel, receiveBufferForce, length, 4) !== 0) {
        setOption(fd, socketLevel, receiveBuffer, length, 4);
      }
      setOption(
        fd,
        socketLevel,
        receiveTimeout,
        new BigInt64Array([BigInt(answerTimeoutS), 0n]),
        16,
      );
      setOption(fd, netlinkLevel, extendedAcks, new Int32Array([1]), 4);
      return fd;
    },
    send: (fd, request) => later(send, fd, request, request.length, 0),
    receive: (fd, into) => later(receive, fd, into, into.length, 0),
    receiveNow(fd, into) {
      const length = Number(receive(fd, into, into.length, doNotWait));
      return length < 0 ? -koffi.errno() : length;
    },
    watch(fd, onReadable) {
      const watch = koffi.node.poll(fd, { readable: true }, onReadable);
      return () => watch.close();
    },
    close(fd) {
      closeDescriptor(fd);
    },
  };
};

let binding: Promise<NetlinkCalls> | undefined;

export const loadNetlinkCalls = (): Promise<NetlinkCalls> => {
  binding ??= bind();
  return binding;
};
