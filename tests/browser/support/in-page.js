// These run inside the page: each stands alone, and knows the document.

/** Controls in sight without a name for assistive technology. */
export const namelessControls = () => {
  const controls =
    'button, input, select, textarea, a[href], summary, [role="tree"], [role="separator"], [tabindex="0"]';
  const textOf = (ids) =>
    (ids ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' ');
  const nameOf = (control) =>
    [
      control.getAttribute('aria-label') ?? '',
      textOf(control.getAttribute('aria-labelledby')),
      ...[...(control.labels ?? [])].map((label) => label.textContent),
      control.matches('input, select, textarea') ? '' : control.textContent,
    ]
      .join(' ')
      .trim();
  return [...document.querySelectorAll(controls)]
    .filter((control) => control.checkVisibility() && nameOf(control) === '')
    .map((control) => control.outerHTML.slice(0, 160));
};

/** Texts in sight that stand out less than wanted from what is behind them, with their contrast. */
export const faintTexts = (wanted) => {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  const read = (css) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, below) => [
    ...[0, 1, 2].map((at) => top[at] * top[3] + below[at] * (1 - top[3])),
    1,
  ];
  const behind = (element) => {
    const layers = [];
    for (let each = element; each; each = each.parentElement) {
      layers.push(read(getComputedStyle(each).backgroundColor));
      if (layers.at(-1)[3] === 1) break;
    }
    return layers.reduceRight((below, top) => over(top, below), read('Canvas'));
  };
  const light = (colour) => {
    const [r, g, b] = colour.map((value) =>
      value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    );
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const opacityOf = (element) =>
    element ? Number(getComputedStyle(element).opacity) * opacityOf(element.parentElement) : 1;
  const contrast = (element) => {
    const below = behind(element);
    const [r, g, b, a] = read(getComputedStyle(element).color);
    const text = over([r, g, b, a * opacityOf(element)], below);
    const [high, low] = [light(text), light(below)].sort((one, other) => other - one);
    return (high + 0.05) / (low + 0.05);
  };
  const hasText = (element) =>
    [...element.childNodes].some(
      (node) => node.nodeType === Node.TEXT_NODE && node.textContent.trim() !== '',
    );
  // What cannot be used need not stand out.
  const isExempt = (element) =>
    element.closest(':disabled, script, style, datalist, option, .skip') !== null;
  return [...document.body.querySelectorAll('*')]
    .filter((each) => hasText(each) && each.checkVisibility() && !isExempt(each))
    .map((each) => ({ each, ratio: contrast(each) }))
    .filter(({ ratio }) => ratio < wanted)
    .map(({ each, ratio }) => `${ratio.toFixed(2)} ${each.outerHTML.slice(0, 160)}`);
};

/** Begins at the top of the page and notes from then on whatever gets the focus. */
export const logFocus = () => {
  const stops = [];
  const take = ({ target }) => {
    // What looks like a button can be drawn by the text beside a hidden radio button.
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

/** Makes all that the page is told look as if it had run for weeks. */
export const showLargeCounts = () => {
  const names =
    'frames_\\w+|datagrams_\\w+|sent|matched|accepted|coalesced|' +
    'fired|injected|requests|responses|exceptions|timeouts|retries|bytes_\\w+';
  const counts = new RegExp(`"(${names})": ?\\d+`, 'g');
  const { parse } = JSON;
  JSON.parse = (text, ...rest) =>
    parse(String(text).replaceAll(counts, '"$1":1234567890'), ...rest);
};
