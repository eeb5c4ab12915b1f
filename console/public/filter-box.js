/** Tells every new query of a filter box, which Escape empties. */
export const onFilter = (box, listener) => {
  box.addEventListener('input', () => listener(box.value));
  box.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    box.value = '';
    listener('');
  });
};
