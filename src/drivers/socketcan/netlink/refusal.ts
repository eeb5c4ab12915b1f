import { constants } from 'node:os';

/** All of them; `getSystemErrorName` knows only those that libuv has a use for. */
const names = new Map(Object.entries(constants.errno).map(([name, errno]) => [errno, name]));

/**
 * The kernel refused a request. It never leaves the driver: who made the request knows what it was
 * for, and says so in an error of the product.
 */
export class KernelRefusal extends Error {
  /** As in `EPERM`. */
  readonly errno: string;
  /** What the kernel says beside that, if anything. */
  readonly text: string | undefined;

  constructor(errno: number, text?: string) {
    const name = names.get(errno) ?? `errno ${errno}`;
    super(text === undefined ? name : `${name}: ${text}`);
    this.name = 'KernelRefusal';
    this.errno = name;
    this.text = text;
  }
}
