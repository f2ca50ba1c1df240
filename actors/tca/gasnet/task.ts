import type { NodeAnswer, NodeOperation } from '../node-program.ts';

/** What a program or a handler yields from: `yield*` gives its result. */
export type Task<Result> = Generator<NodeOperation, Result, NodeAnswer>;
