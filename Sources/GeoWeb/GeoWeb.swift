// The page, and everything that shows it: the live server, a published site, a page in one file.
// In: an open world. Out: answers to requests, or the files of a site and its archive of tiles.
// `HTTP/` parses and refuses, `Server/` answers, `Live/` sends changes, `Archive/` writes tiles to one file,
// `Site/` publishes, `Page/` holds the scripts.
// Start with `Server/Router.swift`.
