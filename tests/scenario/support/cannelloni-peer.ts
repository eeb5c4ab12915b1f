import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { expect, onTestFinished } from 'vitest';
import { eventually } from '../../support/workbench.ts';

/** A frame in the wire format: flags in the identifier, followed by the bytes. */
export interface PeerFrame {
  readonly id: number;
  readonly extended?: boolean;
  readonly remote?: boolean;
  readonly error?: boolean;
  /** CAN FD, with its flag byte: 1 bit rate switch, 2 error state. */
  readonly fd?: number;
  /** Data in hex; a remote frame has a length instead. */
  readonly data?: string;
  readonly length?: number;
}

const wordOf = ({ id, extended, remote, error }: PeerFrame): number =>
  (id + (extended ? 2 ** 31 : 0) + (remote ? 2 ** 30 : 0) + (error ? 2 ** 29 : 0)) >>> 0;

export const encodeFrame = (frame: PeerFrame): Buffer => {
  const data = Buffer.from(frame.data ?? '', 'hex');
  const head = Buffer.alloc(frame.fd === undefined ? 5 : 6);
  head.writeUInt32BE(wordOf(frame), 0);
  head.writeUInt8((frame.length ?? data.length) | (frame.fd === undefined ? 0 : 0x80), 4);
  if (frame.fd !== undefined) head.writeUInt8(frame.fd, 5);
  return Buffer.concat([head, data]);
};

interface Header {
  readonly version?: number;
  readonly opcode?: number;
  readonly sequence?: number;
  readonly count?: number;
}

export const encodeDatagram = (frames: readonly PeerFrame[], header: Header = {}): Buffer => {
  const { version = 2, opcode = 0, sequence = 0, count = frames.length } = header;
  const head = Buffer.from([version, opcode, sequence, count >> 8, count & 0xff]);
  return Buffer.concat([head, ...frames.map(encodeFrame)]);
};

const decodeFrame = (bytes: Buffer, at: number): readonly [frame: PeerFrame, next: number] => {
  const word = bytes.readUInt32BE(at);
  const lengthByte = bytes.readUInt8(at + 4);
  const isFd = lengthByte >= 0x80;
  const remote = (word & 0x4000_0000) !== 0;
  const from = at + (isFd ? 6 : 5);
  const next = from + (remote ? 0 : lengthByte & 0x7f);
  const frame = {
    id: word & 0x1fff_ffff,
    extended: word >= 0x8000_0000,
    remote,
    ...(isFd && { fd: bytes.readUInt8(at + 5) }),
    data: bytes.toString('hex', from, next).toUpperCase(),
    length: lengthByte & 0x7f,
  };
  return [frame, next];
};

/** The other end of a forwarding, on its own loopback port. */
export class CannelloniPeer {
  readonly datagrams: Buffer[] = [];
  readonly #socket: Socket;
  #sequence = 0;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('message', (bytes) => this.datagrams.push(bytes));
  }

  static async open(): Promise<CannelloniPeer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    onTestFinished(() => void socket.close());
    return new CannelloniPeer(socket);
  }

  /** Address of a closed peer. */
  static async openAndClose(): Promise<{ readonly address: string }> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    const { port } = socket.address();
    socket.close();
    return { address: `127.0.0.1:${port}` };
  }

  get port(): number {
    return this.#socket.address().port;
  }

  get address(): string {
    return `127.0.0.1:${this.port}`;
  }

  /** Sends raw bytes. */
  sendRaw(to: string, bytes: Buffer): Promise<void> {
    const port = Number(to.slice(to.lastIndexOf(':') + 1));
    return new Promise((resolve, reject) => {
      this.#socket.send(bytes, port, '127.0.0.1', (error) => (error ? reject(error) : resolve()));
    });
  }

  /** Sends frames in one datagram, with the next sequence number. */
  send(to: string, ...frames: PeerFrame[]): Promise<void> {
    const sequence = this.#sequence++ & 0xff;
    return this.sendRaw(to, encodeDatagram(frames, { sequence }));
  }

  /** The frames of all datagrams so far, each of which must match the format. */
  get frames(): PeerFrame[] {
    return this.datagrams.flatMap((bytes) => {
      expect([bytes[0], bytes[1]]).toEqual([2, 0]);
      const frames: PeerFrame[] = [];
      let at = 5;
      for (let left = bytes.readUInt16BE(3); left > 0; left--) {
        const [frame, next] = decodeFrame(bytes, at);
        frames.push(frame);
        at = next;
      }
      expect(at).toBe(bytes.length);
      return frames;
    });
  }

  /** Number of received frames, as announced by the datagrams: cheap enough for polling. */
  get frameCount(): number {
    return this.datagrams.reduce((count, bytes) => count + bytes.readUInt16BE(3), 0);
  }

  get sequences(): number[] {
    return this.datagrams.map((bytes) => bytes.readUInt8(2));
  }

  async received(count: number): Promise<PeerFrame[]> {
    await eventually(() => this.frameCount >= count);
    const { frames } = this;
    expect(frames).toHaveLength(count);
    return frames;
  }
}
