/** An event with its data. Without a name it only moves the last id along. */
export interface ServerSentEvent {
  readonly name: string | null;
  readonly data: string;
  readonly lastId: string | null;
}

/** Reads server-sent events, as the HTML standard lays them out, from texts cut anywhere. */
export class EventParser {
  #rest = '';
  #name = '';
  #data: string[] = [];
  #lastId: string | null = null;
  #hasId = false;

  /** Takes a piece of text and gives the events that it completes. */
  feed(text: string): ServerSentEvent[] {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    return lines.flatMap((line) => this.#take(line.endsWith('\r') ? line.slice(0, -1) : line));
  }

  #take(line: string): ServerSentEvent[] {
    if (line === '') return this.#end();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.#name = value;
    else if (field === 'data') this.#data.push(value);
    else if (field === 'id' && !value.includes('\0')) {
      this.#lastId = value;
      this.#hasId = true;
    }
    return [];
  }

  #end(): ServerSentEvent[] {
    const isTold = this.#data.length > 0 || this.#hasId;
    const name = this.#data.length > 0 ? this.#name || 'message' : null;
    const event = { name, data: this.#data.join('\n'), lastId: this.#lastId };
    this.#name = '';
    this.#data = [];
    this.#hasId = false;
    return isTold ? [event] : [];
  }
}
