// These run inside the page: each stands alone, and knows the document.

/** What the tab key stops at although it is no control of the browser's, and that has no name: axe asks for none there. */
export const namelessStops = () =>
  [...document.querySelectorAll('[role="tree"], [role="separator"], [tabindex="0"]')]
    .filter((stop) => {
      const labels = (stop.getAttribute('aria-labelledby') ?? '').split(' ');
      const texts = labels.map((id) => document.getElementById(id)?.textContent ?? '');
      const name = [stop.getAttribute('aria-label') ?? '', ...texts, stop.textContent].join('');
      return stop.checkVisibility() && name.trim() === '';
    })
    .map((stop) => stop.outerHTML.slice(0, 160));

export const logFocus = () => {
  const stops = [];
  const take = ({ target }) => {
    // The visible control can be the label next to a hidden radio button.
    const drawn = [target, ...(target.parentElement?.children ?? [])];
    stops.push({
      name: target.getAttribute('data-testid') ?? target.textContent.trim(),
      isMarked: drawn.some((each) => {
        const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(each);
        return (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none';
      }),
      place: [...document.querySelectorAll('*')].indexOf(target),
    });
  };
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  addEventListener('focusin', take);
  return { stops, end: () => removeEventListener('focusin', take) };
};

/** What has to be scrolled sideways to see all of it, by its name. */
export const sidewaysScrollers = () =>
  [document.documentElement, ...document.body.querySelectorAll('*')]
    .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1)
    .filter(
      (each) =>
        each === document.documentElement ||
        ['auto', 'scroll'].includes(getComputedStyle(each).overflowX),
    )
    .map((each) => `${each.dataset.testid ?? each.className} ${each.scrollWidth}`);

/** The colours that lines are drawn in. */
export const strokesOf = (lines) => lines.map((line) => getComputedStyle(line).stroke);

/** How many pieces the first line of a plot is drawn in: runs of columns that have its colour, the blue one. */
export const piecesOfLine = (canvas) => {
  const { width, height } = canvas;
  const { data } = canvas.getContext('2d').getImageData(0, 0, width, height);
  const isBlue = (at) => data[at + 3] > 128 && data[at + 2] - data[at] > 80;
  const hasLine = Array.from({ length: width }, (_, x) =>
    Array.from({ length: height }, (_, y) => 4 * (y * width + x)).some(isBlue),
  );
  return hasLine.filter((isThere, x) => isThere && !hasLine[x - 1]).length;
};

/** Which lines a text is drawn with. */
export const decorationOf = (element) => getComputedStyle(element).textDecorationLine;

/** The texts that have no room in their cells. */
export const cutTexts = (cells) =>
  cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent);

/** Waits until what happened has been drawn. */
export const nextPicture = () =>
  new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => done()));
  });

/** What no version of the console would read back. */
export const rememberNonsense = () => {
  for (const storage of [localStorage, sessionStorage]) {
    storage.setItem('busbar.signals.choices', '{"a":1}');
    storage.setItem('busbar.signals.view', '"wide"');
    storage.setItem('busbar.columns.signals', '7');
  }
};

export const forgetAll = () => {
  for (const storage of [localStorage, sessionStorage]) storage.clear();
};

export const clipboardText = () => navigator.clipboard.readText();

export const storedTexts = () => ({
  local: JSON.stringify({ ...localStorage }),
  session: JSON.stringify({ ...sessionStorage }),
});

/** Addresses of all that the page has loaded so far. */
export const loadedNames = () => performance.getEntriesByType('resource').map(({ name }) => name);

/** Makes a browser of those that share no workers between pages. */
export const hideSharedWorkers = () => {
  delete globalThis.SharedWorker;
};

/** Makes all counters look like weeks of operation. */
export const showLargeCounts = () => {
  const names =
    'frames_\\w+|datagrams_\\w+|sent|matched|accepted|coalesced|' +
    'fired|injected|requests|responses|exceptions|timeouts|retries|bytes_\\w+';
  const counts = new RegExp(`"(${names})": ?\\d+`, 'g');
  const { parse } = JSON;
  JSON.parse = (text, ...rest) =>
    parse(String(text).replaceAll(counts, '"$1":1234567890'), ...rest);
};

/** What a browser passes to a page on which a file is dropped. */
export const droppedFile = ({ name, content }) => {
  const dropped = new DataTransfer();
  dropped.items.add(new File([content], name));
  return dropped;
};

/** What a user drops who drags a file into the window; the content is in base64. */
export const draggedFile = ({ name, content }) => {
  const transfer = new DataTransfer();
  const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
  transfer.items.add(new File([bytes], name));
  return transfer;
};
