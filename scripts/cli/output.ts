/** Results go to stdout, everything else to stderr, so that a command can stand in a pipe. */
export const print = (text: string): void => {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
};

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2));

export const progress = (text: string): void => {
  process.stderr.write(`${text}\n`);
};
