/** Where the embedded database lies, and what is written of findings, unless the command says otherwise. */
export const farmFolder = 'out/farm';
export const findingsFolder = `${farmFolder}/findings`;
