import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface, type Interface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { type UnitClient, UnitException } from './unit-client.ts';

/** A peer program that answers lines with lines, and ends with the test. */
export class PeerProgram {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: AsyncIterator<string>;
  readonly #reader: Interface;
  #stderr = '';

  constructor([program = '', ...args]: readonly string[]) {
    this.#child = spawn(program, args);
    this.#reader = createInterface({ input: this.#child.stdout });
    this.#lines = this.#reader[Symbol.asyncIterator]();
    this.#child.stderr.on('data', (text) => {
      this.#stderr += text;
    });
    onTestFinished(() => this.end());
  }

  /** The rest of a line that must begin with this word. */
  async line(word: string): Promise<string[]> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`The peer ended: ${this.#stderr}`);
    const [first, ...rest] = String(value).split(' ');
    if (first === word) return rest;
    if (first === 'exception') throw new UnitException(Number(rest[0]));
    throw new Error(`The peer said ${value}`);
  }

  ask(...words: readonly (string | number)[]): Promise<string[]> {
    this.#child.stdin.write(`${words.join(' ')}\n`);
    return this.line('ok');
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.kill('SIGKILL');
    await ended;
  }
}

/** The client of a peer, controlled by lines. */
export class PeerClient implements Required<UnitClient> {
  readonly program: PeerProgram;

  constructor(program: PeerProgram) {
    this.program = program;
  }

  async read(code: number, address: number, count: number): Promise<number[]> {
    return (await this.program.ask('read', code, address, count)).map(Number);
  }

  async write(code: number, address: number, items: readonly number[]): Promise<void> {
    await this.program.ask('write', code, address, ...items);
  }

  async mask(address: number, andMask: number, orMask: number): Promise<void> {
    await this.program.ask('mask', address, andMask, orMask);
  }

  async readWrite(
    address: number,
    count: number,
    writeAddress: number,
    items: readonly number[],
  ): Promise<number[]> {
    return (await this.program.ask('readwrite', address, count, writeAddress, ...items)).map(
      Number,
    );
  }

  async identify(code: number, first: number): Promise<Record<number, string>> {
    const objects = await this.program.ask('identify', code, first);
    return Object.fromEntries(
      objects.map((object) => {
        const [id = '', hex = ''] = object.split('=');
        return [id, Buffer.from(hex, 'hex').toString('latin1')];
      }),
    );
  }

  /** A value as the peer decodes it from registers. */
  async value(type: string, order: string, address: number): Promise<string> {
    return (await this.program.ask('value', type, order, address)).join(' ');
  }

  async put(type: string, order: string, address: number, text: string): Promise<void> {
    await this.program.ask('put', type, order, address, text);
  }
}

/** Starts the client of a peer; resolves when it is connected. */
export const startPeerClient = async (
  command: readonly string[],
  kind: string,
  where: string | number,
): Promise<PeerClient> => {
  const program = new PeerProgram([...command, 'client', kind, String(where)]);
  await program.line('ready');
  return new PeerClient(program);
};

/** Starts the server of a peer and returns its endpoint. */
export const startPeerServer = async (
  command: readonly string[],
  kind: string,
  device?: string,
): Promise<string> => {
  const where = device === undefined ? [] : [device];
  const program = new PeerProgram([...command, 'server', kind, ...where]);
  const [port] = await program.line('ready');
  return device === undefined ? `${kind}:127.0.0.1:${port}` : `${kind}:${device}`;
};
