declare module 'lockstep:user-modules' {
  /** Modules of the user by their whole names. */
  export const userModules: Readonly<Record<string, () => Promise<Record<string, unknown>>>>;
}
