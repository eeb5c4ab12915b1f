/**
 * Time between two pictures of data that streams: a reader needs no more, and drawing costs far
 * more than receiving what is drawn.
 */
export const pictureMs = 100;

/**
 * Time that a picture waits for one that a caller with its own rate requests: one frame of the
 * screen costs less than two.
 */
const joinMs = 30;

/** Answers to an input are drawn without delay for this time. */
const inputMs = 100;
/** Limits drawing to about a third of the time, even on a slow machine. */
const restFactor = 2;
const maxRestMs = 500;

type Draw = () => void;

interface PictureClock {
  readonly now: () => number;
  readonly later: (run: () => void, ms: number) => () => void;
  /** Calls back before the next frame of the screen. */
  readonly beforeFrame: (run: () => void) => void;
}

/**
 * Draws all that data of streams changes in common animation frames, so that the browser paints
 * once for all of it.
 *
 *          ┌───────────────── everything drawn ◄──────────────────┐
 *          ▼                                                      │
 *   idle ──┴─ request ──► waiting ──── picture due ─────► before the next frame
 *                            ├───────── input ──────────► before the frame after it
 *                            └── paced by its caller ────► before the next frame
 */
export class Pictures {
  readonly #clock: PictureClock;
  #wanted = new Set<Draw>();
  #drawing: Set<Draw> | null = null;
  #stopWaiting: (() => void) | null = null;
  #isFrameDue = false;
  #isJoined = false;
  #start = 0;
  #notBefore = Number.NEGATIVE_INFINITY;
  #inputUntil = Number.NEGATIVE_INFINITY;

  constructor(clock: PictureClock) {
    this.#clock = clock;
  }

  /** Calls `draw` once, in the next picture. Returns a function that prevents it. */
  request(draw: Draw): () => void {
    this.#wanted.add(draw);
    this.#schedule();
    return () => this.#wanted.delete(draw);
  }

  /**
   * Calls `draw` in the next frame, with all that waits, or at the end of the picture that is being
   * drawn. For callers that limit their rate.
   */
  join(draw: Draw): () => void {
    const drawing = this.#drawing;
    if (drawing) {
      drawing.add(draw);
      return () => drawing.delete(draw);
    }
    this.#wanted.add(draw);
    this.#isJoined = true;
    if (!this.#isFrameDue) this.#frame();
    return () => this.#wanted.delete(draw);
  }

  /** An input: what waits is drawn in the frame after the one that shows its direct effect. */
  hurry(): void {
    this.#inputUntil = this.#clock.now() + inputMs;
    if (!this.#stopWaiting) return;
    this.#stopWaiting();
    this.#stopWaiting = null;
    this.#isFrameDue = true;
    this.#clock.beforeFrame(() => this.#clock.beforeFrame(this.#draw));
  }

  #schedule(): void {
    if (this.#isFrameDue || this.#stopWaiting) return;
    const now = this.#clock.now();
    const restMs = now < this.#inputUntil ? 0 : this.#notBefore - now;
    if (restMs <= 0) this.#frame();
    else this.#stopWaiting = this.#clock.later(this.#frame, restMs);
  }

  readonly #frame = (): void => {
    this.#stopWaiting?.();
    this.#stopWaiting = null;
    this.#isFrameDue = true;
    this.#clock.beforeFrame(this.#draw);
  };

  readonly #draw = (): void => {
    this.#start = this.#clock.now();
    const draws = this.#wanted;
    this.#wanted = new Set();
    const isJoined = this.#isJoined;
    this.#isJoined = false;
    // What was drawn is rendered and laid out before the next task.
    this.#clock.later(() => this.#end(isJoined ? joinMs : 0), 0);
    this.#drawing = draws;
    try {
      for (const draw of draws) {
        draws.delete(draw);
        draw();
      }
    } finally {
      this.#drawing = null;
      for (const draw of draws) this.#wanted.add(draw);
    }
  };

  #end(waitMs: number): void {
    const tookMs = this.#clock.now() - this.#start;
    const restMs = Math.max(pictureMs + waitMs, restFactor * tookMs);
    this.#notBefore = this.#start + Math.min(maxRestMs, restMs);
    this.#isFrameDue = false;
    if (this.#isJoined) this.#frame();
    else if (this.#wanted.size > 0) this.#schedule();
  }
}

export const pictures = new Pictures({
  now: () => performance.now(),
  later: (run, ms) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
  beforeFrame: (run) => requestAnimationFrame(run),
});

const inputs = ['pointerdown', 'pointerup', 'click', 'keydown', 'input', 'wheel'];

/** Draws the effects of an input without delay. */
export const hurryOnInput = (): void => {
  const hurry = (): void => pictures.hurry();
  for (const type of inputs) addEventListener(type, hurry, { capture: true, passive: true });
  const drag = ({ buttons }: PointerEvent): void => {
    if (buttons !== 0) hurry();
  };
  addEventListener('pointermove', drag, { capture: true, passive: true });
};
