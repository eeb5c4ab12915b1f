import { element, setChildren } from './dom.js';

/** Says something in the place it concerns; empties the place when given no lines. */
export const showNotice = (node, lines, tone = 'idle') => {
  node.dataset.tone = tone;
  setChildren(
    node,
    lines.map((text) => element('p', {}, text)),
  );
};

/** Shows a failed request where its result would have been: code, message and what to do next. */
export const showError = (node, error, tone = 'bad') => {
  node.dataset.tone = tone;
  setChildren(node, [
    element('p', {}, element('code', {}, error.code), ` ${error.message}`),
    element('p', {}, error.nextStep),
  ]);
};
