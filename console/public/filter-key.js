const isTyping = ({ target }) => target instanceof Element && target.matches('input, textarea');

/** Lets the key / lead into a filter while the view that it belongs to is shown. */
export const focusBySlash = (filter) => {
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event) || !filter.checkVisibility()) return;
    event.preventDefault();
    filter.focus();
    filter.select();
  });
};
