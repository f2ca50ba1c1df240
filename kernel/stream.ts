import { config, type Subject } from 'rxjs';
import { KernelError } from './errors.ts';

/**
 * Hands a value to whoever observes a stream of a run. Errors: KRN014 when an observer throws, with the stream and the tick.
 *
 * Details: RxJS throws what an observer throws from a timer of its own, where neither the run nor the test that made it hears of it. For the time
 * of one value it is asked to throw where it is; its setting is the same again behind that, for whoever uses RxJS beside the run.
 */
export function emit<T>(stream: Subject<T>, name: string, tick: number, value: T): void {
  const before = config.useDeprecatedSynchronousErrorHandling;
  config.useDeprecatedSynchronousErrorHandling = true;
  try {
    stream.next(value);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new KernelError('KRN014', `${name} at tick ${tick}`, `an observer threw: ${why}`, { cause: error });
  } finally {
    config.useDeprecatedSynchronousErrorHandling = before;
  }
}
