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

/**
 * Notes in \`pictures\` the time of every drawn frame, the work of the page for it, and tasks
 * of more than 50 ms.
 */
export const watchPictures = `(() => {
  const watched = { at: [], work: [], long: [] };
  globalThis.pictures = watched;
  const drawn = new MessageChannel();
  let began = 0;
  drawn.port1.onmessage = () => watched.work.push(performance.now() - began);
  const next = (at) => {
    watched.at.push(at);
    began = performance.now();
    drawn.port2.postMessage(null);
    requestAnimationFrame(next);
  };
  requestAnimationFrame(next);
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) watched.long.push(duration);
  }).observe({ entryTypes: ['longtask'] });
})()`;

/** Entries since the last call. */
export const picturesSoFar = `(() => {
  const { at, work, long } = globalThis.pictures;
  return { at: at.splice(0), work: work.splice(0), long: long.splice(0) };
})()`;
