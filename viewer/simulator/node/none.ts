/* Stands for modules of Node that nothing in a page calls. */

export const createHash = (): never => {
  throw new Error('a page has no node:crypto');
};
export const randomUUID = createHash;
export const tmpdir = (): string => '/tmp';
export const availableParallelism = (): number => 1;
