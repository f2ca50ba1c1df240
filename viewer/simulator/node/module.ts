/* What the simulator asks of `node:module`: modules of users come in the same bundle. */

export const register = (): void => {};
export const createRequire = () => () => {
  throw new Error('a page requires no modules');
};
