/** The one element that the page marks with a test id. */
export const byTestId = (id) => document.querySelector(`[data-testid="${id}"]`);

/**
 * Creates an element. Children are nodes or text; text is never read as markup, because much of
 * it comes from the service.
 */
export const element = (tag, attributes = {}, ...children) => {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children);
  return node;
};

/** Writes text only where it differs, so that polling neither repaints nor re-announces. */
export const setText = (node, text) => {
  if (node.textContent !== text) node.textContent = text;
};

/** Replaces what a node holds unless it already reads and looks the same. */
export const setChildren = (node, children) => {
  const fresh = node.cloneNode(false);
  fresh.append(...children);
  if (!node.isEqualNode(fresh)) node.replaceChildren(...fresh.childNodes);
};
