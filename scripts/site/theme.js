// The theme that the console of the same origin uses.
try {
  document.documentElement.dataset.theme = localStorage.getItem('busbar.theme') ?? 'auto';
} catch {
  // Without storage the system decides.
}
