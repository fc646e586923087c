// Parts of the page that are loaded on demand. A standalone page replaces this script: there, parts are functions,
// which browsers compile when called.

export const parts = {
  library: () => import("./library.js"),
  player: () => import("./player.js"),
  kept: () => import("./kept.js"),
  span: () => import("./span.js"),
  film: () => import("./film.js"),
  saves: () => import("./saves.js"),
  branch: () => import("./branch.js"),
  overview: () => import("./overview.js"),
  search: () => import("./search.js"),
  values: () => import("./values.js"),
  ruler: () => import("./ruler.js"),
};
