import { createSocket, type Socket } from 'node:dgram';

/** A frame in the wire format. */
export interface WireFrame {
  readonly idWord: number;
  readonly data: Buffer;
}

export interface WireDatagram {
  readonly sequence: number;
  readonly frames: readonly WireFrame[];
}

/**
 * A peer written from the format description, sharing no code with the product. It supports
 * classic frames only.
 */
export class ScriptedPeer {
  readonly #socket: Socket;
  onDatagram: (datagram: WireDatagram) => void = () => undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setRecvBufferSize(4 * 1024 * 1024);
    socket.on('message', (bytes) => this.onDatagram(parse(bytes)));
  }

  static async bind(): Promise<ScriptedPeer> {
    const socket = createSocket('udp4');
    await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
    return new ScriptedPeer(socket);
  }

  get port(): number {
    return this.#socket.address().port;
  }

  send(port: number, sequence: number, frames: readonly WireFrame[]): Promise<void> {
    const head = Buffer.alloc(5);
    head.writeUInt8(2, 0);
    head.writeUInt8(sequence & 0xff, 2);
    head.writeUInt16BE(frames.length, 3);
    const parts = frames.map(({ idWord, data }) => {
      const frame = Buffer.alloc(5);
      frame.writeUInt32BE(idWord, 0);
      frame.writeUInt8(data.length, 4);
      return Buffer.concat([frame, data]);
    });
    return new Promise((resolve, reject) => {
      this.#socket.send(Buffer.concat([head, ...parts]), port, '127.0.0.1', (error) =>
        error ? reject(error) : resolve(),
      );
    });
  }

  close(): void {
    this.#socket.close();
  }
}

const parse = (bytes: Buffer): WireDatagram => {
  if (bytes.readUInt8(0) !== 2 || bytes.readUInt8(1) !== 0) throw new RangeError('No data');
  const frames: WireFrame[] = [];
  let at = 5;
  for (let left = bytes.readUInt16BE(3); left > 0; left--) {
    const length = bytes.readUInt8(at + 4);
    frames.push({
      idWord: bytes.readUInt32BE(at),
      data: bytes.subarray(at + 5, at + 5 + length),
    });
    at += 5 + length;
  }
  if (at !== bytes.length) throw new RangeError('The datagram is longer than its frames');
  return { sequence: bytes.readUInt8(2), frames };
};
