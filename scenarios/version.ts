/** The version of Lockstep, as recordings name it. */
export const lockstepVersion = '0.1.0';
