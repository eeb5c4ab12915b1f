import { setUint64 } from '../uint64.ts';
import { blockAlignment, blockHeader, linkBytes } from './mf4-layout.ts';

const encoder = new TextEncoder();

const aligned = (length: number): number => Math.ceil(length / blockAlignment) * blockAlignment;

/** A block to write. Its links are blocks of the same chain or offsets of earlier ones. */
export class Block {
  at = 0;
  readonly id: string;
  readonly links: (Block | number)[];
  readonly data: Uint8Array;

  constructor(id: string, links: readonly (Block | number)[], data: Uint8Array) {
    this.id = id;
    this.links = [...links];
    this.data = data;
  }

  get dataAt(): number {
    return this.at + blockHeader.end + linkBytes * this.links.length;
  }

  linkAt(index: number): number {
    return this.at + blockHeader.end + linkBytes * index;
  }

  get length(): number {
    return blockHeader.end + linkBytes * this.links.length + this.data.length;
  }
}

/** Blocks that are written one after another. */
export class BlockChain {
  readonly #blocks: Block[] = [];

  add(id: string, links: readonly (Block | number)[], data: Uint8Array): Block {
    const block = new Block(id, links, data);
    this.#blocks.push(block);
    return block;
  }

  /** Text is terminated by a zero, so it contains none. */
  addText(text: string): Block {
    return this.add('##TX', [], encoder.encode(`${text.replaceAll('\0', ' ')}\0`));
  }

  addMarkup(text: string): Block {
    return this.add('##MD', [], encoder.encode(`${text}\0`));
  }

  /** Returns the bytes of all blocks, of which the first is at an offset of the file. */
  bytesAt(start: number): Uint8Array {
    let end = start;
    for (const block of this.#blocks) {
      block.at = end;
      end = aligned(end + block.length);
    }
    const bytes = new Uint8Array(end - start);
    const view = new DataView(bytes.buffer);
    for (const block of this.#blocks) {
      const at = block.at - start;
      encoder.encodeInto(block.id, bytes.subarray(at));
      setUint64(view, at + blockHeader.length, block.length);
      setUint64(view, at + blockHeader.linkCount, block.links.length);
      block.links.forEach((link, index) => {
        const to = typeof link === 'number' ? link : link.at;
        setUint64(view, block.linkAt(index) - start, to);
      });
      bytes.set(block.data, block.dataAt - start);
    }
    return bytes;
  }
}

const markup: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** Replaces characters that XML does not allow, and quotes those with a meaning. */
export const markupText = (text: string): string =>
  text
    // XML does not allow these.
    .replaceAll(/[\0-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]/g, ' ')
    .replaceAll(/[&<>"]/g, (character) => markup[character] as string);
