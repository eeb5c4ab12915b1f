export type SseListener = (type: string, data: string, id: string | null) => void;

/**
 * Reads the text of a `text/event-stream`, in whatever pieces it comes. The listener gets the type,
 * the data and the id of each event; the id is that of an earlier event where it has none of its
 * own. One parser reads one connection: what an old one left unfinished is void.
 */
export class SseParser {
  readonly #listener: SseListener;
  #rest = '';
  #type = '';
  #data: string | null = null;
  #id: string | null = null;

  constructor(listener: SseListener) {
    this.#listener = listener;
  }

  push(piece: string): void {
    const text = this.#rest === '' ? piece : this.#rest + piece;
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      this.#take(text.slice(start, text[end - 1] === '\r' ? Math.max(start, end - 1) : end));
      start = end + 1;
    }
    this.#rest = text.slice(start);
  }

  #take(line: string): void {
    if (line === '') {
      this.#dispatch();
      return;
    }
    const colon = line.indexOf(':');
    // Lines that begin with a colon are comments, which keep the connection alive.
    if (colon === 0) return;
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (name === 'data') this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    else if (name === 'event') this.#type = value;
    else if (name === 'id') this.#id = value;
  }

  #dispatch(): void {
    const type = this.#type || 'message';
    const data = this.#data;
    this.#type = '';
    this.#data = null;
    if (data !== null) this.#listener(type, data, this.#id);
  }
}
