// Greedy clients in a separate process, until they are stopped. Usage: node greedy.mjs
// <host:port> <connections> <path> <mode>, with the modes pipeline: 1,000 requests together on
// each connection, no response is read; drain: the same repeatedly, all responses are read;
// ask: one request after the other; chunks: bodies of 60,000 bytes repeatedly, one byte per
// chunk.
import { createConnection } from 'node:net';

const [listen, connections, path, mode] = process.argv.slice(2);
const [host, port] = listen.split(':');
const pipelined = mode === 'ask' || mode === 'chunks' ? 1 : 1000;
const head = `HTTP/1.1\r\nHost: ${listen}\r\n`;
const requests = {
  GET: `GET ${path} ${head}\r\n`,
  POST: `POST ${path} ${head}Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(60_000)}0\r\n\r\n`,
};
const request = mode === 'chunks' ? requests.POST : requests.GET;
const burst = Buffer.from(request.repeat(pipelined), 'latin1');

/** Counts responses with a length or in chunks, without storing them. */
class Answers {
  count = 0;
  refused = 0;
  #line = '';
  #isChunked = false;
  /** Expected next: header lines, a chunk size, or a number of bytes. */
  #state = 'head';
  #left = 0;

  take(bytes) {
    for (let at = 0; at < bytes.length; ) {
      if (this.#left > 0) {
        const length = Math.min(this.#left, bytes.length - at);
        this.#left -= length;
        at += length;
        if (this.#left === 0 && !this.#isChunked) this.#state = 'head';
        continue;
      }
      const end = bytes.indexOf(0x0a, at);
      this.#line += bytes.toString('latin1', at, end < 0 ? bytes.length : end);
      if (end < 0) return;
      at = end + 1;
      this.#takeLine(this.#line.trim());
      this.#line = '';
    }
  }

  #takeLine(line) {
    if (this.#state === 'size') {
      // The data and the line end after it.
      this.#left = Number.parseInt(line, 16) + 2;
      if (this.#left > 2) return;
      this.#isChunked = false;
      return;
    }
    if (line.startsWith('HTTP/')) {
      this.count++;
      this.#length = 0;
      this.#isChunked = false;
      // A request of blanks is rejected.
      if (!line.includes(mode === 'chunks' ? ' 400 ' : ' 200 ')) this.refused++;
    }
    const length = /^content-length: (\d+)/i.exec(line)?.[1];
    if (length) this.#length = Number(length);
    if (/^transfer-encoding: chunked/i.test(line)) this.#isChunked = true;
    if (line !== '') return;
    this.#left = this.#length;
    if (this.#isChunked) this.#state = 'size';
    else if (this.#left > 0) this.#state = 'body';
  }

  #length = 0;

  get isBetween() {
    return this.#state === 'head' && this.#line === '' && this.#left === 0;
  }
}

const clients = Array.from({ length: Number(connections) }, () => {
  const answers = new Answers();
  const socket = createConnection(Number(port), host);
  let asked = 0;
  const ask = () => {
    asked += pipelined;
    socket.write(burst);
  };
  socket.on('error', () => {});
  socket.on('connect', ask);
  if (mode === 'pipeline') socket.pause();
  else {
    socket.on('data', (bytes) => {
      answers.take(bytes);
      if (answers.count === asked && answers.isBetween) ask();
    });
  }
  return { answers, socket };
});

await Promise.all(clients.map(({ socket }) => new Promise((done) => socket.once('connect', done))));
process.send('connected');
process.once('message', () => {
  const sum = (name) => clients.reduce((total, { answers }) => total + answers[name], 0);
  process.send({ answers: sum('count'), refused: sum('refused') });
  for (const { socket } of clients) socket.destroy();
  process.disconnect();
});
