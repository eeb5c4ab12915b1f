import { constants } from 'node:os';

/** `getSystemErrorName` supports only libuv's codes. */
const names = new Map(Object.entries(constants.errno).map(([name, errno]) => [errno, name]));

/** A refused kernel request. It stays inside the driver, which interprets it. */
export class KernelRefusal extends Error {
  readonly errno: string;
  readonly text: string | undefined;

  constructor(errno: number, text?: string) {
    const name = names.get(errno) ?? `errno ${errno}`;
    super(text === undefined ? name : `${name}: ${text}`);
    this.name = 'KernelRefusal';
    this.errno = name;
    this.text = text;
  }
}
