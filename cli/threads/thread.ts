import { Worker, workerData } from 'node:worker_threads';

/** What a thread is started with. */
interface Start<Order> {
  /** The module that it runs. */
  readonly serve: string;
  readonly order: Order;
}

/** Starts a thread that runs a module of the sources; the order is copied to it, but for shared memory. */
export const startThread = <Order>(serve: URL, order: Order): Worker =>
  new Worker(new URL('./thread.mjs', import.meta.url), {
    workerData: { serve: serve.href, order } satisfies Start<Order>,
  });

/** In a thread: what it was started with. */
export const orderOfThread = <Order>(): Order => (workerData as Start<Order>).order;
