import { type View, zoomed } from './viewport.ts';

interface Target {
  readonly view: () => View;
  readonly move: (view: View) => void;
}

const zoomOf = (deltaY: number): number => Math.exp(-deltaY / 240);
/** A press that moves further is a drag, not a click. */
const clickPx = 4;

interface Pointer {
  readonly x: number;
  readonly y: number;
}

const middle = (fingers: readonly Pointer[]): Pointer => ({
  x: fingers.reduce((sum, { x }) => sum + x, 0) / fingers.length,
  y: fingers.reduce((sum, { y }) => sum + y, 0) / fingers.length,
});

const apart = ([one, other]: readonly Pointer[]): number =>
  one && other ? Math.hypot(one.x - other.x, one.y - other.y) : 0;

/**
 * Pans and zooms a diagram: drag with one pointer, pinch with two, wheel, and Ctrl with the
 * wheel. Returns a function to stop.
 */
export const followGestures = (place: HTMLElement, { view, move }: Target): (() => void) => {
  const fingers = new Map<number, Pointer>();
  let isDragging = false;
  const at = ({ clientX, clientY }: MouseEvent): Pointer => {
    const { left, top } = place.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    const { x, y } = at(event);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 20 : 1;
    if (event.ctrlKey || event.metaKey) {
      move(zoomed(view(), zoomOf(event.deltaY * lines), x, y));
      return;
    }
    const [dx, dy] = [event.deltaX * lines, event.deltaY * lines];
    move({ ...view(), x: view().x - dx, y: view().y - dy });
  };
  const press = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    fingers.set(event.pointerId, at(event));
    isDragging = false;
  };
  const drag = (event: PointerEvent): void => {
    const before = fingers.get(event.pointerId);
    const now = at(event);
    if (!before) return;
    if (!isDragging) {
      if (Math.hypot(now.x - before.x, now.y - before.y) < clickPx) return;
      isDragging = true;
      place.setPointerCapture(event.pointerId);
    }
    const [from, distance] = [middle([...fingers.values()]), apart([...fingers.values()])];
    fingers.set(event.pointerId, now);
    const to = middle([...fingers.values()]);
    const moved = { ...view(), x: view().x + to.x - from.x, y: view().y + to.y - from.y };
    const factor = distance > 0 ? apart([...fingers.values()]) / distance : 1;
    move(factor === 1 ? moved : zoomed(moved, factor, to.x, to.y));
  };
  const release = (event: PointerEvent): void => {
    fingers.delete(event.pointerId);
  };
  const click = (event: MouseEvent): void => {
    if (!isDragging) return;
    isDragging = false;
    event.stopPropagation();
    event.preventDefault();
  };
  const stop = new AbortController();
  const { signal } = stop;
  place.addEventListener('wheel', wheel, { signal, passive: false });
  place.addEventListener('pointerdown', press, { signal });
  place.addEventListener('pointermove', drag, { signal });
  place.addEventListener('pointerup', release, { signal });
  place.addEventListener('pointercancel', release, { signal });
  place.addEventListener('click', click, { signal, capture: true });
  return () => stop.abort();
};
