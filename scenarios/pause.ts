/** Milliseconds between two looks for what is not there yet: the other end of a pipe, room in it, bytes. */
export const pauseMs = 5;

/** Waits without turning: for calls that cannot be awaited, on what comes from outside. */
export const pause = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs);
