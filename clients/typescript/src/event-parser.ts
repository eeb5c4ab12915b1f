/** An event with its data. An event without a name only advances the last id. */
export interface ServerSentEvent {
  readonly name: string | null;
  readonly data: string;
  readonly lastId: string | null;
}

/** Parses `text/event-stream` chunks that may end anywhere. */
export class EventParser {
  #rest = '';
  #name = '';
  #data: string | null = null;
  #lastId: string | null = null;
  #hasId = false;

  feed(piece: string): ServerSentEvent[] {
    const text = this.#rest === '' ? piece : this.#rest + piece;
    const events: ServerSentEvent[] = [];
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = text.slice(start, text[end - 1] === '\r' ? Math.max(start, end - 1) : end);
      start = end + 1;
      if (line !== '') this.#take(line);
      else if (this.#data !== null || this.#hasId) events.push(this.#end());
      else this.#name = '';
    }
    this.#rest = text.slice(start);
    return events;
  }

  #take(line: string): void {
    const colon = line.indexOf(':');
    // Lines that start with a colon are comments, which keep the connection alive.
    if (colon === 0) return;
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data = this.#data === null ? value : `${this.#data}\n${value}`;
    else if (field === 'id' && !value.includes('\0')) {
      this.#lastId = value;
      this.#hasId = true;
    }
  }

  #end(): ServerSentEvent {
    const name = this.#data === null ? null : this.#name || 'message';
    const event = { name, data: this.#data ?? '', lastId: this.#lastId };
    this.#name = '';
    this.#data = null;
    this.#hasId = false;
    return event;
  }
}
