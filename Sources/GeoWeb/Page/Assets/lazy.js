// Parts of the page that are loaded once somebody needs them. The page as a file has another script in
// the place of this: the parts are functions there, whose insides a browser passes over until they are
// called.

export const parts = {
  library: () => import("./library.js"),
  player: () => import("./player.js"),
  span: () => import("./span.js"),
};
