const views = [...document.querySelectorAll('[data-view]')];
const links = [...document.querySelectorAll('.views a')];

/** Shows the view that the address names; any other address leaves the one that is shown. */
const showNamed = () => {
  const name = location.hash.slice(1);
  if (!views.some(({ dataset }) => dataset.view === name)) return;
  for (const view of views) view.hidden = view.dataset.view !== name;
  for (const link of links) {
    if (link.hash === location.hash) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
};

window.addEventListener('hashchange', showNamed);
showNamed();
