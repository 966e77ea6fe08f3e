/** The states in which every name written in by a voter has a row in the results. */
export const NAMES_ALL_WRITE_INS = ['VT'];
