const restMs = { shortest: 30, longest: 500 };
/** Drawing takes about a third of the time at most, however slow the machine is. */
const restFactor = 2;

/** Draws over and over until it is stopped, but leaves the page time for everything else. */
export const drawSteadily = (draw: () => void): (() => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let frame = 0;
  const run = (): void => {
    const start = performance.now();
    draw();
    const took = performance.now() - start;
    const rest = Math.min(restMs.longest, Math.max(restMs.shortest, restFactor * took));
    timer = setTimeout(() => {
      frame = requestAnimationFrame(run);
    }, rest);
  };
  frame = requestAnimationFrame(run);
  return () => {
    clearTimeout(timer);
    cancelAnimationFrame(frame);
  };
};
