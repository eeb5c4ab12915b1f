import type { TraceBatch } from '../trace-batch.ts';
import type { ByteSource, OpenTrace, TraceAccount, TraceReader } from '../trace-format.ts';
import { BlfAccount } from './blf-account.ts';
import { compression, container, objectType } from './blf-layout.ts';
import { ByteWindow } from './byte-window.ts';
import { readChannelName } from './channel-names.ts';
import { decodeObject } from './decode-object.ts';
import { readFileHeader } from './file-header.ts';
import { FileWindow } from './file-window.ts';
import { inflateContainer, isPlausible } from './inflate-container.ts';
import { EventRows, outcome } from './object-event.ts';
import { ObjectScanner } from './object-scanner.ts';

/** Room for two containers of the usual size. */
const streamBytes = 0x4_0000;

/**
 * Reads BLF: objects in containers, which may begin in one and end in the next, and objects that
 * stand outside. Memory is bounded by the largest container that is accepted.
 */
class BlfReader implements TraceReader {
  readonly format = 'blf';
  readonly startUnixUs: number | null;
  readonly channelNames = new Map<number, string>();
  readonly #account = new BlfAccount();
  readonly #file: FileWindow;
  /** Objects of the file itself, most of them containers. */
  readonly #outer: ObjectScanner;
  /** Objects in the contents of all containers. */
  readonly #inner = new ObjectScanner(new ByteWindow(streamBytes), this.#account);
  /** The outer object at hand is a container whose data go over as they come. */
  #isPlain = false;
  /** The container before did not give all its contents. */
  #hasHole = false;
  #isOver = false;

  constructor(source: ByteSource) {
    this.#file = new FileWindow(source);
    this.startUnixUs = readFileHeader(this.#file);
    this.#outer = new ObjectScanner(this.#file.window, this.#account);
  }

  get position(): number {
    return this.#file.position;
  }

  get account(): TraceAccount {
    return this.#account;
  }

  read(batch: TraceBatch): boolean {
    batch.clear();
    const inner = this.#inner;
    const rows = new EventRows(batch);
    while (!batch.isFull) {
      if (inner.next()) this.#take(inner, rows);
      else if (!this.#advance(rows)) break;
    }
    this.#account.events += batch.count;
    return batch.count > 0;
  }

  #take(object: ObjectScanner, rows: EventRows): void {
    switch (decodeObject(object, rows)) {
      case outcome.event:
        break;
      case outcome.passed:
        this.#account.pass(object.type);
        if (object.type === objectType.appText) readChannelName(object, this.channelNames);
        break;
      case outcome.request:
        this.#account.passRequest();
        break;
      case outcome.tooShort:
        object.flaw(`An event of type ${object.type} has only ${object.size} bytes`);
        break;
      case outcome.badLength:
        object.flaw(`An event of type ${object.type} has a length that no frame has`);
    }
  }

  /** Takes the next object of the file, or more of the container at hand; false at the end. */
  #advance(rows: EventRows): boolean {
    if (this.#isOver) return false;
    if (this.#isPlain) {
      this.#isPlain = this.#movePlain();
      return true;
    }
    while (!this.#outer.next()) {
      if (!this.#file.more()) return this.#finish();
    }
    if (this.#outer.type === objectType.logContainer) this.#enter();
    else this.#take(this.#outer, rows);
    return true;
  }

  #finish(): false {
    this.#isOver = true;
    this.#outer.finish();
    if (this.#hasHole) this.#inner.interrupt();
    this.#inner.finish();
    return false;
  }

  #enter(): void {
    const outer = this.#outer;
    const { view } = outer.window;
    const body = outer.at + outer.headerSize;
    const method = view.getUint16(body + container.method, true);
    const claimed = view.getUint32(body + container.uncompressedSize, true);
    const head = outer.headerSize + container.data;
    this.#inner.containerAt = outer.window.offsetOf(outer.at);
    if (method === compression.none) {
      outer.use(head);
      this.#isPlain = true;
    } else if (method !== compression.zlib) {
      this.#distrust(`A container is compressed by a method ${method} that is not known`);
    } else if (claimed > 0 && !isPlausible(outer.size - head, claimed)) {
      this.#distrust(`A container of ${outer.size} bytes claims to hold ${claimed}`);
    } else if (claimed > 0) {
      outer.use(head);
      this.#inflate(claimed);
    }
  }

  #inflate(claimed: number): void {
    const outer = this.#outer;
    const { window } = outer;
    const isWhole = this.#file.fill(outer.left);
    const count = Math.min(outer.left, window.available);
    const contents = inflateContainer(
      window.bytes.subarray(window.start, window.start + count),
      claimed,
    );
    if (contents === undefined) {
      this.#lose(
        `The contents of a container cannot be inflated to the ${claimed} bytes it claims`,
      );
    } else {
      this.#give(contents);
      if (isWhole && contents.length < claimed) {
        this.#lose(`A container holds ${contents.length} bytes where it claims ${claimed}`);
      }
    }
    outer.use(count);
  }

  /** Hands over what has come of a container that is not compressed; false once that is all. */
  #movePlain(): boolean {
    const outer = this.#outer;
    const { window } = outer;
    if (outer.left > 0 && window.available === 0 && !this.#file.more()) return false;
    const count = Math.min(outer.left, window.available);
    this.#give(window.bytes.subarray(window.start, window.start + count));
    outer.use(count);
    return outer.left > 0;
  }

  #give(contents: Uint8Array): void {
    if (this.#hasHole) this.#inner.interrupt();
    this.#hasHole = false;
    this.#inner.window.append(contents);
  }

  #distrust(message: string): void {
    this.#outer.distrust(message);
    this.#hasHole = true;
  }

  #lose(message: string): void {
    this.#inner.flaw(message);
    this.#hasHole = true;
  }
}

/** Reads a BLF file. */
export const readBlf: OpenTrace = (source) => new BlfReader(source);
