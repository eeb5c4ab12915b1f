// Expressions for the page of the console that shows the trace.

export const isLive = `document.querySelector('[data-testid="trace-status"]')?.dataset.state === 'live'`;

/** Whether there are rows to watch. */
export const hasRows = `document.querySelector('[data-testid="trace-table"] tbody tr') !== null`;

/**
 * Counts in `traceUpdates` how often the newest row gets another time. The page writes only when the
 * screen is about to be drawn, so each is a picture; to look at every frame of the screen instead
 * would keep it busy on its own.
 */
export const watchUpdates = `(() => {
  const rows = document.querySelectorAll('[data-testid="trace-table"] tbody tr:not([hidden])');
  const cell = rows[rows.length - 1].querySelector('[data-field="time"]');
  globalThis.traceUpdates = 0;
  new MutationObserver(() => globalThis.traceUpdates++).observe(cell, {
    characterData: true,
    childList: true,
    subtree: true,
  });
})()`;

/** What the page says about its stream, all of it at the same moment. */
export const traceFigures = `(() => {
  const text = (id) => document.querySelector('[data-testid="' + id + '"]').textContent;
  const number = (id) => Number(text(id).replace(/[^0-9.]/g, ''));
  return {
    cursor: number('ws-cursor'),
    received: number('ws-received'),
    kept: number('ws-kept'),
    missing: text('ws-missing'),
    gaps: Number(document.querySelector('[data-testid="trace-gaps"]').dataset.gaps),
    updates: globalThis.traceUpdates,
  };
})()`;
