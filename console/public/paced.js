const restMs = { shortest: 100, longest: 1000 };
/** Drawing takes about a third of the time at most, however slow the machine is. */
const restFactor = 2;

const restAfter = (ms) => Math.min(Math.max(restMs.shortest, restFactor * ms), restMs.longest);

/**
 * Runs `draw` soon after it was requested, but no more than ten times a second and never so often
 * that the page has time for nothing else. A `draw` that answers true is run again unasked.
 */
export const paced = (draw) => {
  let isPending = false;
  let isResting = false;

  const run = () => {
    const start = performance.now();
    isPending = draw();
    isResting = true;
    // A task after the frame comes when the browser has laid out and painted as well.
    setTimeout(() => setTimeout(wake, restAfter(performance.now() - start)));
  };

  const wake = () => {
    isResting = false;
    if (isPending) requestAnimationFrame(run);
  };

  const request = () => {
    if (isPending) return;
    isPending = true;
    if (!isResting) requestAnimationFrame(run);
  };

  return { request };
};
