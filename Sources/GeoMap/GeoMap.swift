// The library that maps folders: nodes as an asynchronous sequence, questions, and a model for views.
// In: folders as URLs or paths. Out: `GeoNode`s, answers about paths and places, files in every format.
// Start with `GeoWorld`, then `GeoNode`; the articles are in `GeoMap.docc`.
