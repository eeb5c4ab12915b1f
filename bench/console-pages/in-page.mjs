// Expressions for any page of the console.

/** Time of the first paint in milliseconds since the navigation; null before. */
export const firstPaint = `performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null`;

/** Whether all visible parts show data of the service, and since when. */
export const answeredAt = `(() => {
  const isLive = document.querySelector('[data-testid="connection"]')?.textContent.includes('Live');
  const awaited = [...document.querySelectorAll('[aria-busy]')].filter((each) => each.checkVisibility());
  const isShown = document.querySelector('.page[data-page]') !== null;
  return isLive && isShown && awaited.length === 0 ? performance.now() : null;
})()`;

/** Where to click: the first of the elements, or one after the other of the first two. */
export const centreOf = (selector, index) => `(() => {
  const found = [...document.querySelectorAll('${selector}')].filter((each) => each.checkVisibility());
  const { x, y, width, height } = found[${index} % Math.min(2, found.length)].getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
})()`;

/**
 * Notes in "clicks" how long after each click the attribute of an element has changed and is
 * drawn: until the page has finished that frame, or until it was on the screen if the browser
 * reports that.
 */
export const watchClicks = (selector, attribute) => `(() => {
  globalThis.clicks = [];
  let click = null;
  const drawn = new MessageChannel();
  drawn.port1.onmessage = () => {
    click.ms = performance.now() - click.at;
    globalThis.clicks.push(click);
    click = null;
  };
  const attend = ({ timeStamp }) => { click = { at: timeStamp, ms: 0, isSeen: false }; };
  addEventListener('click', attend, { capture: true });
  const seen = () => {
    if (click === null || click.isSeen) return;
    click.isSeen = true;
    requestAnimationFrame(() => drawn.port2.postMessage(null));
  };
  const changes = new MutationObserver((records) => {
    if (records.some(({ target }) => target.matches('${selector}'))) seen();
  });
  changes.observe(document.body, { subtree: true, attributeFilter: ['${attribute}'] });
  const shown = new PerformanceObserver((list) => {
    for (const { name, startTime, duration } of list.getEntries()) {
      const found = name === 'click' && globalThis.clicks.find(({ at }) => Math.abs(at - startTime) < 1);
      if (found) found.ms = Math.max(found.ms, duration);
    }
  });
  shown.observe({ type: 'event', durationThreshold: 16 });
  globalThis.endClicks?.();
  globalThis.endClicks = () => {
    removeEventListener('click', attend, { capture: true });
    changes.disconnect();
    shown.disconnect();
  };
})()`;

/** Milliseconds of each click. */
export const clicksSoFar = 'globalThis.clicks.map(({ ms }) => ms)';
