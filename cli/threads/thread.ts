import { type MessagePort, type ResourceLimits, Worker, workerData } from 'node:worker_threads';
import { threadModule } from '../project.ts';

/** What a thread is started with. */
interface Start<Order> {
  /** The module that it runs. */
  readonly serve: string;
  readonly order: Order;
}

/** Starts a thread that runs a module, by its path in the sources without the ending; the order is copied to it, but for shared memory and `ports`, which are given away. */
export function startThread<Order>(
  path: string,
  order: Order,
  ports: readonly MessagePort[] = [],
  resourceLimits: ResourceLimits = {},
): Worker {
  const serve = threadModule(path);
  // A thread begins without what the command has registered, which the sources need.
  const first = serve.pathname.endsWith('.ts') ? new URL('./thread.mjs', import.meta.url) : serve;
  return new Worker(first, {
    workerData: { serve: serve.href, order } satisfies Start<Order>,
    transferList: [...ports],
    resourceLimits,
  });
}

/** In a thread: what it was started with. */
export const orderOfThread = <Order>(): Order => (workerData as Start<Order>).order;
