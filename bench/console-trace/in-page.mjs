// Expressions for the trace page of the console.

export const isLive = `document.querySelector('[data-testid="trace-status"]')?.dataset.state === 'live'`;

export const hasRows = `document.querySelector('[data-testid="trace-table"] tbody tr') !== null`;

/**
 * Counts in `traceUpdates` how often the newest row gets another time. The page writes only
 * before the screen is drawn, so each is an update; polling every screen frame would load the
 * page itself.
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

/** State of the stream as shown by the page, all at one moment. */
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
