/** Reports the size of an element, now and on each change. A hidden page keeps the last one. */
export const onResize = (
  node: HTMLElement | null,
  take: (size: { readonly width: number; readonly height: number }) => void,
): (() => void) => {
  if (!node) return () => {};
  const measure = (): void => {
    if (node.clientWidth > 0) take({ width: node.clientWidth, height: node.clientHeight });
  };
  const observer = new ResizeObserver(measure);
  observer.observe(node);
  measure();
  return () => observer.disconnect();
};
