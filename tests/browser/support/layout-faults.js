// Runs inside the page: it stands alone, and knows the document.

/**
 * What overlaps, is cut off or cannot be reached on the pages in front, in words. Only the page itself
 * and data (tables, trees, texts, plots, rows of projects) may have to be scrolled to get at a control.
 */
export const layoutFaults = () => {
  const slack = 1.5;
  const rowsOfProjects = '.row-form, .problem-list, .changes, .merge, .flow-view';
  const dataScrollers = `.table-scroll, .tree, .plot-area, pre, textarea, ${rowsOfProjects}`;
  /** Panes below each other in a narrow window, and parts of pages in panes. */
  const paneScrollers = 'main, .pane-part';
  const controls = 'button, input, select, textarea, a[href], summary';
  const bar = document.querySelector('.bar');
  const faults = [];

  const textOf = (element) => element.textContent.trim().replaceAll(/\s+/g, ' ').slice(0, 30);
  const nameOf = (element) =>
    element.dataset.testid ||
    element.getAttribute('aria-label') ||
    textOf(element) ||
    element.id ||
    `${element.tagName.toLowerCase()}.${element.className}`;
  const note = (what, element, other) =>
    faults.push([nameOf(element), what, other ? nameOf(other) : ''].join(' ').trim());

  const boxOf = (element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  };
  /** What is left of a box inside another. */
  const common = (a, b) => ({
    left: Math.max(a.left, b.left),
    top: Math.max(a.top, b.top),
    right: Math.min(a.right, b.right),
    bottom: Math.min(a.bottom, b.bottom),
  });
  const isEmpty = ({ left, top, right, bottom }) => right - left <= slack || bottom - top <= slack;
  const holds = (outer, inner, axis) =>
    axis === 'x'
      ? inner.left >= outer.left - slack && inner.right <= outer.right + slack
      : inner.top >= outer.top - slack && inner.bottom <= outer.bottom + slack;
  const clipOf = (element) => {
    const { left, top } = element.getBoundingClientRect();
    const x = left + element.clientLeft;
    const y = top + element.clientTop;
    return { left: x, top: y, right: x + element.clientWidth, bottom: y + element.clientHeight };
  };
  const ancestorsOf = (element) => {
    const found = [];
    for (let each = element.parentElement; each; each = each.parentElement) found.push(each);
    return found;
  };
  const overflowOf = (element, axis) => {
    const { display, overflowX, overflowY } = getComputedStyle(element);
    if (display === 'contents') return 'visible';
    return axis === 'x' ? overflowX : overflowY;
  };
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true });
  const isClipping = (element) =>
    overflowOf(element, 'x') !== 'visible' || overflowOf(element, 'y') !== 'visible';
  /** The part of an element that can be seen. */
  const seenOf = (element) =>
    ancestorsOf(element)
      .filter(isClipping)
      .reduce((box, each) => common(box, clipOf(each)), boxOf(element));

  const pages = [...document.querySelectorAll('.page')].filter(isShown);
  const within = (selector) => pages.flatMap((page) => [...page.querySelectorAll(selector)]);
  const panels = within('.panel').filter(isShown);
  const checkPanel = (panel, at) => {
    for (const other of panels.slice(at + 1)) {
      if (panel.contains(other)) continue;
      if (!isEmpty(common(seenOf(panel), seenOf(other)))) note('overlaps', panel, other);
    }
    for (const child of panel.children) {
      if (!isShown(child) || getComputedStyle(child).position === 'absolute') continue;
      const isInside = ['x', 'y'].every((axis) => holds(boxOf(panel), boxOf(child), axis));
      if (!isInside) note('is too small for', panel, child);
    }
  };

  const drawnAs = (control) =>
    control.matches('.switch input') ? control.nextElementSibling : control;

  /** Walks outwards: what cuts a control off is a fault, unless scrolling it brings the control back. */
  const checkReach = (control, axis) => {
    let box = boxOf(control);
    for (const each of ancestorsOf(control)) {
      const overflow = overflowOf(each, axis);
      if (overflow === 'visible' || each === document.body) continue;
      const clip = clipOf(each);
      if (!holds(clip, box, axis)) {
        const isScroller = overflow === 'auto' || overflow === 'scroll';
        const isMeant =
          axis === 'y'
            ? each.matches(`.page, ${paneScrollers}, ${dataScrollers}`)
            : each.matches('.frames');
        if (!isScroller) return note('is cut off by', control, each);
        if (!isMeant) return note('is hidden in the scroller', control, each);
      }
      box = common(box, clip);
      if (isEmpty(box)) box = clip;
    }
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    if (!holds(screen, box, axis)) note('is outside the window', control);
  };
  const checkTop = (control) => {
    const { left, top, right, bottom } = seenOf(control);
    if (isEmpty({ left, top, right, bottom })) return;
    const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    const isOwn = hit && (control.contains(hit) || hit.contains(control));
    if (!isOwn) note('is covered by', control, hit ?? document.body);
  };

  const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
  if (scrollWidth > clientWidth) faults.push('the window scrolls sideways');
  if (scrollHeight > clientHeight) faults.push('the window scrolls');
  const bottoms = [...bar.querySelectorAll(controls)].map((each) => boxOf(each).bottom);
  const hasRoom = innerWidth >= 1200;
  if (hasRoom && Math.max(...bottoms) - Math.min(...bottoms) > 20)
    faults.push('the bar has two lines');
  for (const each of [...pages, ...within('*')]) {
    if (each.scrollWidth <= each.clientWidth || !isShown(each)) continue;
    // A number that lacks a digit is another one.
    if (each.matches('td.number, thead th')) note('is cut in', each, each.closest('[data-testid]'));
    if (each.matches('.frames, .lines')) continue;
    const isScroller = ['auto', 'scroll'].includes(overflowOf(each, 'x'));
    if (isScroller && each.scrollWidth > each.clientWidth + slack) note('scrolls sideways', each);
  }
  panels.forEach(checkPanel);
  for (const each of [...bar.querySelectorAll(controls), ...within(controls)]) {
    const control = drawnAs(each);
    // A diagram is panned to reach hidden parts, and has the same content as a table.
    if (!isShown(control) || control.closest('.flow-boxes')) continue;
    checkReach(control, 'x');
    checkReach(control, 'y');
    checkTop(control);
    const isField = control.matches(
      'select, textarea, input:not([type="checkbox"], [type="radio"])',
    );
    if (isField && control.getBoundingClientRect().width < 44) note('is squeezed', control);
  }
  return faults;
};
