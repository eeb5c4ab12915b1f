/** Texts that the build renders from the operations table and puts into the bundle. */
declare module 'busbar:cli-table' {
  const text: string;
  export default text;
}

/** Packed with brotli, in base64. */
declare module 'busbar:descriptions' {
  const text: string;
  export default text;
}
