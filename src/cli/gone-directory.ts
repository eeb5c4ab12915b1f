/** What people are told where the directory that they stand in was removed. */
export const goneDirectory = 'the current directory does not exist any more';
