// A page with what a console page has at the least, for comparison.

/** Address of a page with a table whose cells change ten times a second; empty without rows. */
export const plainPage = ({ rows, cells }) => {
  const row = `<tr>${'<td>0</td>'.repeat(cells)}</tr>`;
  const html = `<!doctype html><title>Plain</title><style>
    body { margin: 0; font: 13px sans-serif; }
    tr { display: grid; grid: 24px / repeat(${cells}, 1fr); contain: strict; height: 24px; }
    table, tbody { display: block; }
  </style><table>${row.repeat(rows)}</table><script>
    const texts = [...document.querySelectorAll('td')].map((cell) => cell.firstChild);
    let count = 0;
    const draw = () => {
      count += 1;
      for (const [at, text] of texts.entries()) text.data = String(count * 7919 + at * 104729);
    };
    if (texts.length > 0) setInterval(() => requestAnimationFrame(draw), 100);
  </script>`;
  return `data:text/html,${encodeURIComponent(html)}`;
};
