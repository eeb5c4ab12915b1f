import type { TargetedMouseEvent } from 'preact';

const swallow = (event: TargetedMouseEvent<HTMLElement>): void => {
  event.preventDefault();
  event.stopImmediatePropagation();
};

/**
 * Attributes of a button or switch that cannot be used for now. Unlike `disabled` they leave it the focus: who
 * works by keys stays where the key was pressed.
 */
export const unusableWhile = (isUnusable: boolean) =>
  isUnusable ? { 'aria-disabled': true, onClickCapture: swallow } : {};
