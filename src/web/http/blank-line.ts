const carriageReturn = 0x0d;
const lineFeed = 0x0a;

/** What stands right before the byte that comes next. */
type Position = 'between_messages' | 'in_line' | 'line_end' | 'line_end_cr';

/**
 * Looks for the blank line that ends the head of an HTTP message: beside the end of a body, the only
 * place where another message can begin. A line may end in a bare line feed. Blank lines before a
 * message are a part of it.
 *
 *                     other            LF               CR
 *   between_messages ───────▶ in_line ──────▶ line_end ──────▶ line_end_cr
 *          ▲                     ▲             │    │            │    │
 *          │                     │    other    │    │ other, CR  │    │
 *          │                     └─────────────┴────┼────────────┘    │
 *          └───── LF: the blank line ───────────────┴─────────────────┘
 */
export class BlankLine {
  #position: Position = 'between_messages';

  /** Where the first blank line ends; as far as the bytes go if there is none. */
  endIn(bytes: Uint8Array): number {
    let at = 0;
    while (at < bytes.length) {
      if (this.#position === 'in_line') {
        const end = bytes.indexOf(lineFeed, at);
        if (end < 0) return bytes.length;
        this.#position = 'line_end';
        at = end + 1;
        continue;
      }
      const byte = bytes[at++];
      if (this.#position === 'between_messages') {
        if (byte !== carriageReturn && byte !== lineFeed) this.#position = 'in_line';
      } else if (byte === lineFeed) {
        this.#position = 'between_messages';
        return at;
      } else {
        const isReturn = byte === carriageReturn && this.#position === 'line_end';
        this.#position = isReturn ? 'line_end_cr' : 'in_line';
      }
    }
    return at;
  }
}
