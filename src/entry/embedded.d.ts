/** Rendered from the operations table by the build; compressed with brotli, in base64. */
declare module 'busbar:descriptions' {
  const text: string;
  export default text;
}
