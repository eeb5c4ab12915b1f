// Expressions for a page of the console that shows a file.

/** The input is hidden, and in the page before its first file. */
export const chooseNothing = `document.querySelector('[data-testid="trace-file"]').value = ''`;

/** Milliseconds until the rows of each of some random places are shown. */
export const scrollAround = (times) => `(async () => {
  const scroller = document.querySelector('[data-testid="trace-table"]');
  const first = scroller.querySelector('tbody tr');
  const shown = () =>
    new Promise((done) => {
      const observer = new MutationObserver(() => {
        observer.disconnect();
        done();
      });
      observer.observe(first, { attributes: true, attributeFilter: ['aria-rowindex'] });
    });
  const waits = [];
  for (let i = 0; i < ${times}; i++) {
    const change = shown();
    const startedAt = performance.now();
    scroller.scrollTop = Math.random() * (scroller.scrollHeight - scroller.clientHeight);
    await change;
    waits.push(performance.now() - startedAt);
  }
  return waits;
})()`;

export const filterById = (id) => `(async () => {
  const input = document.querySelector('[data-testid="trace-filter-id"]');
  const first = document.querySelector('[data-testid="trace-table"] tbody tr [data-field="id"]');
  const rows = document.querySelector('[data-testid="trace-rows"]');
  document.querySelector('[data-testid="trace-table"]').scrollTop = 0;
  const until = async (isTrue) => {
    while (!isTrue()) await new Promise(requestAnimationFrame);
    return performance.now() - startedAt;
  };
  const startedAt = performance.now();
  input.value = '${id}';
  input.dispatchEvent(new Event('input', { bubbles: true }));
  const isAll = '${id}' === '';
  const firstMs = await until(() => isAll || first.textContent === '${id}');
  await until(() => isAll !== rows.textContent.includes(' of '));
  const allMs = await until(() => !rows.hasAttribute('aria-busy'));
  await new Promise((done) => setTimeout(done, 500));
  return { firstMs, allMs, rows: rows.textContent };
})()`;

/** Milliseconds until all rows are searched by a condition. */
export const findRows = (condition) => `(async () => {
  const input = document.querySelector('[data-testid="trace-find"]');
  input.value = '${condition}';
  input.dispatchEvent(new Event('input', { bubbles: true }));
  await new Promise(requestAnimationFrame);
  const startedAt = performance.now();
  document.querySelector('[data-testid="trace-find-next"]').click();
  const outcome = () => document.querySelector('[data-testid="trace-find-outcome"]');
  while (!/ of /.test(outcome()?.textContent ?? '')) await new Promise(requestAnimationFrame);
  return { ms: performance.now() - startedAt, text: outcome().textContent };
})()`;

const waitForFrame = `const frame = () => new Promise(requestAnimationFrame);
  const until = async (find) => {
    for (;;) {
      const found = find();
      if (found) return found;
      await frame();
    }
  };`;

/** Milliseconds until a signal of the file is plotted. */
export const plotSignal = (name) => `(async () => {
  ${waitForFrame}
  location.hash = 'signals';
  const channels = await until(() => document.querySelector('[data-testid="signal-channel"]'));
  const option = await until(() => [...channels.options].find(({ text }) => text.includes('drive')));
  channels.value = option.value;
  channels.dispatchEvent(new Event('change', { bubbles: true }));
  const search = document.querySelector('[data-testid="signal-search"]');
  search.value = '${name}';
  search.dispatchEvent(new Event('input', { bubbles: true }));
  const row = await until(() => document.querySelector('[data-kind="signal"][data-name="${name}"]'));
  const startedAt = performance.now();
  row.click();
  await until(() => /d/.test(document.querySelector('tr[data-signal="${name}"] [data-field="value"]')?.textContent));
  return performance.now() - startedAt;
})()`;

/** Milliseconds from a key until the picture that shows what it did. */
export const movePlot = (times) => `(async () => {
  ${waitForFrame}
  const plot = document.querySelector('[data-testid="signal-plot"]');
  let drawn = () => {};
  const { stroke } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.stroke = function (...path) {
    drawn();
    return stroke.apply(this, path);
  };
  const waits = [];
  const keys = ['+', '-', 'ArrowLeft', 'ArrowRight'];
  for (let i = 0; i < ${times}; i++) {
    await new Promise((done) => setTimeout(done, 100));
    const picture = new Promise((done) => {
      drawn = done;
    });
    const startedAt = performance.now();
    plot.dispatchEvent(new KeyboardEvent('keydown', { key: keys[i % keys.length], bubbles: true }));
    await picture;
    await frame();
    waits.push(performance.now() - startedAt);
  }
  CanvasRenderingContext2D.prototype.stroke = stroke;
  return waits;
})()`;

/** Keeps frames in an array of objects; returns the milliseconds that it took. */
export const keepObjects = (count) => `(() => {
  const startedAt = performance.now();
  globalThis.frames = Array.from({ length: ${count} }, (_, at) => ({
    time: at / 10_000,
    channel: 1 + (at % 2),
    id: at % 2 === 0 ? 0x100 : 0x101 + (at % 199),
    flags: 0,
    dlc: 8,
    data: Uint8Array.from({ length: 8 }, (_, i) => (at * 7 + i * 13) >> (i & 3)),
  }));
  return performance.now() - startedAt;
})()`;

/** Milliseconds for what the console does by ID, by payload, and for a picture of a signal. */
export const useObjects = `(() => {
  const timed = (run) => {
    const startedAt = performance.now();
    return run() > 0 ? performance.now() - startedAt : NaN;
  };
  const { frames } = globalThis;
  return {
    filter: timed(() => frames.filter(({ id }) => id === 0x142).length),
    find: timed(() => frames.filter(({ id, data }) => id === 0x142 && data[0] === 7).length),
    plot: timed(() => {
      const columns = Array.from({ length: 1920 }, () => ({ low: Infinity, high: -Infinity }));
      const step = frames.at(-1).time / 1919;
      for (const { id, time, data } of frames) {
        if (id !== 0x100) continue;
        const value = data[0] + 256 * data[1];
        const column = columns[Math.floor(time / step)];
        column.low = Math.min(column.low, value);
        column.high = Math.max(column.high, value);
      }
      return columns.length;
    }),
  };
})()`;
