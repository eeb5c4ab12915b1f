/** Rendered from the operations table when Busbar is built; packed with brotli, in base64. */
declare module 'busbar:descriptions' {
  const text: string;
  export default text;
}
