const isControl = (byte: number): boolean => byte === 0x0d || byte === 0x0a || byte === 0x07;

/** What comes on a line beside awaited answers, while it is found out who is at its other end. */
export class Overheard {
  /** Bytes that no slcan device sends: the baud rate is another. */
  noise = 0;
  /** Lines that have the form of a frame, with a time stamp or without. */
  frames = 0;
  /** Bare ends of lines and bells: what commands and frames are answered with. */
  answers = 0;
  /** Lines that mean nothing in slcan. */
  words = 0;

  countNoise(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if ((byte < 0x20 || byte > 0x7e) && !isControl(byte)) this.noise += 1;
    }
  }
}
