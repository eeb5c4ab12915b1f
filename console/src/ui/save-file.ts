/** Long enough for any browser to start the download. */
const keptMs = 60_000;

export const saveFile = (file: Blob, name: string): void => {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), keptMs);
};

/** File name that sorts by time: `trace-20250314-024107.asc`. */
export const stampedName = (title: string, extension: string, now = new Date()): string => {
  const local = new Date(now.getTime() - now.getTimezoneOffset() * 60_000);
  const stamp = local.toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  return `${title}-${stamp}.${extension}`;
};
