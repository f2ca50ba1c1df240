/** Makes sure of a symmetry on which an exploration relied. Where something was found, which is real in any case, it gives what is wrong with it instead of an error. */
export async function doubtOf(verify: () => unknown, isFound: boolean): Promise<string | undefined> {
  try {
    await verify();
    return undefined;
  } catch (error) {
    if (!isFound || !(error instanceof Error)) throw error;
    return error.message.split('\n')[0];
  }
}
