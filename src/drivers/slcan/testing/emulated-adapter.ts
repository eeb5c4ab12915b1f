import type { EmulatedBus, EmulatedNode, FrameLine } from './emulated-bus.ts';

/** Behaviours of adapters, as described in their makers' documents. */
export interface Dialect {
  readonly acknowledges: boolean;
  readonly fd: boolean;
  /** Response to `V`; none if undefined. */
  readonly version: string | undefined;
  readonly hasSerial: boolean;
  /** Supported modes of `Z`. */
  readonly stamps: string;
  readonly controller: string | undefined;
  readonly customTiming: RegExp | undefined;
  /** Supports `L`. */
  readonly listens: boolean;
  /** Reports changes of its controller's state. */
  readonly reportsState: boolean;
}

export const dialects = {
  lawicel: {
    acknowledges: true,
    fd: false,
    version: 'V1013',
    hasSerial: true,
    stamps: '01',
    controller: undefined,
    customTiming: /^s[0-9A-F]{4}$/,
    listens: true,
    reportsState: false,
  },
  fd: {
    acknowledges: true,
    fd: true,
    version: 'V2010',
    hasSerial: true,
    stamps: '012',
    controller: 'I30A0',
    customTiming: /^[sy][0-9A-F]{8}$/,
    listens: true,
    reportsState: true,
  },
  canable: {
    acknowledges: false,
    fd: false,
    version: undefined,
    hasSerial: false,
    stamps: '',
    controller: undefined,
    customTiming: undefined,
    listens: false,
    reportsState: false,
  },
  canable2: {
    acknowledges: false,
    fd: true,
    version: 'b158aa7 github.com/normaldotcom/canable2.git',
    hasSerial: false,
    stamps: '',
    controller: undefined,
    customTiming: undefined,
    listens: false,
    reportsState: false,
  },
} as const satisfies Record<string, Dialect>;

export interface AdapterOptions {
  readonly dialect: Dialect;
  readonly bus: EmulatedBus;
  readonly serial: string;
  readonly write: (text: string) => void;
  readonly nowUs: () => number;
}

const fdLengths = [0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24, 32, 48, 64];
const bell = '\x07';

/** An slcan adapter from its host's point of view: characters in, characters out. */
export class EmulatedAdapter implements EmulatedNode {
  readonly #options: AdapterOptions;
  readonly #set = { nominal: 'S6', data: 'Y2', stamp: '0' };
  #line = '';
  #mode: 'closed' | 'open' | 'listening' = 'closed';
  /** Commands in the order of arrival. */
  readonly commands: string[] = [];
  /** Commands received while it hung. */
  readonly ignored: string[] = [];
  /** Bits of the response to the next `F`. */
  status = 0;
  /** Number of frames still to reject. */
  refusals = 0;
  /** Does not respond at all, as if it hung. */
  isHung = false;

  constructor(options: AdapterOptions) {
    this.#options = options;
    options.bus.join(this);
  }

  get rates(): EmulatedNode['rates'] {
    return this.#mode === 'closed' ? undefined : this.#set;
  }

  receive(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte !== 0x0d) this.#line += String.fromCharCode(byte);
      else {
        const line = this.#line;
        this.#line = '';
        if (this.isHung) this.ignored.push(line);
        else this.#obey(line);
      }
    }
  }

  /** Unplugged, or without power. */
  remove(): void {
    this.#mode = 'closed';
    this.#options.bus.leave(this);
  }

  hear(frame: FrameLine): void {
    if (this.#mode !== 'closed') this.say(`${frame}${this.#stamp()}\r`);
  }

  /** Sends something unrequested. */
  say(text: string): void {
    if (!this.isHung) this.#options.write(text);
  }

  #stamp(): string {
    const { stamp } = this.#set;
    if (stamp === '0') return '';
    const us = Math.floor(this.#options.nowUs());
    const [value, digits] = stamp === '1' ? [Math.floor(us / 1000) % 60_000, 4] : [us % 3.6e9, 8];
    return value.toString(16).toUpperCase().padStart(digits, '0');
  }

  #answer(isGood: boolean, text = ''): void {
    if (!this.#options.dialect.acknowledges) {
      if (isGood && text !== '') this.say(`${text}\r`);
      return;
    }
    this.say(isGood ? `${text}\r` : bell);
  }

  #obey(line: string): void {
    this.commands.push(line);
    const { dialect } = this.#options;
    const isClosed = this.#mode === 'closed';
    const settings: Record<string, RegExp | undefined> = {
      S: /^S[0-8]$/,
      s: dialect.customTiming,
      Y: dialect.fd ? /^Y[012458]$/ : undefined,
      y: dialect.fd ? dialect.customTiming : undefined,
      Z: dialect.stamps === '' ? undefined : new RegExp(`^Z[${dialect.stamps}]$`),
    };
    const letter = line[0] ?? '';
    if (letter in settings)
      this.#configure(line, isClosed && settings[letter]?.test(line) === true);
    else if (line === 'C') {
      this.#mode = 'closed';
      this.#answer(!isClosed);
    } else if (line === 'O' || line === 'L') this.#open(line);
    else if (line === 'V') this.#answer(dialect.version !== undefined, dialect.version);
    else if (line === 'N') this.#answer(dialect.hasSerial, `N${this.#options.serial}`);
    else if (line === 'I') this.#answer(dialect.controller !== undefined, dialect.controller);
    else if (line === 'F') this.#answerStatus(!isClosed);
    else this.#transmit(line);
  }

  #answerStatus(isOpen: boolean): void {
    const bits = this.status.toString(16).toUpperCase().padStart(2, '0');
    this.#answer(isOpen, `F${bits}`);
    this.status = 0;
  }

  #configure(line: string, isGood: boolean): void {
    if (isGood && /^[Ss]/.test(line)) this.#set.nominal = line;
    if (isGood && /^[Yy]/.test(line)) this.#set.data = line;
    if (isGood && line.startsWith('Z')) this.#set.stamp = line.slice(1);
    this.#answer(isGood);
  }

  #open(line: string): void {
    const isGood = this.#mode === 'closed' && (line === 'O' || this.#options.dialect.listens);
    if (isGood) this.#mode = line === 'O' ? 'open' : 'listening';
    this.#answer(isGood);
  }

  #transmit(line: string): void {
    const isGood = this.#mode === 'open' && this.#isFrame(line) && this.refusals === 0;
    if (this.refusals > 0) this.refusals -= 1;
    if (isGood) this.#options.bus.send(this, line);
    if (!isGood) this.#answer(false);
    else if (this.#options.dialect.acknowledges) this.say(/^[a-z]/.test(line) ? 'z\r' : 'Z\r');
  }

  #isFrame(line: string): boolean {
    const { fd } = this.#options.dialect;
    const match =
      /^(?:([trdb])[0-7][0-9A-F]{2}|([TRDB])[01][0-9A-F]{7})([0-9A-F])((?:[0-9A-F]{2})*)$/.exec(
        line,
      );
    if (!match) return false;
    const letter = (match[1] ?? match[2] ?? '').toLowerCase();
    const dlc = Number.parseInt(match[3] as string, 16);
    const length = (match[4] as string).length / 2;
    if (letter === 'r') return length === 0;
    if (letter === 't') return dlc <= 8 && length === dlc;
    return fd && length === fdLengths[dlc];
  }
}
