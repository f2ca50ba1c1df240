/** A machine that cannot be explored; the message is that of the `KernelError` that says why. */
export class NotExplorable extends Error {
  override readonly name = 'NotExplorable';
}
