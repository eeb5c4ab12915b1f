// The pages look as the console of the same origin was told to.
try {
  document.documentElement.dataset.theme = localStorage.getItem('busbar.theme') ?? 'auto';
} catch {
  // No storage: the colours are those of the system.
}
