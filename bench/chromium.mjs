// A browser without a test driver. Drivers observe the network of the page, which costs more
// per WebSocket frame than the page itself.
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { WebSocket } from 'ws';
import { browserProgram } from '../scripts/peers.mjs';

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--no-first-run',
  '--disable-background-networking',
  '--remote-debugging-port=0',
];

/** A DevTools protocol connection to a target or a session of it. */
class Connection {
  #socket;
  #last = 0;
  #waiting = new Map();
  onEvent = () => {};

  static async open(url) {
    const connection = new Connection();
    connection.#socket = new WebSocket(url, { maxPayload: 1 << 28 });
    connection.#socket.on('message', (text) => connection.#heard(JSON.parse(text)));
    await new Promise((done, failed) => {
      connection.#socket.once('open', done).once('error', failed);
    });
    return connection;
  }

  #heard({ id, result, error, method, params }) {
    if (method) return this.onEvent(method, params);
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting?.failed(new Error(error.message));
    else waiting?.done(result);
  }

  send(method, params = {}, sessionId = undefined) {
    const id = ++this.#last;
    this.#socket.send(JSON.stringify({ id, method, params, sessionId }));
    return new Promise((done, failed) => this.#waiting.set(id, { done, failed }));
  }

  /** Value of an expression in the page. */
  async evaluate(expression) {
    const { result, exceptionDetails } = await this.send('Runtime.evaluate', {
      expression,
      returnByValue: true,
      awaitPromise: true,
    });
    if (exceptionDetails) throw new Error(exceptionDetails.exception.description);
    return result.value;
  }

  close() {
    this.#socket.close();
  }
}

/** DevTools address of a browser that is starting. */
const endpointOf = (child) =>
  new Promise((found, failed) => {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const match = /DevTools listening on (ws:\S+)/.exec(line);
      if (match) found(match[1]);
    });
    child.once('exit', (code) => failed(new Error(`${browserProgram} ended with ${code}`)));
  });

/** Bytes in use in a session after a garbage collection: objects and buffers. */
const memoryOf = async (page, sessionId) => {
  await page.send('HeapProfiler.collectGarbage', {}, sessionId);
  const { usedSize, backingStorageSize = 0 } = await page.send(
    'Runtime.getHeapUsage',
    {},
    sessionId,
  );
  return { heap: usedSize, buffers: backingStorageSize };
};

/** The same for a worker of the page, with a temporary session. */
const workerMemory = async (page, name) => {
  const attach = (autoAttach) =>
    page.send('Target.setAutoAttach', { autoAttach, waitForDebuggerOnStart: false, flatten: true });
  const session = new Promise((found) => {
    page.onEvent = (method, { sessionId, targetInfo }) => {
      if (method === 'Target.attachedToTarget' && targetInfo.url.includes(name)) found(sessionId);
    };
  });
  await attach(true);
  const memory = await memoryOf(page, await session);
  await attach(false);
  return memory;
};

/** Opens an address in a window of the given size. */
export const openPage = async (url, { folder, width, height }) => {
  const child = spawn(
    browserProgram,
    [
      ...flags,
      `--user-data-dir=${join(folder, 'profile')}`,
      `--window-size=${width},${height}`,
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const endpoint = await endpointOf(child);
  const browser = await Connection.open(endpoint);
  const { targetInfos } = await browser.send('Target.getTargets');
  const { targetId } = targetInfos.find(({ type }) => type === 'page');
  const page = await Connection.open(endpoint.replace(/browser\/.*/, `page/${targetId}`));
  await page.send('Page.navigate', { url });
  return {
    evaluate: (expression) => page.evaluate(expression),
    /** Presses and releases the left button, like a mouse. */
    click: async (x, y) => {
      const mouse = { x, y, button: 'left', clickCount: 1 };
      await page.send('Input.dispatchMouseEvent', { type: 'mousePressed', ...mouse });
      await page.send('Input.dispatchMouseEvent', { type: 'mouseReleased', ...mouse });
    },
    /** Chooses files in an input of the page. */
    chooseFiles: async (selector, files) => {
      const { root } = await page.send('DOM.getDocument');
      const { nodeId } = await page.send('DOM.querySelector', { nodeId: root.nodeId, selector });
      await page.send('DOM.setFileInputFiles', { files, nodeId });
    },
    memory: () => memoryOf(page),
    workerMemory: (name) => workerMemory(page, name),
    processes: async () => (await browser.send('SystemInfo.getProcessInfo')).processInfo,
    close: async () => {
      const ended = new Promise((done) => {
        child.once('exit', done);
      });
      await browser.send('Browser.close').catch(() => child.kill());
      await ended;
      page.close();
      browser.close();
    },
  };
};
