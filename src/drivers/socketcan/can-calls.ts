import { getSystemErrorName } from 'node:util';
import { BusbarError } from '../../base/errors/busbar-error.ts';

/** C library calls on CAN sockets, with C results. */
export interface CanCalls {
  socket(family: number, type: number, protocol: number): number;
  bind(fd: number, address: Uint8Array, length: number): number;
  connect(fd: number, address: Uint8Array, length: number): number;
  setOption(fd: number, level: number, option: number, value: Uint8Array): number;
  getOption(
    fd: number,
    level: number,
    option: number,
    value: Uint8Array,
    length: Uint32Array,
  ): number;
  receive(fd: number, at: bigint, count: number): number;
  send(fd: number, at: bigint, count: number): number;
  write(fd: number, bytes: Uint8Array, length: number): number;
  read(fd: number, bytes: Uint8Array, length: number): number;
  close(fd: number): number;
  systemTimeUs(): number;
  addressOf(buffer: ArrayBuffer): bigint;
  errno(): number;
  /** Calls back when readable or on an error. On failure throws an error that names the device. */
  watch(fd: number, device: string, onEvent: () => void): { close(): void };
}

const dontWait = 0x40;
const clockRealtime = 0;
const closeOnExec = 0o2000000;
const addToSet = 1;
const readable = 1;
/** `struct epoll_event` differs between architectures; its events are always first. */
const epollEventWords = 4;

/** Error for a failure not caused by the bus or the interface. */
export const callFailed = (call: string, errno: number, device: string): BusbarError =>
  new BusbarError('hardware_error', {
    message: `Cannot use the CAN interface ${device}: ${call} failed`,
    details: { reason: 'call_failed', call, errno: getSystemErrorName(-errno), device },
  });

const bind = async (): Promise<CanCalls> => {
  const { default: koffi } = await import('koffi');
  const library = koffi.load(null);
  const socket = library.func('int socket(int family, int type, int protocol)');
  const bindTo = library.func('int bind(int fd, const void *address, uint32_t length)');
  const connectTo = library.func('int connect(int fd, const void *address, uint32_t length)');
  const setsockopt = library.func(
    'int setsockopt(int fd, int level, int option, const void *value, uint32_t length)',
  );
  const getsockopt = library.func(
    'int getsockopt(int fd, int level, int option, void *value, void *length)',
  );
  const recvmmsg = library.func(
    'int recvmmsg(int fd, void *messages, unsigned int count, int flags, void *timeout)',
  );
  const sendmmsg = library.func(
    'int sendmmsg(int fd, void *messages, unsigned int count, int flags)',
  );
  const read = library.func('int64_t read(int fd, void *buffer, size_t size)');
  const write = library.func('int64_t write(int fd, const void *buffer, size_t size)');
  const close = library.func('int close(int fd)');
  const clockGetTime = library.func('int clock_gettime(int clock, void *time)');
  const epollCreate = library.func('int epoll_create1(int flags)');
  const epollControl = library.func('int epoll_ctl(int set, int operation, int fd, void *event)');
  const time = new BigInt64Array(2);
  const timeWords = new Uint32Array(time.buffer);

  return {
    socket: (family, type, protocol) => socket(family, type, protocol),
    bind: (fd, address, length) => bindTo(fd, address, length),
    connect: (fd, address, length) => connectTo(fd, address, length),
    setOption: (fd, level, option, value) => setsockopt(fd, level, option, value, value.length),
    getOption: (fd, level, option, value, length) => getsockopt(fd, level, option, value, length),
    receive: (fd, at, count) => recvmmsg(fd, at, count, dontWait, null),
    send: (fd, at, count) => sendmmsg(fd, at, count, dontWait),
    write: (fd, bytes, length) => write(fd, bytes, length),
    read: (fd, bytes, length) => read(fd, bytes, length),
    close: (fd) => close(fd),
    systemTimeUs: () => {
      clockGetTime(clockRealtime, time);
      return (
        ((timeWords[1] as number) * 2 ** 32 + (timeWords[0] as number)) * 1e6 +
        (timeWords[2] as number) / 1e3
      );
    },
    addressOf: (buffer) => koffi.address(buffer),
    errno: () => koffi.errno(),
    watch: (fd, device, onEvent) => {
      // The event loop stops watching a descriptor in an error state, such as a socket of a
      // down interface. An epoll set has no error state.
      const set: number = epollCreate(closeOnExec);
      if (set < 0) throw callFailed('epoll_create1', koffi.errno(), device);
      const event = new Uint32Array(epollEventWords);
      event[0] = readable;
      if (epollControl(set, addToSet, fd, event) !== 0) {
        const errno = koffi.errno();
        close(set);
        throw callFailed('epoll_ctl', errno, device);
      }
      const handle = koffi.node.poll(set, { readable: true }, onEvent);
      return {
        close: () => {
          handle.close();
          close(set);
        },
      };
    },
  };
};

let loading: Promise<CanCalls> | undefined;

export const loadCanCalls = (): Promise<CanCalls> => {
  loading ??= bind();
  return loading;
};
