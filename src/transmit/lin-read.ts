import type { LinReadDone, LinReadOutcome } from '../drivers/driver-channel.ts';
import type { LinFrame } from '../frame/frame.ts';
import { formatHex } from '../frame/hex-bytes.ts';
import { maxLinLength } from '../frame/lin.ts';
import type { LinResponse } from './send-record.ts';

export class LinRead {
  outcome: LinReadOutcome | undefined;
  checksum = 0;
  onDone: (() => void) | undefined;
  readonly #frame: LinFrame;
  readonly #data = new Uint8Array(maxLinLength);
  #length = 0;
  #timestampUs = 0;

  constructor(frame: LinFrame) {
    this.#frame = frame;
  }

  readonly done: LinReadDone = (outcome, timestampUs, checksum, payload, offset, length) => {
    this.outcome = outcome;
    this.checksum = checksum;
    this.#timestampUs = timestampUs;
    this.#length = length;
    for (let i = 0; i < length; i++) this.#data[i] = payload[offset + i] as number;
    this.onDone?.();
  };

  get bytes(): Uint8Array {
    return this.#data.subarray(0, this.#length);
  }

  get response(): LinResponse {
    return {
      id: this.#frame.id,
      dlc: this.#length,
      data: formatHex(this.bytes),
      checksum: this.checksum,
      checksum_model: this.#frame.checksum,
      timestamp_us: this.#timestampUs,
    };
  }
}
