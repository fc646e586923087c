// The endings of names by type of file. The program puts the table of FileType.swift here.
export const endings = {};
