export const htmlStyles = `
:root {
  color-scheme: light dark;
  --page: light-dark(#ffffff, #121518);
  --text: light-dark(#1a1f24, #dfe4e9);
  --quiet: light-dark(#56606b, #9aa5b1);
  --line: light-dark(#d3d8de, #323a42);
  --raised: light-dark(#f6f7f9, #22272c);
  --accent: light-dark(#0b5cad, #6db3ff);
  --good: light-dark(#17722f, #5cc973);
  --warn: light-dark(#8a5a00, #e5b345);
  --bad: light-dark(#c01c28, #ff7f76);
}
body {
  max-width: 60rem;
  margin: 1.5rem auto;
  padding: 0 1rem;
  background: var(--page);
  color: var(--text);
  font: 0.875rem/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.375rem; margin: 0; }
h2 { font-size: 1rem; margin: 0 0 0.25rem; }
header p, small, figcaption, dt, th { color: var(--quiet); }
section { margin: 1.25rem 0; padding-top: 1rem; border-top: 1px solid var(--line); }
section p { margin: 0.25rem 0; }
code, .excerpt td { font-family: ui-monospace, monospace; font-size: 0.8125rem; }
code, td { overflow-wrap: anywhere; }
table { width: 100%; border-collapse: collapse; margin: 0.5rem 0; }
th { text-align: left; font-weight: normal; }
th, td { padding: 0.125rem 0.75rem 0.125rem 0; vertical-align: top; border-bottom: 1px solid var(--line); }
.summary td:first-child, .excerpt td:not(:last-child) { white-space: nowrap; }
.excerpt :is(td, th):last-child { width: 100%; }
.hit { background: var(--raised); font-weight: bold; }
.hit td:first-child { border-left: 3px solid var(--bad); padding-left: 0.25rem; }
.passed, .failed, .not_observed { font-weight: bold; }
.passed { color: var(--good); }
.failed { color: var(--bad); }
.not_observed { color: var(--warn); }
a { color: var(--accent); }
.figures { display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin: 0.5rem 0; }
.figures dd { margin: 0; font-variant-numeric: tabular-nums; }
figure { margin: 0.5rem 0; }
svg { width: 100%; height: auto; background: var(--raised); }
svg text { fill: var(--quiet); font: 11px system-ui, sans-serif; }
.grid { stroke: var(--line); }
.band { fill: var(--accent); stroke: var(--accent); stroke-width: 1.2; stroke-linejoin: round; }
.limit { stroke: var(--bad); stroke-dasharray: 5 3; }
.mark { fill: var(--bad); }
@media print {
  :root { color-scheme: light; }
  body { max-width: none; margin: 0; font-size: 9pt; }
  section, li, figure { break-inside: avoid-page; }
}
`;
